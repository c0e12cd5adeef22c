"""Syncs by Argo CD as they were recorded, and what is predicted of them.

A recording is one of Helm's with the set in place of the chart, and with what is said of each object.
"""

import gzip
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from kubectl_applylint.core.documents import Document, InCluster
from kubectl_applylint.core.state import Absent, ObjectRef, Present, ref_of
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.engine.cluster_model import ClusterModel
from kubectl_applylint.engine.set_apply import apply_set
from kubectl_applylint.engine.set_refusals import is_lost
from kubectl_applylint.schema.load import load
from kubectl_applylint.schema.types import Schema
from kubectl_applylint.tools.argocd.application import ArgoApplication, ArgoSync
from kubectl_applylint.tools.argocd.ignores import rules_of
from kubectl_applylint.tools.argocd.program import predicting, sorted_documents
from tests.cluster.argocd_program import NAME
from tests.fidelity import set_calls
from tests.fidelity.argocd_message import message
from tests.fidelity.argocd_stories import sync_operation
from tests.fidelity.score import DISABLED_ADMISSION
from tests.fidelity.set_calls import Prediction, ScoredCall, ref_at

__all__ = ["NAME", "ArgoCall", "Recording", "predict_call", "read_recording", "score_recording"]

_SOURCE = re.compile(r'^(?:error when \w+ing "[^"]*": +|creating patch with:.*\nfor: )', re.DOTALL)
_DECODED = re.compile(r'^((?:error running kubectl auth reconcile: )?)unable to decode "[^"]*"')
_MAPPED = re.compile(r'^resource mapping not found for name: .* from "[^"]*": (.*)\n')
_PLACELESS = re.compile(r"(failed to get annotations for \S+ Kind=\w+ )/")
_UNNAMED = re.compile(r'^(?:The )?"" is invalid')


@dataclass(frozen=True, slots=True)
class ArgoCall:
    """One recorded sync; objects that are not there are ``None``."""

    id: str
    action: str
    flags: tuple[str, ...]
    namespace: str
    results: Sequence[JsonObject]
    objects: tuple[JsonObject, ...]
    before: Mapping[ObjectRef, JsonObject | None]
    exit: int
    stderr: str
    after: Mapping[ObjectRef, JsonObject | None]

    @property
    def policy(self) -> ArgoSync:
        """The sync as it is predicted."""
        asked = sync_operation(self.namespace, self.flags)
        options, is_forced = frozenset(asked.options), "Force=true" in asked.options
        ignored = rules_of(list(asked.ignored))
        application = ArgoApplication(asked.name, self.namespace, options, is_forced=is_forced, ignored=ignored)
        return ArgoSync(application, prunes=asked.prunes)

    @property
    def unjudged(self) -> frozenset[ObjectRef]:
        """No objects."""
        return frozenset()

    @property
    def failed(self) -> Sequence[JsonObject]:
        """The messages about the objects that failed."""
        return [each for each in self.results if each["status"] == "SyncFailed"]

    @property
    def message(self) -> str:
        """The messages of Argo CD about the objects that failed, a line each, or about the whole sync if none did."""
        bare = (_SOURCE.sub("", each["message"]) for each in self.failed)
        texts = (_MAPPED.sub(r"\1: ", _DECODED.sub(r"\1unable to decode the manifest", text)) for text in bare)
        whole = _PLACELESS.sub(rf"\1{self.namespace}/", self.stderr)
        return "\n".join(_UNNAMED.sub('The "" is invalid', text) for text in texts) or whole

    def names(self, ref: ObjectRef) -> bool:
        """Return whether Argo CD says that an object failed; cluster-scoped ones have the namespace of the others."""
        places = {f"{ref.group}/{ref.kind}/{place}/{ref.name}" for place in (ref.namespace or self.namespace, "")}
        return any(each["subject"] in places for each in self.failed)


@dataclass(frozen=True, slots=True)
class Recording:
    """The recorded syncs, and what the server served."""

    schema: Schema
    calls: tuple[ArgoCall, ...]


def read_recording(file: Path) -> Recording:
    """Return a recording."""
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        head = json.loads(next(lines))
        return Recording(load(head["server"], crds=head["crds"]), tuple(_call(json.loads(line)) for line in lines))


def _call(found: JsonObject) -> ArgoCall:
    return ArgoCall(
        found["id"],
        found["action"],
        tuple(found["flags"]),
        found["namespace"],
        found["results"],
        tuple(found["chart"]),
        {ref_at(key): value for key, value in found["before"].items()},
        found["exit"],
        found["stderr"],
        {ref_at(key): value for key, value in found["after"].items()},
    )


def predict_call(call: ArgoCall, recording: Recording) -> Prediction:
    """Return the prediction of a call from what was there before."""
    known = {ref.identity: Absent() if live is None else Present(live) for ref, live in call.before.items()}
    cluster = ClusterModel(known, schema=recording.schema)
    placed = [_with_namespace(item, call.namespace, recording.schema) for item in call.objects]
    every = [Document("", place, item, ref_of(item), InCluster()) for place, item in enumerate(placed)]
    whole = apply_set(
        sorted_documents(call.policy, every),
        cluster,
        schema=recording.schema,
        predict=predicting(call.policy, recording.schema, disabled_admission=DISABLED_ADMISSION),
        policy=call.policy,
        is_one_by_one=True,
        check=predicting(call.policy, recording.schema, only_checks=True, disabled_admission=DISABLED_ADMISSION),
    )
    outcomes = {outcome.ref: outcome for outcome in whole.outcomes}
    gone = (outcome.ref for outcome in whole.outcomes if is_lost(outcome))
    return Prediction(message(whole.outcomes, every), outcomes, frozenset((*whole.pruned, *gone)))


def _with_namespace(item: JsonObject, namespace: str, schema: Schema) -> JsonObject:
    """Return the manifest with the namespace of the destination, if it has none and its kind is namespaced."""
    ref, metadata = ref_of(item), item["metadata"]
    kind = schema.kind(ref.api_version, ref.kind)
    if ref.namespace or (kind is not None and not kind.namespaced):
        return item
    return {**item, "metadata": {**metadata, "namespace": namespace}}


def score_recording(recording: Recording) -> Iterator[ScoredCall]:
    """Yield each call of a recording with its figures."""
    return set_calls.score_calls(recording.calls, lambda call: predict_call(call, recording))
