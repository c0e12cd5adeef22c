"""Reconciliations by Flux as they were recorded, and what is predicted of them.

A recording is one of Helm's with the set in place of the chart, and the inventory in place of the history.
"""

import gzip
import json
from collections.abc import Iterator, Mapping
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
from kubectl_applylint.tools.flux.kustomization import FluxKustomization, Reconciliation
from kubectl_applylint.tools.flux.program import predicting, sorted_documents
from tests.cluster.flux_program import NAME
from tests.fidelity import set_calls
from tests.fidelity.charts import RELEASE
from tests.fidelity.flux_message import message
from tests.fidelity.flux_stories import COMMON, OTHER
from tests.fidelity.score import DISABLED_ADMISSION
from tests.fidelity.set_calls import Prediction, ScoredCall, ref_at

__all__ = ["NAME", "FluxCall", "Recording", "predict_call", "read_recording", "score_recording"]


@dataclass(frozen=True, slots=True)
class FluxCall:
    """One recorded reconciliation; objects that are not there are ``None``."""

    id: str
    action: str
    flags: tuple[str, ...]
    namespace: str
    inventory: tuple[ObjectRef, ...]
    objects: tuple[JsonObject, ...]
    before: Mapping[ObjectRef, JsonObject | None]
    exit: int
    stderr: str
    after: Mapping[ObjectRef, JsonObject | None]

    @property
    def policy(self) -> Reconciliation:
        """The reconciliation as it is predicted."""
        name = OTHER.partition("=")[2] if OTHER in self.flags else RELEASE
        common = next((COMMON[flag] for flag in self.flags if flag in COMMON), {})
        source = FluxKustomization(
            name,
            self.namespace,
            is_forced="force" in self.flags,
            prunes="prune" in self.flags,
            common_labels=tuple(common.get("labels", {}).items()),
            common_annotations=tuple(common.get("annotations", {}).items()),
        )
        return Reconciliation(source, self.inventory)

    @property
    def unjudged(self) -> frozenset[ObjectRef]:
        """No objects."""
        return frozenset()

    @property
    def message(self) -> str:
        """The message of Flux about its failure."""
        return self.stderr

    def names(self, ref: ObjectRef) -> bool:
        """Return whether Flux names an object in the message of its failure."""
        return self.stderr.startswith((f"{ref.kind}/{ref.namespace}/{ref.name} ", f"{ref.kind}/{ref.name} "))


@dataclass(frozen=True, slots=True)
class Recording:
    """The recorded reconciliations, and what the server served."""

    schema: Schema
    calls: tuple[FluxCall, ...]


def read_recording(file: Path) -> Recording:
    """Return a recording."""
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        head = json.loads(next(lines))
        return Recording(load(head["server"], crds=head["crds"]), tuple(_call(json.loads(line)) for line in lines))


def _call(found: JsonObject) -> FluxCall:
    return FluxCall(
        found["id"],
        found["action"],
        tuple(found["flags"]),
        found["namespace"],
        tuple(_inventory_ref(entry) for entry in found["inventory"]),
        tuple(found["chart"]),
        {ref_at(key): value for key, value in found["before"].items()},
        found["exit"],
        found["stderr"],
        {ref_at(key): value for key, value in found["after"].items()},
    )


def _inventory_ref(entry: JsonObject) -> ObjectRef:
    namespace, name, group, kind = entry["id"].split("_")
    return ObjectRef("/".join(filter(None, (group, entry["v"]))), kind, namespace, name.replace("__", ":"))


def predict_call(call: FluxCall, recording: Recording) -> Prediction:
    """Return the prediction of a call from what was there before."""
    known = {ref.identity: Absent() if live is None else Present(live) for ref, live in call.before.items()}
    cluster = ClusterModel(known, schema=recording.schema)
    every = (Document("", place, item, ref_of(item), InCluster()) for place, item in enumerate(call.objects))
    whole = apply_set(
        sorted_documents(every),
        cluster,
        schema=recording.schema,
        predict=predicting(call.policy, recording.schema, disabled_admission=DISABLED_ADMISSION),
        policy=call.policy,
        is_one_by_one=True,
        check=predicting(call.policy, recording.schema, only_checks=True, disabled_admission=DISABLED_ADMISSION),
    )
    outcomes = {outcome.ref: outcome for outcome in whole.outcomes}
    gone = (outcome.ref for outcome in whole.outcomes if is_lost(outcome))
    return Prediction(message(whole.outcomes), outcomes, frozenset((*whole.pruned, *gone)))


def score_recording(recording: Recording) -> Iterator[ScoredCall]:
    """Yield each call of a recording with its figures."""
    return set_calls.score_calls(recording.calls, lambda call: predict_call(call, recording))
