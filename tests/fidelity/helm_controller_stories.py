"""Draws what happens to a HelmRelease, and lets it happen: charts, others' edits, what helm-controller does.

A seed stands for the same draws on every machine. It keeps what is kept of a call of Helm, with fields of the
HelmRelease in place of flags. A chart may have a definition, in ``crds``.
"""

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Final

import yaml

from kubectl_applylint.core.values import Json, JsonObject, mapping
from tests.cluster.helm_controller_program import NAME, act
from tests.fidelity.charts import (
    RELEASE,
    Call,
    CasePlan,
    Flags,
    Stock,
    existing,
    first_chart,
    next_version,
    write_chart,
)
from tests.fidelity.helm_stories import called_by_helm, history, marks, objects_of
from tests.fidelity.studio import Recorder, Studio, stored_objects

API_VERSION: Final = "helm.toolkit.fluxcd.io/v2"
DRIFT: Final = "drift"
_IGNORE: Final = "driftDetection.ignore"
_ENABLED: Final = "driftDetection.mode=enabled"
_UNWATCHED: Final = {"helm.toolkit.fluxcd.io/driftDetection": "disabled"}
"""The annotation of an object that is not compared with the cluster."""
INSTALL: Mapping[Flags, int] = {
    (): 66,
    ("install.serverSideApply=false",): 18,
    ("install.disableTakeOwnership=true",): 12,
    ("install.serverSideApply=false", "install.disableTakeOwnership=true"): 4,
}
UPGRADE: Mapping[Flags, int] = {
    (): 44,
    ("upgrade.serverSideApply=enabled",): 14,
    ("upgrade.serverSideApply=disabled",): 10,
    ("upgrade.force=true",): 8,
    ("upgrade.force=true", "upgrade.serverSideApply=disabled"): 8,
    ("upgrade.disableTakeOwnership=true",): 10,
    ("upgrade.cleanupOnFail=true",): 6,
}
DRIFTS: Mapping[Flags, int] = {
    (_ENABLED,): 44,
    ("driftDetection.mode=warn",): 8,
    (_ENABLED, f'{_IGNORE}=[{{"paths": ["/spec/replicas"]}}]'): 12,
    (_ENABLED, f'{_IGNORE}=[{{"paths": ["/spec/replicas", "/none"], "target": {{"kind": "Deployment"}}}}]'): 8,
    (_ENABLED, f'{_IGNORE}=[{{"paths": ["/spec/template/spec/containers/0/env"]}}]'): 8,
    (_ENABLED, f'{_IGNORE}=[{{"paths": ["/data"], "target": {{"kind": "Config.*", "name": ".*"}}}}]'): 8,
    (_ENABLED, f'{_IGNORE}=[{{"paths": [""], "target": {{"group": "apps", "version": "v1"}}}}]'): 6,
    (_ENABLED, f'{_IGNORE}=[{{"paths": ["/metadata/labels", "/spec"], "target": {{"labelSelector": "app"}}}}]'): 6,
}
"""How often each way is drawn, by action."""
CRDS: Mapping[str, int] = {"": 45, "Create": 5, "CreateReplace": 35, "Skip": 15}
"""How often each policy for definitions is drawn."""
INSTALLERS: Mapping[str, int] = {NAME: 80, "helm4": 10, "helm3": 10}
NEXT: Mapping[str, int] = {"upgrade": 62, DRIFT: 38}
LAST: Mapping[str, int] = {"": 30, "upgrade": 32, DRIFT: 24, "uninstall": 14}


def plan_case(stock: Stock, _: str, seed: str, number: int) -> CasePlan:
    """Return what the case ``number`` of a seed is about."""
    rng, case = Random(f"helm-releases:{seed}:{number}"), f"{seed}-{number}"
    installer = _drawn(rng, INSTALLERS)
    first = tuple(_with_mark(rng, item) for item in first_chart(stock, rng, case))
    calls = [Call(installer, "install", _drawn(rng, INSTALL) if installer == NAME else (), first)]
    calls.append(_next(rng, _drawn(rng, NEXT), stock, case, calls))
    if last := _drawn(rng, LAST):
        calls.append(_next(rng, last, stock, case, calls))
    around = tuple(existing(rng, calls))
    if rng.random() < 0.25:
        calls = list(_with_definitions(rng, case, calls))
    return CasePlan(case, tuple(calls), around)


