"""Draws what an Application of Argo CD ignores: fields that people ignore, and any others of its objects."""

import json
from collections.abc import Mapping, Sequence
from random import Random
from typing import Final

from kubectl_applylint.core.state import ref_of
from kubectl_applylint.core.values import JsonObject
from tests.cluster.argocd_program import IGNORE
from tests.fidelity.charts import Flags
from tests.fidelity.edits import walk

RESPECTED: Final = "RespectIgnoreDifferences=true"
RULES: Mapping[str, int] = {
    '{"group": "apps", "kind": "*", "jsonPointers": ["/spec/replicas"]}': 6,
    '{"group": "*", "kind": "*", "jsonPointers": ["/metadata/annotations", "/metadata/labels"]}': 3,
    '{"kind": "ConfigMap", "jsonPointers": ["/data"]}': 2,
    '{"kind": "Service", "jsonPointers": ["/spec/ports/0/nodePort", "/spec/selector"]}': 2,
    '{"group": "*", "kind": "*", "managedFieldsManagers": ["hpa", "controller", "kubectl-edit"]}': 6,
    '{"group": "*", "kind": "*", "managedFieldsManagers": ["gitops", "other", "argocd"]}': 3,
    '{"group": "*", "kind": "*", "managedFieldsManagers": ["argocd-controller"]}': 1,
    '{"group": "apps", "kind": "*", "jqPathExpressions": [".spec.template.spec.containers[].image"]}': 3,
    '{"group": "apps", "kind": "*", "jqPathExpressions": [".spec.template.spec.containers[]?.env"]}': 3,
    '{"group": "*", "kind": "*", "jqPathExpressions": [".spec.ports[0].port", ".metadata.labels[\\"app\\"]"]}': 2,
    '{"group": "*", "kind": "*", "jqPathExpressions": [".spec.template.spec.containers[]? | select(.name == \\"app\\")'
    ' | .resources"]}': 2,
}
"""How often each rule is drawn; about as often it is about a field of the Application's own objects."""


def ways(flags: Flags) -> Flags:
    """Return flags without what they say about what is ignored."""
    return tuple(flag for flag in flags if flag != RESPECTED and not flag.startswith(IGNORE))


def ignore_flags(rng: Random, objects: Sequence[JsonObject]) -> Flags:
    """Return the flags of an Application with ignored differences, which most also respect when they sync."""
    rules = [_rule(rng, objects) for _ in range(rng.choice((1, 1, 2)))]
    return (*((RESPECTED,) if rng.random() < 0.85 else ()), *(f"{IGNORE}{rule}" for rule in rules))


def _rule(rng: Random, objects: Sequence[JsonObject]) -> str:
    if rng.random() < 0.5:
        return rng.choices(tuple(RULES), tuple(RULES.values()))[0]
    ref = ref_of(item := rng.choice(objects))
    inside = {key: value for key, value in item.items() if key not in ("apiVersion", "kind", "metadata")}
    pointers = [_pointer(place) for place, _ in walk(inside) if place]
    if not pointers:
        return rng.choice(tuple(RULES))
    return json.dumps({"group": ref.group, "kind": ref.kind, "jsonPointers": [rng.choice(pointers)]})


def _pointer(place: Sequence[str | int]) -> str:
    return "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in place)
