"""Deploys by kapp as they were recorded, and what is predicted of them.

A recording is one of Helm's with the set in place of the chart, and the app's label in place of the history.
"""

import gzip
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from kubectl_applylint.appliers.addressing import within_scope
from kubectl_applylint.core.documents import Document, InCluster
from kubectl_applylint.core.state import Absent, ObjectRef, Present, ref_of
from kubectl_applylint.core.values import JsonObject, mapping
from kubectl_applylint.engine.cluster_model import ClusterModel
from kubectl_applylint.engine.set_apply import apply_set
from kubectl_applylint.engine.set_refusals import is_lost
from kubectl_applylint.schema.load import load
from kubectl_applylint.schema.types import Schema
from kubectl_applylint.tools.kapp.app import KappApp
from kubectl_applylint.tools.kapp.deploy import KappDeploy, KappFlags
from kubectl_applylint.tools.kapp.program import predicting, start_deploy
from kubectl_applylint.tools.kapp.rules import description
from tests.cluster.kapp_program import NAME
from tests.fidelity import set_calls
from tests.fidelity.charts import RELEASE
from tests.fidelity.kapp_message import message
from tests.fidelity.kapp_stories import EMPTY, OTHER
from tests.fidelity.score import DISABLED_ADMISSION
from tests.fidelity.set_calls import Prediction, ScoredCall, ref_at

__all__ = ["NAME", "KappCall", "KappRecording", "predict_call", "read_recording", "score_recording"]
_EARLY = "--exit-early-on-apply-error=false"
_STRATEGY = "--apply-default-update-strategy="


@dataclass(frozen=True, slots=True)
class KappCall:
    """One recorded deploy; objects that are not there are ``None``."""

    id: str
    action: str
    flags: tuple[str, ...]
    namespace: str
    label: str
    kinds: frozenset[tuple[str, str]] | None
    objects: tuple[JsonObject, ...]
    before: Mapping[ObjectRef, JsonObject | None]
    exit: int
    stderr: str
    after: Mapping[ObjectRef, JsonObject | None]
    beside: set[ObjectRef] = field(default_factory=set, compare=False, repr=False)
    """Objects that are written in the same round as one that failed: filled when the call is predicted."""

    @property
    def policy(self) -> KappDeploy:
        """The deploy as it is predicted."""
        app = KappApp("other" if OTHER in self.flags else RELEASE, self.namespace, self.label, self.kinds)
        strategies = [flag.removeprefix(_STRATEGY) for flag in self.flags if flag.startswith(_STRATEGY)]
        flags = KappFlags(
            is_patch="--patch" in self.flags,
            allows_empty=EMPTY in self.flags,
            overrides_ownership="--dangerous-override-ownership-of-existing-resources" in self.flags,
            scopes_labels="--default-label-scoping-rules=false" not in self.flags,
            by_memory="--diff-against-last-applied=false" not in self.flags,
            exits_early=_EARLY not in self.flags,
            strategy=next(iter(strategies), ""),
        )
        return KappDeploy(app, flags)

    @property
    def unjudged(self) -> frozenset[ObjectRef]:
        """The objects that kapp writes or not by chance."""
        return frozenset(self.beside)

    @property
    def message(self) -> str:
        """The message of kapp about its failure, with one line for each error."""
        text = self.stderr.removeprefix("kapp: Error:").replace("after 3s:", "after 15m0s:")
        head, *causes = re.split(r"\s*\n {2,}- ", text)
        if causes and head.endswith("is invalid:"):
            last, reason, end = causes[-1].rpartition("(reason:")
            text = f"{head} [{', '.join((*causes[:-1], last.strip()))}] {reason}{end}"
        return re.sub(r"[ \t]*\n(?!- )[ \t]*|[ \t]+", " ", text).strip()

    def names(self, ref: ObjectRef) -> bool:
        """Return whether kapp names an object in the message of its failure."""
        metadata = {"name": ref.name, "namespace": ref.namespace}
        return description({"apiVersion": ref.api_version, "kind": ref.kind, "metadata": metadata}) in self.message


@dataclass(frozen=True, slots=True)
class KappRecording:
    """The recorded deploys, and what the server served."""

    schema: Schema
    calls: tuple[KappCall, ...]


def read_recording(file: Path) -> KappRecording:
    """Return a recording."""
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        head = json.loads(next(lines))
        schema = load(head["server"], crds=head["crds"])
        return KappRecording(schema, tuple(_call(json.loads(line), schema) for line in lines))


def _call(found: JsonObject, schema: Schema) -> KappCall:
    return KappCall(
        found["id"],
        found["action"],
        tuple(found["flags"]),
        found["namespace"],
        found["app"] or "0",
        None if found["kinds"] is None else frozenset((each["Group"], each["Kind"]) for each in found["kinds"]),
        tuple(_in_namespace(item, found["namespace"], schema) for item in found["chart"]),
        {ref_at(key): value for key, value in found["before"].items()},
        found["exit"],
        found["stderr"],
        {ref_at(key): _told_apart(value, found["before"][key]) for key, value in found["after"].items()},
    )


def _told_apart(after: JsonObject | None, before: JsonObject | None) -> JsonObject | None:
    """Return an object that was written twice in a second, and only has another version then, as one that changed."""
    if after is None or before is None or after["metadata"]["resourceVersion"] == before["metadata"]["resourceVersion"]:
        return after
    entries = [{**entry, "time": "later"} for entry in after["metadata"].get("managedFields") or []]
    return {**after, "metadata": {**after["metadata"], "managedFields": entries}}


def _in_namespace(item: JsonObject, namespace: str, schema: Schema) -> JsonObject:
    metadata = mapping(item.get("metadata"))
    placed = {**item, "metadata": {**metadata, "namespace": metadata.get("namespace") or namespace}}
    ref = ref_of(item)
    return within_scope(placed, schema.kind(ref.api_version, ref.kind))


def predict_call(call: KappCall, recording: KappRecording) -> Prediction:
    """Return the prediction of a call from what was there before."""
    known = {ref.identity: Absent() if live is None else Present(live) for ref, live in call.before.items()}
    cluster = ClusterModel(known, schema=recording.schema)
    every = [Document("", place, item, ref_of(item), InCluster()) for place, item in enumerate(call.objects)]
    policy, documents = start_deploy(call.policy, every, cluster)
    predict = predicting(policy, recording.schema, disabled_admission=DISABLED_ADMISSION)
    whole = apply_set(documents, cluster, schema=recording.schema, predict=predict, policy=policy, is_one_by_one=True)
    outcomes = {outcome.ref: outcome for outcome in whole.outcomes}
    waves = {name: step.wave for name, step in policy.steps.items()} if policy.flags.exits_early else {}
    failing = {
        waves.get(ref.identity)
        for ref, each in outcomes.items()
        if each.refused and (call.names(ref) or each.error == call.message)
    }
    call.beside.update(ref for ref in call.after if waves.get(ref.identity, -1) in failing and not call.names(ref))
    gone = {outcome.ref for outcome in whole.outcomes if is_lost(outcome)}
    # Of several objects that fail in one round, kapp names the one whose answer comes first.
    named = [each for each in whole.outcomes if policy.flags.exits_early and call.names(each.ref)]
    text = message(policy, whole.blocked, named) or message(policy, whole.blocked, whole.outcomes)
    return Prediction(text, outcomes, (frozenset(whole.pruned) | gone) - call.beside)


def score_recording(recording: KappRecording) -> Iterator[ScoredCall]:
    """Yield each call of a recording with its figures."""
    return set_calls.score_calls(recording.calls, lambda call: predict_call(call, recording))
