"""Calls of the real Helm as they were recorded, what is predicted of them, and how that is judged.

A recording is a gzip of JSON lines: a head with versions and custom resource definitions, then one line a call: the
release's history, the rendered chart, flags, what Helm said, and every object concerned before and after.

``run``: succeeds or fails. ``message``: what Helm says of a failure. For each object ``verdict``: created, changed,
same, deleted or refused; ``result`` and ``owners`` as for kubectl. ``pruned``: the set of what is deleted.
"""

import gzip
import json
import re
import traceback
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from kubectl_applylint.appliers.addressing import within_scope
from kubectl_applylint.appliers.attempt import is_being_deleted
from kubectl_applylint.appliers.helm.release import Release, ReleaseRevision
from kubectl_applylint.appliers.helm.upgrade import (
    HelmAction,
    HelmFlags,
    HelmUpgrade,
    ServerSide,
    install,
    rollback,
    upgrade,
)
from kubectl_applylint.core.documents import Document, InCluster
from kubectl_applylint.core.outcome import Outcome, Verdict, plain
from kubectl_applylint.core.state import Absent, ObjectRef, Present, annotations_of, ref_of
from kubectl_applylint.core.values import Json, JsonObject, mapping
from kubectl_applylint.engine.cluster_model import ClusterModel
from kubectl_applylint.engine.helm_upgrade import begun, message, predicting
from kubectl_applylint.engine.set_apply import apply_set
from kubectl_applylint.schema.load import load
from kubectl_applylint.schema.types import Schema
from tests.fidelity.charts import RELEASE
from tests.fidelity.judge import Judgement, authored, differences, owners
from tests.fidelity.score import DISABLED_ADMISSION

METRICS = ("run", "message", "verdict", "result", "owners", "pruned")
_WORDS = {
    Verdict.CREATED: "created",
    Verdict.CONFIGURED: "changed",
    Verdict.UNCHANGED: "same",
    Verdict.REJECTED: "refused",
    Verdict.CONFLICT: "refused",
}
_HEAD = re.compile(r"^Error: (?:UPGRADE FAILED: |INSTALLATION FAILED: )?", re.MULTILINE)
_SHOWN = 4


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

    @property
    def options(self) -> HelmFlags:
        """The flags as they are understood."""
        sides = [flag.partition("=")[2] for flag in self.flags if flag.startswith("--server-side=")]
        return HelmFlags(
            ServerSide(sides[0]) if sides else ServerSide.AUTO,
            force_conflicts="--force-conflicts" in self.flags,
            force_replace=bool({"--force", "--force-replace"} & set(self.flags)),
            take_ownership="--take-ownership" in self.flags,
            cleanup_on_fail="--cleanup-on-fail" in self.flags,
        )

    @property
    def message(self) -> str:
        """What Helm said of its failure."""
        return _HEAD.split(self.stderr)[-1].strip() if self.exit else ""


@dataclass(frozen=True, slots=True)
class Recording:
    """The calls of one applier, and what the server served."""

    applier: str
    schema: Schema
    calls: tuple[HelmCall, ...]


def opened(file: Path) -> Recording:
    """Return a recording."""
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        head = json.loads(next(lines))
        schema = load(head["server"], crds=head["crds"])
        return Recording(head["applier"], schema, tuple(_call(json.loads(line), schema) for line in lines))


def _call(found: JsonObject, schema: Schema) -> HelmCall:
    def filled(manifests: Sequence[JsonObject]) -> tuple[JsonObject, ...]:
        return tuple(_in_namespace(item, found["namespace"], schema) for item in manifests)

    history = (
        ReleaseRevision(each["version"], each["status"], filled(each["manifest"]), each["applyMethod"])
        for each in found["history"]
    )
    return HelmCall(
        found["id"],
        HelmAction(found["action"]),
        tuple(found["flags"]),
        found["namespace"],
        tuple(history),
        filled(found["chart"]),
        {_ref(key): value for key, value in found["before"].items()},
        found["exit"],
        found["stderr"],
        {_ref(key): value for key, value in found["after"].items()},
    )