def _next(rng: Random, action: str, stock: Stock, case: str, before: Sequence[Call]) -> Call:
    chart = before[-1].chart
    match action:
        case "upgrade":
            return Call(NAME, action, _drawn(rng, UPGRADE), next_version(stock, rng, case, chart))
        case "drift":
            return Call(NAME, action, _drawn(rng, DRIFTS), chart)
        case _:
            return Call(NAME, action, (), chart)


def _drawn(rng: Random, weights: Mapping[Json, int]) -> Json:
    return rng.choices(tuple(weights), tuple(weights.values()))[0]


def _with_mark(rng: Random, item: JsonObject) -> JsonObject:
    """Return the object, one in 25 with the annotation against drift detection."""
    if rng.random() >= 0.04:
        return item
    metadata = item["metadata"]
    annotations = {**mapping(metadata.get("annotations")), **_UNWATCHED}
    return {**item, "metadata": {**metadata, "annotations": annotations}}


def _with_definitions(rng: Random, case: str, calls: Sequence[Call]) -> Iterator[Call]:
    """Yield the calls with a definition in each chart, of another version or the same."""
    version = 1
    for call in calls:
        version += rng.randint(0, 1)
        policy = _drawn(rng, CRDS) if call.action in ("install", "upgrade") and call.program == NAME else ""
        flags = (*call.flags, *([f"{call.action}.crds={policy}"] if policy else []))
        yield replace(call, flags=flags, chart=(*call.chart, definition(case, version)))


def definition(case: str, version: int) -> JsonObject:
    """Return a definition of a kind of the case's own; each version has a field more than the one before."""
    fields = {f"field{number}": {"type": "string"} for number in range(version)}
    schema = {"type": "object", "properties": {"spec": {"type": "object", "properties": fields}}}
    names = {"plural": "gadgets", "singular": "gadget", "kind": "Gadget", "listKind": "GadgetList"}
    served = {"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}}
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": f"gadgets.{case}.example.dev", "labels": {"version": str(version)}},
        "spec": {"group": f"{case}.example.dev", "scope": "Namespaced", "names": names, "versions": [served]},
    }


def helm_release(namespace: str, flags: Sequence[str], name: str = RELEASE) -> JsonObject:
    """Return the HelmRelease with fields of ``flags``, each ``PATH=VALUE``; nothing is waited for."""
    spec: dict[str, Json] = {"interval": "1h", "timeout": "8s"}
    unwaited = ("install.disableWait=true", "upgrade.disableWait=true", "uninstall.disableWait=true")
    for flag in (*unwaited, *flags):
        path, _, value = flag.partition("=")
        *parents, last = path.split(".")
        within = spec
        for parent in parents:
            within = within.setdefault(parent, {})
        within[last] = yaml.safe_load(value)
    return {
        "apiVersion": API_VERSION,
        "kind": "HelmRelease",
        "metadata": {"name": name, "namespace": namespace},
        "spec": spec,
    }


def _record_call(studio: Studio, plan: CasePlan, call: Call, earlier: Sequence[JsonObject]) -> JsonObject:
    """Act as helm-controller, or call Helm, and return all that is kept of it.

    ``chart`` is ``None`` where nothing happens: Helm cannot render it, or the release has no deployed revision.
    """
    if call.program != NAME:
        found = called_by_helm(studio, plan, replace(call, chart=_templates(call)), earlier)
        return {**found, "definitions": [], "drift": None}
    revisions, before = history(studio, plan.namespace), stored_objects(studio, plan)
    with tempfile.TemporaryDirectory() as folder:
        chart = write_chart(Path(folder, RELEASE), call.chart)
        release = helm_release(plan.namespace, call.flags)
        done = act(studio.programs[NAME], studio.cluster.kubeconfig, call.action, release, chart)
    is_idle = call.action == DRIFT and (not revisions or mapping(revisions[-1])["status"] != "deployed")
    return {
        "action": call.action,
        "flags": list(call.flags),
        "namespace": plan.namespace,
        "history": revisions,
        "chart": objects_of(done["manifest"]) if done["rendered"] and not is_idle else None,
        "definitions": [item for item in call.chart if item not in _templates(call)],
        "drift": done["drift"],
        "before": before,
        "exit": 1 if done["error"] else 0,
        "stderr": done["error"],
        "after": stored_objects(studio, plan),
    }


def _templates(call: Call) -> tuple[JsonObject, ...]:
    return tuple(item for item in call.chart if item["kind"] != "CustomResourceDefinition")


RECORDER: Final = Recorder(plan_case, _record_call, marks)
"""The stories of helm-controller."""
