"""Calls of the real Helm as they were recorded, and what is predicted of them.

A recording is a gzip of JSON lines: a head with versions and custom resource definitions, then one line a call: the
release's history, the rendered chart, flags, what Helm said, and every object concerned before and after. Rollbacks are
left out: applylint does not predict them.
"""

import gzip
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from kubectl_applylint.appliers.addressing import within_scope
from kubectl_applylint.core.documents import Document, InCluster
from kubectl_applylint.core.state import Absent, ObjectRef, Present, annotations_of, ref_of
from kubectl_applylint.core.values import JsonObject, mapping
from kubectl_applylint.engine.cluster_model import ClusterModel
from kubectl_applylint.engine.set_apply import apply_set
from kubectl_applylint.schema.load import load
from kubectl_applylint.schema.types import Schema
from kubectl_applylint.tools.flux.helm_release import DefinitionsPolicy, HelmReleaseSettings, release_settings
from kubectl_applylint.tools.helm.controller import call_of, drift_call, uninstall_call
from kubectl_applylint.tools.helm.flags import HELM4_FLAGS, HelmFlags, read_flags
from kubectl_applylint.tools.helm.program import predicting, with_existing_objects
from kubectl_applylint.tools.helm.release import Release, ReleaseRevision
from kubectl_applylint.tools.helm.upgrade import HelmAction, HelmUpgrade, install, upgrade
from tests.cluster.helm_controller_program import NAME
from tests.fidelity import set_calls
from tests.fidelity.charts import RELEASE
from tests.fidelity.helm_controller_stories import helm_release
from tests.fidelity.helm_message import message
from tests.fidelity.score import DISABLED_ADMISSION
from tests.fidelity.set_calls import Prediction, ScoredCall, ref_at

