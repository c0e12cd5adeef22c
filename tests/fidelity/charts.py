"""Draws what happens to a Helm release: its charts, what others do in between, and how Helm is called.

A seed stands for the same draws on every machine.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import TypeAlias

import yaml

from kubectl_applylint.core.state import ref_of
from kubectl_applylint.core.values import JsonObject, mapping
from tests.cluster.api import Resources, is_namespaced
from tests.fidelity.edits import Donors, edit
from tests.fidelity.record_sets import DRAWN, Dumper

RELEASE = "app"
Flags: TypeAlias = tuple[str, ...]
KINDS: Mapping[str, float] = {
    "ConfigMap": 0.7,
    "Deployment": 0.7,
    "Service": 0.45,
    "HorizontalPodAutoscaler": 0.25,
    "StatefulSet": 0.2,
    "Widget": 0.4,
}
"""How often a chart has an object of the kind for certain; others are drawn evenly."""
ODDITIES: Mapping[str, float] = {"hook": 0.08, "elsewhere": 0.06, "twice": 0.03, "unserved": 0.03}
"""How often a chart has something that is not a plain object of the release's namespace."""
INSTALL: Mapping[str, Mapping[Flags, int]] = {
    "helm3": {(): 85, ("--take-ownership",): 15},
    "helm4": {(): 70, ("--server-side=false",): 18, ("--take-ownership",): 12},
}
UPGRADE: Mapping[str, Mapping[Flags, int]] = {
    "helm3": {(): 70, ("--force",): 10, ("--take-ownership",): 14, ("--cleanup-on-fail",): 6},
    "helm4": {
        (): 46,
        ("--force-conflicts",): 17,
        ("--server-side=true",): 11,
        ("--server-side=true", "--force-conflicts"): 5,
        ("--server-side=false",): 5,
        ("--take-ownership",): 7,
        ("--force-replace",): 3,
        ("--server-side=false", "--force-replace"): 3,
        ("--cleanup-on-fail",): 3,
    },
}
ROLLBACK: Mapping[str, Mapping[Flags, int]] = {
    "helm3": {(): 80, ("--force",): 10, ("--cleanup-on-fail",): 10},
    "helm4": {(): 60, ("--force-conflicts",): 20, ("--server-side=true",): 10, ("--server-side=false",): 10},
}
"""How often each way to call Helm is drawn, by applier."""


@dataclass(frozen=True, slots=True)
class Stock:
    """The parts from which charts are drawn."""

    resources: Resources
    bases: Sequence[JsonObject]
    donors: Donors


@dataclass(frozen=True, slots=True)
class Call:
    """One call of Helm; ``program`` is the applier, ``chart`` is empty for a rollback."""

    program: str
    action: str
    flags: Flags
    chart: tuple[JsonObject, ...] = ()


@dataclass(frozen=True, slots=True)
class CasePlan:
    """A case before it happens: the calls of Helm in order, and what is there before any of them."""

    id: str
    calls: tuple[Call, ...]
    existing: tuple[tuple[JsonObject, bool], ...]
    """Objects that exist before the last chart names them, and whether they carry the marks of the release."""

    @property
    def namespace(self) -> str:
        """The namespace of the case."""
        return f"rel-{self.id}"

    @property
    def objects(self) -> Sequence[JsonObject]:
        """One manifest of every object of any chart."""
        return tuple({ref_of(item): item for call in self.calls for item in call.chart}.values())


def plan_case(stock: Stock, applier: str, seed: str, number: int) -> CasePlan:
    """Return what the case ``number`` of a seed is about."""
    rng, case = Random(f"releases:{applier}:{seed}:{number}"), f"{seed}-{number}"
    installer = "helm3" if applier == "helm4" and rng.random() < 0.3 else applier
    first = first_chart(stock, rng, case)
    second = next_version(stock, rng, case, first)
    calls = [
        Call(installer, "install", _drawn(rng, INSTALL[installer]), first),
        Call(applier, "upgrade", _drawn(rng, UPGRADE[applier]), second),
    ]
    what = rng.random()
    if what < 0.3:
        third = next_version(stock, rng, case, second if rng.random() < 0.5 else first)
        calls.append(Call(applier, "upgrade", _drawn(rng, UPGRADE[applier]), third))
    elif what < 0.55:
        calls.append(Call(applier, "rollback", ("1", *_drawn(rng, ROLLBACK[applier]))))
    return CasePlan(case, tuple(calls), tuple(existing(rng, calls)))


def _drawn(rng: Random, weights: Mapping[Flags, int]) -> Flags:
    return rng.choices(tuple(weights), tuple(weights.values()))[0]


