"""Plays a rule case on a real API server with a real kubectl, in a namespace of its own."""

import json
import re
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from typing import assert_never

import yaml

from kubectl_applylint.core.outcome import Verdict
from kubectl_applylint.core.state import Absent, Knowledge, ObjectRef, Present, ref_of
from kubectl_applylint.core.values import JsonObject, equal, mapping
from tests.cases.case_steps import Action, CaseWrite
from tests.cases.cases import Case
from tests.cluster.api import CONTENT_TYPES, JSON_PATCH, Reply, Resources, collection_path, discover, object_path
from tests.cluster.cluster import Cluster, Run
from tests.cluster.crds import install, uninstall
from tests.cluster.normal import after_form, differing, live_form
from tests.cluster.proxy import Exchange, Recording
from tests.cluster.yamltext import dump

MANAGERS: Mapping[Action, str] = {
    Action.CREATE: "kubectl-create",
    Action.REPLACE: "kubectl-replace",
    Action.PATCH: "kubectl-patch",
}
"""As whom kubectl writes in these ways; a step may name another."""
SERVER_MADE = {"uid", "resourceVersion", "creationTimestamp", "generation", "managedFields", "selfLink"}
"""The metadata that a server writes to a new object."""


class Stuck(Exception):
    """A story cannot be played on this server; the text says at which step and why."""


@dataclass(frozen=True, slots=True)
class Played:
    """The result of the replay of a case."""

    live: Knowledge
    """The object before the apply, in its normal form."""
    verdict: Verdict
    after: Knowledge
    """The object after the apply, in its normal form."""
    said: str
    """The output of kubectl for a rejected apply, in the namespace ``default``."""
    gone: tuple[str, ...] = ()
    """The objects of the case's base that are deleted afterwards, sorted."""


@dataclass(frozen=True, slots=True)
class Stage:
    """The cluster and the namespace of one case."""

    cluster: Cluster
    """Its kubectl puts what names no namespace into the case's own."""
    resources: Resources
    namespace: str
    since: str
    """The time of its start, as the server writes times."""

    def path(self, ref: ObjectRef) -> str:
        """Return where the object is, nowhere if the server does not serve its kind."""
        return object_path(self.resources, self.in_namespace(ref)) if self.serves(ref) else ""

    def serves(self, ref: ObjectRef) -> bool:
        """Whether the server serves the kind in its version."""
        return (ref.api_version, ref.kind) in self.resources

    def in_namespace(self, ref: ObjectRef) -> ObjectRef:
        """Return ``ref`` with the namespace of the case, if it has none."""
        return ObjectRef(ref.api_version, ref.kind, ref.namespace or self.namespace, ref.name)

    def get(self, ref: ObjectRef) -> JsonObject | None:
        """Return the object as it is now, if it is."""
        if not self.serves(ref):
            return None
        reply = self.cluster.get(self.path(ref))
        return reply.json if reply.ok else None


def play(cluster: Cluster, proxy: Recording, case: Case) -> Played:
    """Play ``case`` and leave nothing behind; raise ``Stuck`` where a step fails.

    ``proxy`` stands in front of ``cluster``. One for many stories lets kubectl keep what it learnt of the server.
    """
    if case.kustomize:
        _render(cluster, case)
    with open_stage(cluster, proxy, case) as stage:
        bring(stage, case)
        live = stage.get(case.ref)
        proxy.take()
        run = apply(stage, case)
        verdict = verdict_of(case.ref, run, proxy.take(), stage.path(case.ref))
        after = stage.get(case.ref)
        form = {"namespace": stage.namespace, "since": stage.since}
        return Played(
            live=Absent() if live is None else Present(live_form(live, **form)),
            verdict=verdict,
            after=Absent() if after is None else Present(after_form(after, **form)),
            said=run.stderr.replace(stage.namespace, "default") if run.code else "",
            gone=tuple(sorted(str(ref) for ref in map(ref_of, case.base) if is_gone(stage.get(ref)))),
        )


