"""One Deployment as different writers leave it, made by the engine itself: for tests of what is built upon it."""

import json
from dataclasses import replace

from kubectl_applylint.appliers.request import Applier, ApplyRequest
from kubectl_applylint.core.documents import Document, Documents, InCluster, Peers
from kubectl_applylint.core.location import Span
from kubectl_applylint.core.paths import Path
from kubectl_applylint.core.state import Absent, Present, State, Unknown, ref_of
from kubectl_applylint.core.values import Json, JsonObject, mapping
from kubectl_applylint.engine.predict import predict
from kubectl_applylint.lint.model import Subject
from kubectl_applylint.lint.subjects import scenarios
from kubectl_applylint.merge.managed_fields import ManagedFieldsCodec
from kubectl_applylint.merge.server_side import update
from kubectl_applylint.schema.load import load
from kubectl_applylint.server.ownership import context_of

SCHEMA = load("1.36")
MANIFEST: JsonObject = {
    "apiVersion": "apps/v1",
    "kind": "Deployment",
    "metadata": {"name": "web", "namespace": "shop"},
    "spec": {
        "replicas": 3,
        "selector": {"matchLabels": {"app": "web"}},
        "template": {
            "metadata": {"labels": {"app": "web"}},
            "spec": {
                "containers": [{"name": "web", "image": "web:1", "ports": [{"containerPort": 80, "name": "http"}]}]
            },
        },
    },
}
WITHOUT_REPLICAS: JsonObject = {**MANIFEST, "spec": {k: v for k, v in MANIFEST["spec"].items() if k != "replicas"}}
_MINUTE = "2026-01-02T03:0{}:00Z"


class Everywhere:
    """Positions of a manifest whose lines do not matter."""

    def key(self, path: Path) -> Span | None:
        """Return the first character for any path."""
        return Span(1, 1, 1, 2)

    def value(self, path: Path) -> Span | None:
        """Return the first character for any path."""
        return Span(1, 1, 1, 2)


def apply(
    manifest: JsonObject, live: JsonObject | None, applier: Applier, *, manager: str | None = None, force: bool = False
) -> JsonObject:
    """Return the object after a successful apply, with times filled in."""
    state = State(Absent() if live is None else Present(live))
    request = ApplyRequest(manifest, state, SCHEMA, applier, manager, force)
    outcome = predict(request)
    assert outcome.result is not None
    assert not outcome.refused, outcome.errors
    return as_served(outcome.result)


def as_served(stored: JsonObject) -> JsonObject:
    """Return an object as a server sends it, with invented values for the fields that only a server knows."""
    managers = mapping(stored["metadata"]).get("managedFields", [])
    timed = [{**each, "time": _known(each.get("time"), len(managers))} for each in managers]
    metadata = {**stored["metadata"], **({"managedFields": timed} if managers else {}), "resourceVersion": "1"}
    return dict(_plain({**stored, "metadata": metadata}))


def _known(time: Json, number: int) -> str:
    return time if isinstance(time, str) else _MINUTE.format(number)


def _plain(value: Json) -> Json:
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [*map(_plain, value)]
    return _MINUTE.format(0) if isinstance(value, Unknown) else value


def client_side(manifest: JsonObject, live: JsonObject | None = None) -> JsonObject:
    """Return the object after ``kubectl apply``."""
    return apply(manifest, live, Applier.KUBECTL_CLIENT)


def server_side(
    manifest: JsonObject, live: JsonObject | None = None, manager: str = "kubectl", *, force: bool = False
) -> JsonObject:
    """Return the object after ``kubectl apply --server-side``."""
    return apply(manifest, live, Applier.KUBECTL_SERVER, manager=manager, force=force)


def update_object(live: JsonObject, new: JsonObject, manager: str, subresource: str = "") -> JsonObject:
    """Return the object after a write that is not an apply."""
    ref = ref_of(live)
    context = context_of(SCHEMA.kind(ref.api_version, ref.kind), SCHEMA, ref.api_version)
    codec = ManagedFieldsCodec()
    managers = update(live, new, codec.read(live), manager, context)
    listed = [
        {**each, **({"subresource": subresource} if subresource and each["manager"] == manager else {})}
        for each in codec.entries(managers)
    ]
    return as_served({**new, "metadata": {**new["metadata"], "managedFields": listed}})


def scale(live: JsonObject, replicas: int, manager: str = "kube-controller-manager") -> JsonObject:
    """Return the object after a controller has scaled it."""
    return update_object(live, {**live, "spec": {**live["spec"], "replicas": replicas}}, manager, "scale")


def pause(live: JsonObject, manager: str = "kubectl-edit") -> JsonObject:
    """Return the object after a user has paused it by hand."""
    return update_object(live, {**live, "spec": {**live["spec"], "paused": True}}, manager)


def subject_of(manifest: JsonObject, live: JsonObject | None, *, known: bool = True, file: str = "web.yaml") -> Subject:
    """Return the subject of a manifest in a file and its live object; ``known`` is whether there is a manifest."""
    ref = ref_of(manifest)
    state = State(Absent() if live is None else Present(live), "cluster prod")
    document = Document(file, 0, json.loads(json.dumps(manifest)), ref, Everywhere(), known)
    return Subject(
        document=document,
        state=state,
        kind=SCHEMA.kind(ref.api_version, ref.kind),
        schema=SCHEMA,
        peers=Peers(Documents((document,)), 0, document.ref),
        predict=scenarios(manifest, state, lambda manifest, state: predict(ApplyRequest(manifest, state, SCHEMA))),
    )


def beside(subject: Subject, *manifests: JsonObject, file: str) -> Subject:
    """Return the subject in a run with other manifests."""
    others = [Document(file, number, item, ref_of(item), InCluster()) for number, item in enumerate(manifests)]
    return replace(subject, peers=Peers(Documents((subject.document, *others)), 0, subject.ref))