def first_chart(stock: Stock, rng: Random, case: str) -> tuple[JsonObject, ...]:
    """Return the objects of a first chart, each under another name."""
    pool = [item for item in stock.bases if _fits(item)]
    certain = [kind for kind, share in KINDS.items() if rng.random() < share]
    chosen = [rng.choice([item for item in pool if item["kind"] == kind]) for kind in certain]
    chosen += rng.sample(pool, rng.randint(1, 3))
    named = {ref_of(each): each for item in chosen for each in [_chart_manifest(stock, rng, item, case)]}
    return (*named.values(), *_oddities(rng, case, tuple(named.values())))


def _oddities(rng: Random, case: str, chart: Sequence[JsonObject]) -> Iterator[JsonObject]:
    """Yield what a chart has besides its own objects."""
    for what, share in ODDITIES.items():
        if rng.random() < share:
            yield _oddity(what, case, rng.choice(chart), rng.randint(1, 9))


def _oddity(what: str, case: str, other: JsonObject, value: int) -> JsonObject:
    config = {"apiVersion": "v1", "kind": "ConfigMap", "data": {"value": str(value)}}
    match what:
        case "hook":
            hook = {"helm.sh/hook": "pre-install,pre-upgrade,pre-rollback"}
            return {**config, "metadata": {"name": "the-hook", "annotations": hook}}
        case "elsewhere":
            return {**config, "metadata": {"name": f"other-{case}", "namespace": "default"}}
        case "unserved":
            return {"apiVersion": "batch/v1beta1", "kind": "CronJob", "metadata": {"name": "nightly"}}
        case _:
            return other


def _fits(item: JsonObject) -> bool:
    """Return whether a manifest can be part of a chart: what it says is no template."""
    return (item["kind"] in DRAWN or item["kind"] == "Widget") and not _is_template(item)


def _is_template(item: JsonObject) -> bool:
    return "{{" in json.dumps(item, default=str)


def _chart_manifest(stock: Stock, rng: Random, item: JsonObject, case: str) -> JsonObject:
    """Return the manifest as a chart has it: without a namespace, cluster-scoped under a name of the case's own."""
    old = item["metadata"]
    metadata = {key: value for key, value in old.items() if key != "namespace"}
    metadata["name"] = old["name"] if is_namespaced(stock.resources, item) else f"{old['name']}-{case}"
    if rng.random() < 0.08:
        metadata["annotations"] = {**(old.get("annotations") or {}), "helm.sh/resource-policy": "keep"}
    return {**item, "metadata": metadata}


def next_version(stock: Stock, rng: Random, case: str, chart: Sequence[JsonObject]) -> tuple[JsonObject, ...]:
    """Return the manifests of a new version of the chart."""
    found = [changed for item in chart for changed in _changed_objects(stock, rng, item)]
    if rng.random() < 0.35:
        found.append(_chart_manifest(stock, rng, rng.choice([item for item in stock.bases if _fits(item)]), case))
    kept = [item for item in found if not _is_template(item) and mapping(item.get("metadata")).get("name")]
    own = tuple({ref_of(item): item for item in reversed(kept)}.values())[::-1] or tuple(chart)
    return (*own, *_oddities(rng, case, own))


def _changed_objects(stock: Stock, rng: Random, item: JsonObject) -> Iterator[JsonObject]:
    match rng.choices(("same", "edit", "remove", "rename"), (48, 36, 10, 6))[0]:
        case "remove":
            return
        case "edit":
            yield edit(rng, item, stock.donors, count=rng.choice((1, 1, 2)))[0]
        case "rename":
            yield {**item, "metadata": {**item["metadata"], "name": f"{item['metadata']['name']}-v2"}}
        case _:
            yield item


def existing(rng: Random, calls: Sequence[Call]) -> Iterator[tuple[JsonObject, bool]]:
    """Yield objects of the charts that exist before, made by others."""
    before: set[object] = set()
    for number, call in enumerate(calls):
        share = 0.04 if number == 0 else 0.16
        for item in call.chart:
            if ref_of(item) not in before and rng.random() < share:
                yield item, rng.random() < 0.5
            before.add(ref_of(item))


def write_chart(folder: Path, objects: Sequence[JsonObject]) -> Path:
    """Write a chart whose templates are the objects as they are, and return its folder; definitions are in ``crds``."""
    for directory in ("templates", "crds"):
        (folder / directory).mkdir(parents=True)
    (folder / "Chart.yaml").write_text(f"apiVersion: v2\nname: {RELEASE}\nversion: 1.0.0\n")
    for number, item in enumerate(objects):
        text = yaml.dump(item, Dumper=Dumper, sort_keys=False)
        directory = "crds" if item["kind"] == "CustomResourceDefinition" else "templates"
        (folder / directory / f"{number:02}-{item['kind'].lower()}.yaml").write_text(text)
    return folder
