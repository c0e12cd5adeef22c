"""Draws what happens to an Argo CD Application, and lets it happen: sets, others' edits, syncs.

A seed stands for the same draws on every machine. Kept of a sync is what is kept of a call of Helm, with what the
controller says of each object in place of a release's history.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Final

from kubectl_applylint.core.state import ref_of
from kubectl_applylint.core.values import Json, JsonObject, mapping
from tests.cluster.argocd_program import NAME, PRUNE, Operation, operation_of, sync
from tests.fidelity.argocd_ignores import ignore_flags
from tests.fidelity.charts import RELEASE, Call, CasePlan, Flags, Stock, existing, first_chart, next_version
from tests.fidelity.studio import Recorder, Studio, refs, stored_objects

GROUP: Final = "argocd.argoproj.io"
OTHER: Final = "name=other"
"""The flag of a sync of another Application."""
FLAGS: Mapping[Flags, int] = {
    (PRUNE,): 34,
    (): 8,
    (PRUNE, "ServerSideApply=true"): 18,
    (PRUNE, "ServerSideApply=true", "ClientSideApplyMigration=false"): 4,
    (PRUNE, "Replace=true"): 5,
    (PRUNE, "Replace=true", "Force=true"): 3,
    (PRUNE, "Force=true"): 3,
    (PRUNE, "PruneLast=true"): 4,
    (PRUNE, "ApplyOutOfSyncOnly=true"): 7,
    (PRUNE, "SkipDryRunOnMissingResource=true"): 3,
    (PRUNE, "CreateNamespace=true"): 3,
    (PRUNE, "PrunePropagationPolicy=background"): 3,
    (PRUNE, OTHER): 5,
}
"""How often each way to sync is drawn: what the operation says, and the sync options of the Application."""
IGNORING: Final = 0.25
"""How many Applications ignore something."""
BEFORE: Mapping[Flags, int] = {("--server-side",): 25, (): 75}
"""Ways in which kubectl applies objects that move to Argo CD afterwards."""
OPTIONS: Mapping[str, int] = {
    "ServerSideApply=true": 6,
    "ServerSideApply=false": 3,
    "Replace=true": 4,
    "Force=true,Replace=true": 2,
    "Force=true": 4,
    "Prune=false": 5,
    "Prune=confirm": 1,
    "PruneLast=true": 3,
    "Delete=false": 1,
    "Validate=false": 1,
    "SkipDryRunOnMissingResource=true, Prune=false": 1,
}
"""How often each sync option is drawn for an object that has one."""
WAVES: Mapping[str, int] = {"-1": 3, "1": 4, "2": 3, "5": 1, "x": 1}
"""How often each wave is drawn for an object that says one."""


def plan_case(stock: Stock, _: str, seed: str, number: int) -> CasePlan:
    """Return what the case ``number`` of a seed is about."""
    rng, case = Random(f"applications:{seed}:{number}"), f"{seed}-{number}"
    waves = 0.35 if rng.random() < 0.3 else 0.0
    first = _set(rng, first_chart(stock, rng, case), waves)
    sets = [first, _set(rng, next_version(stock, rng, case, first), waves)]
    if rng.random() < 0.5:
        sets.append(_set(rng, next_version(stock, rng, case, rng.choice(sets)), waves))
    flags = _drawn(rng, FLAGS)
    calls = [Call(NAME, "sync", flags if rng.random() < 0.5 else _drawn(rng, FLAGS), objects) for objects in sets]
    own = Random(f"ignored:{seed}:{number}")
    if own.random() < IGNORING:
        more = ignore_flags(own, [item for objects in sets for item in objects])
        calls = [replace(call, flags=(*call.flags, *more)) for call in calls]
    if rng.random() < 0.25:
        calls[0] = Call("kubectl", "apply", _drawn(rng, BEFORE), first)
    return CasePlan(case, tuple(calls), tuple(existing(rng, calls)))


def _drawn(rng: Random, weights: Mapping[Flags, int]) -> Flags:
    return rng.choices(tuple(weights), tuple(weights.values()))[0]


def _set(rng: Random, objects: Sequence[JsonObject], waves: float) -> tuple[JsonObject, ...]:
    """Return a set as it is rendered: without hooks, with sync options and waves here and there."""
    plain = (item for item in objects if "helm.sh/hook" not in mapping(mapping(item["metadata"]).get("annotations")))
    return tuple(_with_options(rng, item, waves) for item in plain)


def _with_options(rng: Random, item: JsonObject, waves: float) -> JsonObject:
    own: dict[str, Json] = {}
    if rng.random() < 0.1:
        own[f"{GROUP}/sync-options"] = rng.choices(tuple(OPTIONS), tuple(OPTIONS.values()))[0]
    if rng.random() < waves:
        own[f"{GROUP}/sync-wave"] = rng.choices(tuple(WAVES), tuple(WAVES.values()))[0]
    metadata = item["metadata"]
    annotations = {"annotations": {**mapping(metadata.get("annotations")), **own}} if own else {}
    return {**item, "metadata": {**metadata, **annotations}}


def _record_call(studio: Studio, plan: CasePlan, call: Call, _: Sequence[JsonObject]) -> JsonObject:
    """Sync, or apply with kubectl, and return all that is kept of it.

    ``chart`` is ``None`` where the library waits for something that does not happen: there is no end to predict.
    """
    before = stored_objects(studio, plan)
    result = _sync(studio, plan, call) if call.program == NAME else _apply(studio, plan, call)
    failed = result["phase"] != "Succeeded"
    return {
        "action": call.action,
        "flags": list(call.flags),
        "namespace": plan.namespace,
        "chart": None if result["phase"] == "TimedOut" else list(call.chart),
        "before": before,
        "exit": 1 if failed else 0,
        "stderr": result["message"] if failed else "",
        "phase": result["phase"],
        "results": result["results"],
        "after": stored_objects(studio, plan),
    }


def _sync(studio: Studio, plan: CasePlan, call: Call) -> JsonObject:
    operation = sync_operation(plan.namespace, call.flags)
    return sync(studio.programs[NAME], studio.cluster.kubeconfig, operation, call.chart, refs(studio, plan))


def sync_operation(namespace: str, flags: Sequence[str]) -> Operation:
    """Return the sync that flags of a story ask for."""
    name = "other" if OTHER in flags else RELEASE
    return operation_of(name, namespace, (flag for flag in flags if flag != OTHER))


def _apply(studio: Studio, plan: CasePlan, call: Call) -> JsonObject:
    """Apply with kubectl; objects that it rejects are left to Argo CD."""
    for item in call.chart:
        studio.cluster.run("apply", *call.flags, "-n", plan.namespace, "-f", "-", stdin=json.dumps(item))
    return {"phase": "Succeeded", "message": "", "results": []}


def _marks(plan: CasePlan, item: JsonObject) -> JsonObject:
    ref, metadata = ref_of(item), item["metadata"]
    place = f"{ref.namespace or plan.namespace}/{ref.name}"
    own = {f"{GROUP}/tracking-id": f"{RELEASE}:{ref.group}/{ref.kind}:{place}"}
    return {"annotations": {**mapping(metadata.get("annotations")), **own}}


RECORDER: Final = Recorder(plan_case, _record_call, _marks)
