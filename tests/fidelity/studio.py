"""The server on which stories of appliers happen, what others do there in between, and who cleans up."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from kubectl_applylint.core.state import ObjectRef, ref_of
from kubectl_applylint.core.values import JsonObject
from tests.cluster.api import MERGE_PATCH, object_path
from tests.cluster.cluster import Cluster
from tests.fidelity.charts import Call, CasePlan, Stock
from tests.fidelity.edits import edit
from tests.fidelity.writers import another_writer

_SCALED = frozenset({"Deployment", "StatefulSet"})
_WITH_PODS = _SCALED | {"DaemonSet"}


@dataclass(frozen=True, slots=True)
class Studio:
    """All that recording a case needs."""

    cluster: Cluster
    stock: Stock
    programs: Mapping[str, Path]
    """By applier."""

    def path(self, ref: ObjectRef) -> str:
        """Return where an object is."""
        return object_path(self.stock.resources, ref)

    def live_object(self, ref: ObjectRef) -> JsonObject | None:
        """Return the live object, ``None`` if it does not exist."""
        reply = self.cluster.get(self.path(ref))
        return reply.json if reply.ok else None


@dataclass(frozen=True, slots=True)
class Recorder:
    """Functions that draw and record stories of one kind of applier."""

    plan_case: Callable[[Stock, str, str, int], CasePlan]
    """Draws a case by applier, seed and number."""
    called: Callable[[Studio, CasePlan, Call, Sequence[JsonObject]], JsonObject]
    """Makes a call, after those of the same case, and returns what is kept of all of them."""
    marks: Callable[[CasePlan, JsonObject], JsonObject]
    """Gives the metadata by which the applier takes an object for one of its own."""


def refs(studio: Studio, plan: CasePlan) -> Sequence[ObjectRef]:
    """Return the names of all objects of the case whose kind the server knows."""
    found = []
    for item in plan.objects:
        ref = ref_of(item)
        kind = studio.stock.resources.get((ref.api_version, ref.kind))
        if kind is not None and ref.name:
            namespace = (ref.namespace or plan.namespace) if kind.namespaced else ""
            found.append(ObjectRef(ref.api_version, ref.kind, namespace, ref.name))
    return tuple(dict.fromkeys(found))


def stored_objects(studio: Studio, plan: CasePlan) -> dict[str, JsonObject | None]:
    """Return every object of the case as it is now, by the name that recordings give it."""
    found = refs(studio, plan)
    return {f"{ref.api_version}/{ref.kind}/{ref.namespace}/{ref.name}": studio.live_object(ref) for ref in found}


def others_create(studio: Studio, plan: CasePlan, number: int, recorder: Recorder) -> None:
    """Create what exists before the call ``number`` names it for the first time."""
    named = {ref_of(item) for before in plan.calls[:number] for item in before.chart}
    for item, is_marked in plan.existing:
        if item in plan.calls[number].chart and ref_of(item) not in named:
            marks = recorder.marks(plan, item) if is_marked else {}
            body = {**item, "metadata": {**item["metadata"], **marks}}
            studio.cluster.run("create", "-n", plan.namespace, "-f", "-", stdin=json.dumps(body))


def others_write(studio: Studio, rng: Random, plan: CasePlan) -> None:
    """Let others change some objects of the case."""
    for _ in range(rng.choices((0, 1, 2, 3), (25, 35, 25, 15))[0]):
        ref = rng.choice(refs(studio, plan))
        live = studio.live_object(ref)
        if live is not None:
            _write(studio, rng, ref, live)


def _write(studio: Studio, rng: Random, ref: ObjectRef, live: JsonObject) -> None:
    """Let others change an object: kubectl, an autoscaler, a controller."""
    what = rng.choices(("scale", "env", "apply", "delete", "other"), (25, 12, 12, 5, 46))[0]
    kubectl, name = studio.cluster.run, f"{ref.kind.lower()}/{ref.name}"
    namespace = ("-n", ref.namespace) if ref.namespace else ()
    if what == "scale" and ref.kind in _SCALED:
        _scale(studio, rng, ref)
    elif what == "env" and ref.kind in _WITH_PODS:
        kubectl("set", "env", name, "HAND=1", *namespace)
    elif what == "delete":
        studio.cluster.delete(studio.path(ref))
    elif what == "apply":
        kept = {key: value for key, value in live.items() if key != "status"}
        metadata = {key: live["metadata"][key] for key in ("name", "labels", "annotations") if key in live["metadata"]}
        edited, _ = edit(rng, {**kept, "metadata": metadata}, studio.stock.donors, count=1)
        kubectl("apply", *namespace, "-f", "-", stdin=json.dumps(edited))
    else:
        writing = another_writer(rng, live, studio.stock.donors)
        studio.cluster.api.call(
            writing.method, f"{studio.path(ref)}{writing.suffix}", writing.body, writing.content_type
        )


def _scale(studio: Studio, rng: Random, ref: ObjectRef) -> None:
    replicas = rng.choice((2, 5, 7))
    if rng.random() < 0.6:
        studio.cluster.run("scale", f"{ref.kind.lower()}/{ref.name}", f"--replicas={replicas}", "-n", ref.namespace)
        return
    path = f"{studio.path(ref)}/scale?fieldManager=kube-controller-manager"
    studio.cluster.patch(path, {"spec": {"replicas": replicas}}, MERGE_PATCH)


def sweep(studio: Studio, plan: CasePlan) -> None:
    """Delete what the case has made; without controllers, objects of the namespace go one by one."""
    for ref in refs(studio, plan):
        studio.cluster.patch(studio.path(ref), {"metadata": {"finalizers": None}})
        studio.cluster.delete(studio.path(ref))
    studio.cluster.drop_namespace(plan.namespace)