def _ref(key: str) -> ObjectRef:
    version, kind, namespace, name = key.rsplit("/", 3)
    return ObjectRef(version, kind, namespace, name)


def _in_namespace(item: JsonObject, namespace: str, schema: Schema) -> JsonObject:
    metadata = mapping(item.get("metadata"))
    placed = {**item, "metadata": {**metadata, "namespace": metadata.get("namespace") or namespace}}
    ref = ref_of(item)
    return within_scope(placed, schema.kind(ref.api_version, ref.kind))


@dataclass(frozen=True, slots=True)
class Told:
    """What is predicted of a call."""

    message: str
    outcomes: Mapping[ObjectRef, Outcome]
    deleted: frozenset[ObjectRef]


def predicted(call: HelmCall, recording: Recording) -> Told:
    """Return the prediction of a call from what was there before."""
    policy, manifests = _policy(call, is_helm4=recording.applier == "helm4"), call.chart
    if call.action is HelmAction.ROLLBACK:
        manifests = _target(call).manifests
    known = {ref.identity: Absent() if live is None else Present(live) for ref, live in call.before.items()}
    cluster = ClusterModel(known, schema=recording.schema)
    documents = [
        Document("", number, item, ref_of(item), InCluster())
        for number, item in enumerate(manifests)
        if not is_hook(item)
    ]
    policy = begun(policy, documents, cluster)
    predict = predicting(policy, recording.schema, disabled_admission=DISABLED_ADMISSION)
    whole = apply_set(documents, cluster, schema=recording.schema, predict=predict, policy=policy)
    # Of an object that the chart names twice, the first write counts, unless the second is refused.
    outcomes = {outcome.ref: outcome for outcome in reversed(whole.outcomes)}
    outcomes |= {outcome.ref: outcome for outcome in whole.outcomes if outcome.refused}
    return Told(message(policy, whole.blocked, whole.outcomes), outcomes, frozenset(whole.pruned))


def is_hook(manifest: JsonObject) -> bool:
    """Tell whether a rendered object is a hook, which Helm deletes and creates beside the release."""
    return "helm.sh/hook" in annotations_of(manifest)


def _target(call: HelmCall) -> ReleaseRevision:
    return next(revision for revision in call.history if revision.version == int(call.flags[0]))


def _policy(call: HelmCall, *, is_helm4: bool) -> HelmUpgrade:
    release = Release(RELEASE, call.namespace)
    match call.action:
        case HelmAction.INSTALL:
            return install(release, call.options, is_helm4=is_helm4)
        case HelmAction.UPGRADE:
            return upgrade(release, call.history, call.options, is_helm4=is_helm4)
        case HelmAction.ROLLBACK:
            return rollback(release, call.history, _target(call), call.options, is_helm4=is_helm4)


def judge(call: HelmCall, told: Told) -> Mapping[str, Sequence[Judgement]]:
    """Return all figures of a call: ``verdict``, ``result`` and ``owners`` an object, the others once."""
    fails = [Judgement(bool(call.exit) == bool(told.message), [call.exit, call.message[:600], told.message[:600]])]
    both = bool(call.exit) and bool(told.message)
    hooks = {ref_of(item) for item in call.chart if is_hook(item)}
    objects = [_object(call, told, ref) for ref in call.after if ref not in hooks]
    return {
        "run": fails,
        "message": [_message(call, told)] if both else [],
        "pruned": _pruned(call, told),
        **{name: [each[name] for each in objects if name in each] for name in ("verdict", "result", "owners")},
    }


def _message(call: HelmCall, told: Told) -> Judgement:
    wanted, got = (_comparable(text) for text in (call.message, told.message))
    return Judgement(wanted == got, [wanted, got])


