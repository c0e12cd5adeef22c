"""Draws what happens to a Flux Kustomization, and lets it happen: sets, others' edits, reconciliations.

A seed stands for the same draws on every machine. Kept of a reconciliation is what is kept of a call of Helm, with the
inventory in place of a release's history.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Final

from kubectl_applylint.core.state import ref_of
from kubectl_applylint.core.values import Json, JsonObject, mapping
from tests.cluster.flux_program import NAME, Kustomization, reconcile
from tests.fidelity.charts import RELEASE, Call, CasePlan, Flags, Stock, existing, first_chart, next_version
from tests.fidelity.studio import Recorder, Studio, stored_objects

GROUP: Final = "kustomize.toolkit.fluxcd.io"
OTHER: Final = "name=other"
"""The flag of a reconciliation by another Kustomization, which has no inventory yet."""
FLAGS: Mapping[Flags, int] = {
    ("prune",): 62,
    ("prune", "force"): 20,
    ("force",): 4,
    (): 8,
    ("prune", OTHER): 6,
}
"""How often each way to reconcile is drawn."""
COMMON: Mapping[str, JsonObject] = {
    "common=labels": {"labels": {"app": "common", "team": "a"}},
    "common=annotations": {"annotations": {"note": "common", f"{GROUP}/prune": "disabled"}},
    "common=both": {"labels": {"team": "b"}, "annotations": {"note": "both", f"{GROUP}/ssa": "Merge"}},
}
"""The flags of a reconciliation with ``spec.commonMetadata``, and what that says; in one of three cases."""
BEFORE: Mapping[Flags, int] = {("--server-side",): 25, (): 75}
"""Ways in which kubectl applies objects that move to Flux afterwards."""
ANNOTATIONS: Mapping[tuple[str, str], int] = {
    ("ssa", "Merge"): 4,
    ("ssa", "merge"): 1,
    ("ssa", "IfNotPresent"): 4,
    ("ssa", "Ignore"): 3,
    ("reconcile", "disabled"): 3,
    ("prune", "disabled"): 5,
    ("force", "enabled"): 5,
}
"""How often each mark of Flux is drawn for an object that has one."""


def plan_case(stock: Stock, _: str, seed: str, number: int) -> CasePlan:
    """Return what the case ``number`` of a seed is about."""
    rng, case = Random(f"kustomizations:{seed}:{number}"), f"{seed}-{number}"
    first = _set(stock, rng, first_chart(stock, rng, case), case)
    sets = [first, _set(stock, rng, next_version(stock, rng, case, first), case)]
    if rng.random() < 0.5:
        sets.append(_set(stock, rng, next_version(stock, rng, case, rng.choice(sets)), case))
    calls = [Call(NAME, "reconcile", _drawn(rng, FLAGS), objects) for objects in sets]
    if rng.random() < 0.25:
        calls[0] = Call("kubectl", "apply", _drawn(rng, BEFORE), first)
    around = tuple(existing(rng, calls))
    return CasePlan(case, tuple(_common(Random(f"common:{seed}:{number}"), calls)), around)


def _common(rng: Random, calls: Iterable[Call]) -> Iterator[Call]:
    """Yield the calls; reconciliations of some cases have common metadata, not always the same."""
    has_any = rng.random() < 0.33
    for call in calls:
        flag = rng.choice((*COMMON, ""))
        is_own = has_any and call.program == NAME and flag
        yield replace(call, flags=(*call.flags, flag)) if is_own else call


def _drawn(rng: Random, weights: Mapping[Flags, int]) -> Flags:
    return rng.choices(tuple(weights), tuple(weights.values()))[0]


def _set(stock: Stock, rng: Random, objects: Sequence[JsonObject], case: str) -> tuple[JsonObject, ...]:
    """Return a set as kustomize would build it: no object twice, and most with their namespaces."""
    homeless = rng.randrange(60)
    placed = (item if place == homeless else _with_namespace(stock, item, case) for place, item in enumerate(objects))
    unique = {ref_of(item).identity: item for item in placed}.values()
    return tuple(_with_mark(rng, item) for item in unique)


def _with_namespace(stock: Stock, item: JsonObject, case: str) -> JsonObject:
    metadata, kind = mapping(item["metadata"]), stock.resources.get((item["apiVersion"], item["kind"]))
    if metadata.get("namespace") or (kind is not None and not kind.namespaced):
        return item
    return {**item, "metadata": {**metadata, "namespace": f"rel-{case}"}}


def _with_mark(rng: Random, item: JsonObject) -> JsonObject:
    """Return the object, one in ten with a mark of Flux as a label or an annotation."""
    if rng.random() >= 0.1:
        return item
    name, value = rng.choices(tuple(ANNOTATIONS), tuple(ANNOTATIONS.values()))[0]
    where, metadata = rng.choice(("labels", "annotations", "annotations")), item["metadata"]
    return {**item, "metadata": {**metadata, where: {**mapping(metadata.get(where)), f"{GROUP}/{name}": value}}}


def _record_call(studio: Studio, plan: CasePlan, call: Call, earlier: Sequence[JsonObject]) -> JsonObject:
    """Reconcile, or apply with kubectl, and return all that is kept of it."""
    inventory = _inventory(call, earlier)
    before = stored_objects(studio, plan)
    result = _reconcile(studio, plan, call, inventory) if call.program == NAME else _apply(studio, plan, call)
    return {
        "action": call.action,
        "flags": list(call.flags),
        "namespace": plan.namespace,
        "inventory": list(inventory),
        "chart": list(call.chart),
        "before": before,
        "exit": 1 if result["error"] else 0,
        "stderr": result["error"],
        "applied": result.get("applied"),
        "pruned": result.get("pruned"),
        "left": result.get("inventory") or [],
        "after": stored_objects(studio, plan),
    }


def _inventory(call: Call, earlier: Sequence[JsonObject]) -> Sequence[Json]:
    """Return the inventory of the Kustomization that is reconciled."""
    own = [story["left"] for story in earlier if (OTHER in story["flags"]) == (OTHER in call.flags)]
    return own[-1] if own else []


def _reconcile(studio: Studio, plan: CasePlan, call: Call, inventory: Sequence[Json]) -> JsonObject:
    source = Kustomization(
        "other" if OTHER in call.flags else RELEASE,
        plan.namespace,
        force="force" in call.flags,
        prune="prune" in call.flags,
        inventory=inventory,
        common=next((COMMON[flag] for flag in call.flags if flag in COMMON), None),
    )
    return reconcile(studio.programs[NAME], studio.cluster.kubeconfig, source, call.chart)


def _apply(studio: Studio, plan: CasePlan, call: Call) -> JsonObject:
    """Apply with kubectl; objects that it rejects are left to Flux."""
    for item in call.chart:
        studio.cluster.run("apply", *call.flags, "-n", plan.namespace, "-f", "-", stdin=json.dumps(item))
    return {"error": ""}


def _marks(plan: CasePlan, item: JsonObject) -> JsonObject:
    labels = {f"{GROUP}/name": "former", f"{GROUP}/namespace": plan.namespace}
    return {"labels": {**mapping(item["metadata"].get("labels")), **labels}}


RECORDER: Final = Recorder(plan_case, _record_call, _marks)