_HEAD = re.compile(r"^Error: (?:UPGRADE FAILED: |INSTALLATION FAILED: )?", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class HelmCall:
    """One recorded call; objects that are not there are ``None``."""

    id: str
    action: HelmAction
    flags: tuple[str, ...]
    namespace: str
    history: tuple[ReleaseRevision, ...]
    chart: tuple[JsonObject, ...]
    before: Mapping[ObjectRef, JsonObject | None]
    exit: int
    stderr: str
    after: Mapping[ObjectRef, JsonObject | None]
    definitions: tuple[JsonObject, ...] = ()
    """Definitions in ``crds`` of the chart, for helm-controller."""

    @property
    def options(self) -> HelmFlags:
        """The flags as they are understood."""
        return read_flags([flag for flag in self.flags if flag in HELM4_FLAGS], is_helm4=True)

    @property
    def unjudged(self) -> frozenset[ObjectRef]:
        """The hooks."""
        return frozenset(ref_of(item) for item in self.chart if is_hook(item))

    @property
    def message(self) -> str:
        """The message of Helm about its failure."""
        return _HEAD.split(self.stderr)[-1].strip() if self.exit else ""

    def names(self, ref: ObjectRef) -> bool:
        """Return whether Helm names an object in the message of its failure."""
        own = f"{ref.kind}.{ref.group}".rstrip(".")
        version = ref.api_version if ref.group else f"/{ref.api_version}"
        forms = (
            f'cannot patch "{ref.name}" with kind {ref.kind}',
            f'{own} "{ref.name}" is invalid',
            f"object {ref.namespace}/{ref.name} {version}, Kind={ref.kind}",
            f'{ref.kind} with the name "{ref.name}"',
            f'{ref.kind} "{ref.name}" in namespace',
            f'"{ref.name}" already exists',
            f"({ref.namespace}/{ref.name}; {version}, Kind={ref.kind})",
        )
        return any(form in self.stderr for form in forms)


@dataclass(frozen=True, slots=True)
class Recording:
    """The calls of one applier, and what the server served."""

    applier: str
    schema: Schema
    calls: tuple[HelmCall, ...]


def read_recording(file: Path) -> Recording:
    """Return a recording."""
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        head = json.loads(next(lines))
        schema = load(head["server"], crds=head["crds"])
        calls = (_call(found, schema) for found in map(json.loads, lines) if found["action"] != "rollback")
        return Recording(head["applier"], schema, tuple(calls))


def _call(found: JsonObject, schema: Schema) -> HelmCall:
    def in_release_namespace(manifests: Sequence[JsonObject]) -> tuple[JsonObject, ...]:
        return tuple(_in_namespace(item, found["namespace"], schema) for item in manifests)

    history = (
        ReleaseRevision(each["version"], each["status"], in_release_namespace(each["manifest"]), each["applyMethod"])
        for each in found["history"]
    )
    return HelmCall(
        found["id"],
        HelmAction(found["action"]),
        tuple(found["flags"]),
        found["namespace"],
        tuple(history),
        in_release_namespace(found["chart"]),
        _objects(found["before"]),
        found["exit"],
        found["stderr"],
        _objects(found["after"]),
        tuple(found.get("definitions", ())),
    )


def _objects(found: Mapping[str, JsonObject | None]) -> Mapping[ObjectRef, JsonObject | None]:
    return {ref_at(key): value and _without_status_owner(value) for key, value in found.items()}


def _without_status_owner(item: JsonObject) -> JsonObject:
    """Return a definition without the owner of its status: the server itself, at any time after it was created."""
    if item["kind"] != "CustomResourceDefinition":
        return item
    owners = [entry for entry in item["metadata"]["managedFields"] if entry.get("subresource") != "status"]
    return {**item, "metadata": {**item["metadata"], "managedFields": owners}}


def _in_namespace(item: JsonObject, namespace: str, schema: Schema) -> JsonObject:
    metadata = mapping(item.get("metadata"))
    placed = {**item, "metadata": {**metadata, "namespace": metadata.get("namespace") or namespace}}
    ref = ref_of(item)
    return within_scope(placed, schema.kind(ref.api_version, ref.kind))


def predict_call(call: HelmCall, recording: Recording) -> Prediction:
    """Return the prediction of a call from what was there before."""
    is_by_controller = recording.applier == NAME
    policy = _controller_policy(call) if is_by_controller else _policy(call, is_helm4=recording.applier == "helm4")
    known = {ref.identity: Absent() if live is None else Present(live) for ref, live in call.before.items()}
    cluster = ClusterModel(known, schema=recording.schema)
    documents = [
        Document("", number, item, ref_of(item), InCluster())
        for number, item in enumerate(_applied_objects(call))
        if not is_hook(item)
    ]
    policy = with_existing_objects(policy, documents, cluster)
    predict = predicting(policy, recording.schema, disabled_admission=DISABLED_ADMISSION)
    whole = apply_set(documents, cluster, schema=recording.schema, predict=predict, policy=policy)
    # Of an object that the chart names twice, the first write counts, unless the second is rejected.
    outcomes = {outcome.ref: outcome for outcome in reversed(whole.outcomes)}
    outcomes |= {outcome.ref: outcome for outcome in whole.outcomes if outcome.refused}
    return Prediction(message(policy, whole.blocked, whole.outcomes), outcomes, frozenset(whole.pruned))


def is_hook(manifest: JsonObject) -> bool:
    """Return whether a rendered object is a hook, which Helm deletes and creates beside the release."""
    return "helm.sh/hook" in annotations_of(manifest)


def _policy(call: HelmCall, *, is_helm4: bool) -> HelmUpgrade:
    release = Release(RELEASE, call.namespace)
    match call.action:
        case HelmAction.INSTALL:
            return install(release, call.options, is_helm4=is_helm4)
        case _:
            return upgrade(release, call.history, call.options, is_helm4=is_helm4)


def _settings(call: HelmCall) -> HelmReleaseSettings:
    item = helm_release(call.namespace, call.flags)
    return release_settings(ref_of(item), item)


def _applied_objects(call: HelmCall) -> tuple[JsonObject, ...]:
    """Return the objects that are applied: definitions first, and in an uninstall none."""
    if call.action is HelmAction.UNINSTALL:
        return ()
    settings = _settings(call)
    action = settings.install if call.action is HelmAction.INSTALL else settings.upgrade
    is_applied = call.action is not HelmAction.DRIFT and action.definitions is not DefinitionsPolicy.SKIP
    return (*(map(settings.with_labels, call.definitions) if is_applied else ()), *call.chart)


def _controller_policy(call: HelmCall) -> HelmUpgrade:
    settings = _settings(call)
    match call.action:
        case HelmAction.DRIFT:
            return drift_call(settings, call.history)
        case HelmAction.UNINSTALL:
            return uninstall_call(settings, call.history)
        case _:
            return call_of(settings, call.history, [ref_of(item).identity for item in call.definitions])


def score_recording(recording: Recording) -> Iterator[ScoredCall]:
    """Yield each call of a recording with its figures."""
    return set_calls.score_calls(recording.calls, lambda call: predict_call(call, recording))