def _comparable(text: str) -> Sequence[str]:
    """Return the parts of a message without their order, the values and differences that Go prints, and JSON faults."""
    text = re.sub(r"\n(?! && )[ @+{}-].*|\n\](?=$| &&)|\n(?=, )", "", text, flags=re.MULTILINE)
    bare = re.sub(r"\d+ errors? occurred:|^\s*\* ", "", text, flags=re.MULTILINE)
    return sorted(map(_part, filter(None, re.split(r"\n* && |\n+", bare.strip()))))


def _part(text: str) -> str:
    plainer = re.sub(r"(Invalid|Unsupported) value: .*?: (?=[a-z`])", r"\1 value: ", text.strip())
    plainer = re.sub(r'\S* "[^"]*" is invalid: patch: .*', "the patch is invalid", plainer)
    head, bracket, causes = plainer.partition("is invalid: [")
    return f"{head}{bracket}{sorted(causes.removesuffix(']').split(', '))}" if bracket else plainer


def _pruned(call: HelmCall, told: Told) -> list[Judgement]:
    gone = sorted(str(ref) for ref in call.after if _word(call, ref) == "deleted")
    ours = sorted(str(ref) for ref in told.deleted if call.before.get(ref) is not None)
    return [Judgement(gone == ours, [gone, ours])] if gone or ours else []


def _object(call: HelmCall, told: Told, ref: ObjectRef) -> dict[str, Judgement]:
    """Return the figures of one object, none of one that neither side touches."""
    outcome, after = told.outcomes.get(ref), call.after[ref]
    word = _word(call, ref)
    if outcome is None:
        got = "deleted" if ref in told.deleted else "same"
        return {"verdict": Judgement(word == got, [str(ref), word, got])} if "deleted" in (word, got) else {}
    got = "same" if outcome.refused and call.exit and not _is_named(call, ref) else _WORDS[outcome.verdict]
    if ref in told.deleted and got != "refused":
        got = "same" if call.before[ref] is None else "deleted"
    figures = {"verdict": Judgement(word == got, [str(ref), word, got, outcome.error])}
    if after is None or is_being_deleted(after) or word != got or outcome.result is None:
        return figures
    stored = plain(outcome.result)
    found = differences(authored(after), authored(stored))
    wanted, ours = owners(after), owners(stored)
    surplus = [text for text in ours if text not in wanted]
    missing = [text for text in wanted if text not in ours]
    return {
        **figures,
        "result": Judgement(not found, [str(ref), *found[:_SHOWN]]),
        "owners": Judgement(wanted == ours, [str(ref), missing, surplus]),
    }


def _word(call: HelmCall, ref: ObjectRef) -> str:
    """Return what became of an object; one that Helm names in its message was refused, whatever became of owners."""
    before, after = call.before[ref], call.after[ref]
    is_gone = after is None or is_being_deleted(after)
    if is_gone and before is not None and not is_being_deleted(before):
        return "deleted"
    if call.exit and _is_named(call, ref):
        return "refused"
    if before is None:
        return "same" if is_gone else "created"
    return "same" if _unversioned(before) == _unversioned(after) else "changed"


def _is_named(call: HelmCall, ref: ObjectRef) -> bool:
    """Tell whether Helm names an object in the message of its failure."""
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
    return any(form in call.stderr for form in forms)


def _unversioned(stored: Json) -> JsonObject:
    """Return an object without its version: servers write some claims once more although nothing changes."""
    metadata = {
        key: value for key, value in mapping(mapping(stored).get("metadata")).items() if key != "resourceVersion"
    }
    return {**mapping(stored), "metadata": metadata}


@dataclass(frozen=True, slots=True)
class ScoredCall:
    """One call with its figures; ``crash`` is the trace where nothing was predicted."""

    call: HelmCall
    judgements: Mapping[str, Sequence[Judgement]]
    crash: str = ""


def scored(recording: Recording) -> Iterator[ScoredCall]:
    """Yield each call of a recording with its figures; a crash counts as a wrong run."""
    for call in recording.calls:
        try:
            yield ScoredCall(call, judge(call, predicted(call, recording)))
        except Exception:
            yield ScoredCall(call, {"run": [Judgement(False)]}, traceback.format_exc())
