"""Draws what happens to an app of kapp, and lets it happen: sets, others' edits, deploys.

A seed stands for the same draws on every machine. Kept of a deploy is what is kept of a call of Helm, with the label of
the app in place of a release's history.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from random import Random
from subprocess import TimeoutExpired
from typing import Final

from kubectl_applylint.core.state import annotations_of
from kubectl_applylint.core.values import Json, JsonObject, mapping
from tests.cluster.kapp_program import NAME, deploy
from tests.fidelity.charts import RELEASE, Call, CasePlan, Flags, Stock, existing, first_chart, next_version
from tests.fidelity.studio import Recorder, Studio, stored_objects

GROUP: Final = "kapp.k14s.io"
OTHER: Final = "app=other"
"""The flag of a deploy of another app in the same namespace."""
EMPTY: Final = "--dangerous-allow-empty-list-of-resources"
FLAGS: Mapping[Flags, int] = {
    (): 58,
    ("--patch",): 8,
    ("--exit-early-on-apply-error=false",): 8,
    ("--apply-default-update-strategy=fallback-on-replace",): 6,
    ("--dangerous-override-ownership-of-existing-resources",): 6,
    ("--default-label-scoping-rules=false",): 4,
    ("--diff-against-last-applied=false",): 4,
    (EMPTY,): 2,
    (OTHER,): 4,
}
"""How often each way to deploy is drawn."""
BEFORE: Mapping[Flags, int] = {("--server-side",): 25, (): 75}
"""Ways in which kubectl applies objects that move to kapp afterwards."""
ANNOTATIONS: Mapping[tuple[str, str], int] = {
    ("versioned", ""): 6,
    ("update-strategy", "fallback-on-replace"): 8,
    ("update-strategy", "always-replace"): 5,
    ("update-strategy", "skip"): 5,
    ("update-strategy", "recreate"): 1,
    ("delete-strategy", "orphan"): 5,
    ("create-strategy", "fallback-on-update"): 2,
    ("noop", ""): 3,
    ("exists", ""): 2,
    ("disable-original", ""): 3,
    ("disable-default-ownership-label-rules", ""): 2,
    ("disable-default-label-scoping-rules", ""): 3,
    ("disable-default-change-group-and-rules", ""): 2,
    ("change-group", "first"): 3,
    ("change-rule", "upsert after upserting first"): 3,
}
"""How often each mark of kapp is drawn for an object that has one."""
REBASE: Sequence[JsonObject] = (
    {"path": ["spec", "replicas"], "type": "copy", "sources": ["existing", "new"], "kinds": ("Deployment",)},
    {"path": ["spec", "replicas"], "type": "copy", "sources": ["new", "existing"], "kinds": ("Deployment",)},
    {"path": ["metadata", "labels", "mine"], "type": "copy", "sources": ["existing"], "kinds": ()},
    {
        "paths": [["data"], ["metadata", "annotations", "mine"]],
        "type": "copy",
        "sources": ["existing"],
        "kinds": ("ConfigMap",),
    },
    {"path": ["spec", "type"], "type": "remove", "kinds": ("Service",)},
    {
        "path": ["spec", "template", "spec", "containers", {"allIndexes": True}, "env"],
        "type": "copy",
        "sources": ["existing", "new"],
        "kinds": ("Deployment", "StatefulSet"),
    },
)
"""Rebase rules of a Config; those without kinds are for all objects."""
_WITH_PODS: Final = frozenset({"Deployment", "StatefulSet", "DaemonSet"})
_VERSIONS: Final = 4
"""How many versions of a versioned object are compared."""


def plan_case(stock: Stock, _: str, seed: str, number: int) -> CasePlan:
    """Return what the case ``number`` of a seed is about."""
    rng, case = Random(f"apps:{seed}:{number}"), f"{seed}-{number}"
    config = tuple(_config(rng, stock)) if rng.random() < 0.25 else ()
    first = _set(rng, stock, first_chart(stock, rng, case))
    sets = [first, _set(rng, stock, next_version(stock, rng, case, first))]
    if rng.random() < 0.6:
        sets.append(_set(rng, stock, next_version(stock, rng, case, rng.choice(sets))))
    calls = [_deploy(rng, objects, config) for objects in sets]
    if rng.random() < 0.2:
        calls[0] = Call("kubectl", "apply", _drawn(rng, BEFORE), first)
    return CasePlan(case, tuple(calls), tuple(existing(rng, calls)))


def _deploy(rng: Random, objects: tuple[JsonObject, ...], config: tuple[JsonObject, ...]) -> Call:
    flags = _drawn(rng, FLAGS)
    is_empty = EMPTY in flags or rng.random() < 0.02
    return Call(NAME, "deploy", flags, () if is_empty else (*objects, *config))


def _drawn(rng: Random, weights: Mapping[Flags, int]) -> Flags:
    return rng.choices(tuple(weights), tuple(weights.values()))[0]


def _config(rng: Random, stock: Stock) -> Iterator[JsonObject]:
    """Yield the Config of kapp of a case."""
    versions = {kind: version for version, kind in sorted(stock.resources) if version in ("v1", "apps/v1")}
    rules = [
        {
            **{key: value for key, value in rule.items() if key != "kinds"},
            "resourceMatchers": [
                {"apiVersionKindMatcher": {"apiVersion": versions[kind], "kind": kind}} for kind in rule["kinds"]
            ]
            or [{"allMatcher": {}}],
        }
        for rule in rng.sample(REBASE, rng.choice((1, 2)))
    ]
    yield {"apiVersion": f"{GROUP}/v1alpha1", "kind": "Config", "metadata": {"name": "config"}, "rebaseRules": rules}


def _set(rng: Random, stock: Stock, objects: Sequence[JsonObject]) -> tuple[JsonObject, ...]:
    """Return a set in which some objects are marked, and some refer to versioned ones."""
    marked = tuple(_with_mark(rng, item) for item in objects)
    versioned = [item for item in marked if f"{GROUP}/versioned" in annotations_of(item)]
    maps = [item["metadata"]["name"] for item in versioned if item["kind"] == "ConfigMap"]
    return tuple(_referring(item, maps[0]) if maps and item["kind"] in _WITH_PODS else item for item in marked)


def _with_mark(rng: Random, item: JsonObject) -> JsonObject:
    """Return the object, one in eight with a mark of kapp, which it keeps in later sets."""
    is_data, drawn = item["kind"] in ("ConfigMap", "Secret"), rng.random()
    if drawn >= (0.25 if is_data else 0.125):
        return item
    name, value = rng.choices(tuple(ANNOTATIONS), tuple(ANNOTATIONS.values()))[0]
    if is_data and drawn >= 0.125:
        name, value = "versioned", ""
    elif name == "versioned":
        return item
    more = {f"{GROUP}/num-versions": "2"} if name == "versioned" and rng.random() < 0.3 else {}
    more |= {f"{GROUP}/versioned-keep-original": ""} if name == "versioned" and rng.random() < 0.2 else {}
    annotations = {**mapping(item["metadata"].get("annotations")), f"{GROUP}/{name}": value, **more}
    return {**item, "metadata": {**item["metadata"], "annotations": annotations}}


def _referring(item: JsonObject, name: str) -> JsonObject:
    """Return an object with pods whose first container takes its environment from a ConfigMap."""
    spec = mapping(mapping(item.get("spec")).get("template"))
    pods = mapping(spec.get("spec"))
    containers = pods.get("containers")
    if not isinstance(containers, list) or not containers or not isinstance(containers[0], dict):
        return item
    first = {**containers[0], "envFrom": [{"configMapRef": {"name": name}}]}
    template = {**spec, "spec": {**pods, "containers": [first, *containers[1:]]}}
    return {**item, "spec": {**item["spec"], "template": template}}


def _record_call(studio: Studio, plan: CasePlan, call: Call, _: Sequence[JsonObject]) -> JsonObject:
    """Deploy, or apply with kubectl, and return all that is kept of it.

    ``chart`` is ``None`` where kapp waits for something that does not happen: there is no end to predict.
    """
    every, earlier = _with_versions(plan), _app_of(studio, plan, _app(call))
    before = stored_objects(studio, every)
    output, code = _run_kapp(studio, plan, call) if call.program == NAME else _apply(studio, plan, call)
    return {
        "action": call.action,
        "flags": list(call.flags),
        "namespace": plan.namespace,
        "app": mapping(_app_of(studio, plan, _app(call))).get("labelValue"),
        "kinds": mapping(earlier).get("usedGKs"),
        "chart": None if code is None else list(call.chart),
        "before": before,
        "exit": code,
        "stderr": output,
        "after": stored_objects(studio, every),
    }


def _with_versions(plan: CasePlan) -> CasePlan:
    """Return the case with the objects that kapp names itself."""
    numbered = (
        {**item, "metadata": {**item["metadata"], "name": f"{item['metadata']['name']}-ver-{number}"}}
        for item in plan.objects
        if f"{GROUP}/versioned" in annotations_of(item)
        for number in range(1, _VERSIONS + 1)
    )
    return replace(plan, calls=(*plan.calls, Call(NAME, "", (), tuple(numbered))))


def _app(call: Call) -> str:
    return "other" if OTHER in call.flags else RELEASE


def _app_of(studio: Studio, plan: CasePlan, app: str) -> Json:
    """Return what kapp remembers of an app: its label, and the kinds it has objects of; ``None`` before it exists."""
    found = studio.cluster.get(f"/api/v1/namespaces/{plan.namespace}/configmaps/{app}")
    return json.loads(found.json["data"]["spec"]) if found.ok else None


def _run_kapp(studio: Studio, plan: CasePlan, call: Call) -> tuple[str, int | None]:
    """Run kapp; return its output and its exit code, ``None`` after a timeout."""
    flags = (flag for flag in call.flags if flag != OTHER)
    try:
        done = deploy(studio.programs[NAME], studio.cluster, (plan.namespace, _app(call)), call.chart, *flags)
    except TimeoutExpired:
        return "", None
    return done.stderr.strip(), done.code


def _apply(studio: Studio, plan: CasePlan, call: Call) -> tuple[str, int]:
    """Apply with kubectl; objects that it rejects are left to kapp."""
    for item in call.chart:
        studio.cluster.run("apply", *call.flags, "-n", plan.namespace, "-f", "-", stdin=json.dumps(item))
    return "", 0


def _marks(_: CasePlan, item: JsonObject) -> JsonObject:
    return {"labels": {**mapping(item["metadata"].get("labels")), f"{GROUP}/app": "1"}}


RECORDER: Final = Recorder(plan_case, _record_call, _marks)