def bring(stage: Stage, case: Case) -> None:
    """Bring the cluster into the state before the apply of ``case``; raise ``Stuck`` where a step fails."""
    if case.base:
        _apply_base(stage, case)
    elif case.steps:
        for number, step in enumerate(case.steps):
            take(stage, step, f"steps[{number}] ({step.action})")
    elif isinstance(case.live, Present):
        restore(stage, case.ref, case.live.object)


def _render(cluster: Cluster, case: Case) -> None:
    """Render the manifest again; ``Stuck`` where it comes out otherwise."""
    with tempfile.TemporaryDirectory() as folder:
        whole = {"resources": ["source.yaml"], **case.kustomize["kustomization"]}
        for name, content in (("source.yaml", case.kustomize["source"]), ("kustomization.yaml", whole)):
            Path(folder, name).write_text(dump(content), encoding="utf-8")
        run = cluster.run("kustomize", folder)
    if run.code or not equal(yaml.safe_load(run.stdout), yaml.safe_load(case.manifest)):
        raise Stuck(f"kustomize makes something else: {run.stderr or run.stdout}")


def is_gone(found: JsonObject | None) -> bool:
    """Return whether an object is deleted; one with finalizers stays, as no controller removes them."""
    return found is None or "deletionTimestamp" in found["metadata"]


def _apply_base(stage: Stage, case: Case) -> None:
    """Apply what the earlier run did, in the same way as the later one, but without its prune."""
    ways = [flag for flag in case.flags if flag.startswith(("--server-side", "--field-manager="))]
    run = stage.cluster.run("apply", "--filename=-", *ways, stdin="\n---\n".join(map(dump, case.base)))
    if run.code:
        raise Stuck(f"base failed: {run.stderr.strip()}")


@contextmanager
def open_stage(cluster: Cluster, proxy: Recording, case: Case) -> Iterator[Stage]:
    """Yield a stage with the CRDs and namespaces of the case, and remove them afterwards.

    A namespace that the case names is there from the start, unless one of the case's own objects makes it.
    """
    refs = [case.ref, *map(ref_of, (*case.peers, *case.later, *case.base)), *(step.target for step in case.steps)]
    made = {ref.name for ref in refs if ref.kind == "Namespace"}
    named = sorted({ref.namespace for ref in refs} - {"", "default"} - made)
    own = cluster.make_namespace()
    since = cluster.get(f"/api/v1/namespaces/{own}").json["metadata"]["creationTimestamp"]
    installed: Sequence[JsonObject] = ()
    try:
        for name in named:
            cluster.make_namespace(name)
        installed = install(cluster.api, case.crds)
        through = cluster.reached_through(proxy.url, own)
        stage = Stage(through, discover(cluster.api), own, since)
        try:
            yield stage
        finally:
            for ref in sorted(set(refs), key=lambda ref: (ref.kind == "Namespace", ref)):
                remove(stage, ref)
    finally:
        uninstall(cluster.api, installed)
        for name in [own, *named]:
            cluster.drop_namespace(name)


def remove(stage: Stage, ref: ObjectRef) -> None:
    """Delete an object, whatever its finalizers."""
    if not stage.serves(ref):
        return
    if ref.kind == "Namespace":
        stage.cluster.drop_namespace(ref.name)
        return
    path = stage.path(ref)
    if stage.cluster.delete(path).ok:
        stage.cluster.patch(path, {"metadata": {"finalizers": None}})


def take(stage: Stage, step: CaseWrite, place: str) -> None:
    """Take one step; raise ``Stuck`` if it fails."""
    match step.action:
        case Action.APPLY | Action.APPLY_SERVER_SIDE:
            run = stage.cluster.run("apply", "--filename=-", *step_flags(step), stdin=json.dumps(step.body))
            trouble = run.stderr if run.code else ""
        case Action.CREATE | Action.REPLACE | Action.PATCH:
            trouble = _trouble(_write(stage, step))
        case _:
            assert_never(step.action)
    if trouble:
        raise Stuck(f"{place} failed: {trouble.strip()}")


def step_flags(step: CaseWrite) -> list[str]:
    """Return the flags of the ``kubectl apply`` that a step stands for."""
    flags = ["--server-side"] if step.action is Action.APPLY_SERVER_SIDE else []
    if step.force:
        flags.append("--force-conflicts")
    if step.manager:
        flags.append(f"--field-manager={step.manager}")
    return flags


def _write(stage: Stage, step: CaseWrite) -> Reply:
    """Write to the API as a client other than kubectl does."""
    manager = f"?fieldManager={step.manager or MANAGERS[step.action]}"
    if step.action is Action.CREATE:
        return stage.cluster.post(
            collection_path(stage.resources, stage.in_namespace(step.target)) + manager, step.body
        )
    path = stage.path(step.target) + (f"/{step.subresource}" if step.subresource else "") + manager
    if step.action is Action.PATCH:
        return stage.cluster.patch(path, step.body, CONTENT_TYPES[step.patch_type])
    version = mapping((stage.get(step.target) or {}).get("metadata")).get("resourceVersion")
    return stage.cluster.put(path, {**step.body, "metadata": {**step.body["metadata"], "resourceVersion": version}})


def _trouble(reply: Reply) -> str:
    return "" if reply.ok else str(mapping(reply.json).get("message", reply.json))


def restore(stage: Stage, ref: ObjectRef, live: JsonObject) -> None:
    """Bring the object into the state ``live``, owners included; ``Stuck`` if the server stores it differently."""
    wanted = live if ref.namespace else move_to_namespace(live, stage.namespace)
    metadata = {key: value for key, value in wanted["metadata"].items() if key not in SERVER_MADE}
    path = stage.path(ref)
    replies = [stage.cluster.post(path.rpartition("/")[0], {**wanted, "metadata": metadata})]
    if "status" in wanted:
        replies.append(stage.cluster.patch(f"{path}/status", {"status": wanted["status"]}))
    if "managedFields" in wanted["metadata"]:
        owners = {"op": "replace", "path": "/metadata/managedFields", "value": wanted["metadata"]["managedFields"]}
        replies.append(stage.cluster.patch(path, [owners], JSON_PATCH))
    trouble = next(filter(None, map(_trouble, replies)), "")
    if trouble:
        raise Stuck(f"live cannot be stored: {trouble}")
    paths = stored_differently(stage, ref, live)
    if paths:
        raise Stuck(f"the server stores live differently: {', '.join(paths)}")


def move_to_namespace(live: JsonObject, namespace: str) -> JsonObject:
    """Return ``live`` in ``namespace`` instead of ``default``, in its last-applied annotation too."""
    text = json.dumps(live)
    for quoted in ('"namespace": "default"', '\\"namespace\\":\\"default\\"'):
        text = text.replace(quoted, quoted.replace("default", namespace))
    there: JsonObject = json.loads(text)
    return there


def stored_differently(stage: Stage, ref: ObjectRef, live: JsonObject) -> list[str]:
    """Return where the stored object is not ``live``; owners and namespace count only where ``live`` has them."""
    form = {"namespace": stage.namespace, "since": stage.since}
    wanted, got = after_form(live, **form), after_form(stage.get(ref) or {"metadata": {}}, **form)
    optional = {"managedFields", "namespace"} - wanted["metadata"].keys()
    metadata = {key: value for key, value in got["metadata"].items() if key not in optional}
    return differing(wanted, {**got, "metadata": metadata})


def apply(stage: Stage, case: Case) -> Run:
    """Run the apply that the case is about."""
    texts = [*map(dump, case.peers), case.manifest, *map(dump, case.later)]
    return stage.cluster.run("apply", "--filename=-", *case.flags, stdin="\n---\n".join(texts))


def verdict_of(ref: ObjectRef, run: Run, sent: Iterable[Exchange], path: str) -> Verdict:
    """Return kubectl's word for the object, the last one if it was applied twice, else how it was rejected."""
    words = re.findall(rf"^{re.escape(str(ref))} (created|configured|unchanged|serverside-applied)\b", run.stdout, re.M)
    if words:
        return Verdict(words[-1])
    collection = path.rpartition("/")[0]
    writes = [exchange for exchange in sent if exchange.writes and exchange.path in (path, collection)]
    conflict = any(exchange.status == HTTPStatus.CONFLICT for exchange in writes)
    return Verdict.CONFLICT if conflict else Verdict.REJECTED
