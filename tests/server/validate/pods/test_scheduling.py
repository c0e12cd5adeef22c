import pytest

from kubectl_applylint.core.values import Json, JsonObject
from tests.server.validate.objects import fields, messages, pod

BAD_VALUES = {"matchExpressions": [{"key": "k", "operator": "In", "values": ["b c"]}]}
SPREAD: JsonObject = {"maxSkew": 1, "topologyKey": "zone", "whenUnsatisfiable": "DoNotSchedule"}
SELECTOR = {"matchLabels": {"a": "b"}}
BELOW = {"key": "k", "operator": "Lt", "value": "5"}


def preferred_anti_affinity(term: JsonObject, weight: int = 1) -> JsonObject:
    terms = [{"weight": weight, "podAffinityTerm": term}]
    return {"affinity": {"podAntiAffinity": {"preferredDuringSchedulingIgnoredDuringExecution": terms}}}


def spread(**rest: Json) -> JsonObject:
    return {"topologySpreadConstraints": [{**SPREAD, **rest}]}


def on_nodes(**term: Json) -> JsonObject:
    terms = {"nodeSelectorTerms": [term]}
    return {"affinity": {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": terms}}}


PREFERRED = "affinity.podAntiAffinity.preferredDuringSchedulingIgnoredDuringExecution[0]"
NODES = "affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0]"


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        (preferred_anti_affinity({"topologyKey": "t"}), []),
        (preferred_anti_affinity({}, 0), [f"{PREFERRED}.podAffinityTerm.topologyKey"] * 3 + [f"{PREFERRED}.weight"]),
        (
            preferred_anti_affinity({"topologyKey": "t", "namespaces": ["A"]}),
            [f"{PREFERRED}.podAffinityTerm.namespace"],
        ),
        (
            preferred_anti_affinity({"topologyKey": "t", "matchLabelKeys": ["k"]}),
            [f"{PREFERRED}.podAffinityTerm.matchLabelKeys"],
        ),
        (
            preferred_anti_affinity(
                {"topologyKey": "t", "labelSelector": {}, "matchLabelKeys": ["k"], "mismatchLabelKeys": ["k"]}
            ),
            [f"{PREFERRED}.podAffinityTerm.matchLabelKeys[0]"],
        ),
        (
            preferred_anti_affinity({"topologyKey": "t", "labelSelector": BAD_VALUES}),
            [f"{PREFERRED}.podAffinityTerm.labelSelector.matchExpressions[0].values[0]"],
        ),
        (on_nodes(matchExpressions=[{"key": "k", "operator": "Gt", "values": ["1"]}]), []),
        (
            on_nodes(matchExpressions=[{"key": "k", "operator": "Gt", "values": []}]),
            [f"{NODES}.matchExpressions[0].values"],
        ),
        (on_nodes(matchExpressions=[{"key": "k", "operator": "In"}]), [f"{NODES}.matchExpressions[0].values"]),
        (
            on_nodes(matchExpressions=[{"key": "k", "operator": "Exists", "values": ["a"]}]),
            [f"{NODES}.matchExpressions[0].values"],
        ),
        (on_nodes(matchExpressions=[{"key": "k", "operator": "x"}]), [f"{NODES}.matchExpressions[0].operator"]),
        (on_nodes(matchFields=[{"key": "metadata.name", "operator": "In", "values": ["n"]}]), []),
        (
            on_nodes(matchFields=[{"key": "metadata.name", "operator": "In", "values": ["A b"]}]),
            [f"{NODES}.matchFields[0].values[0]"],
        ),
        (
            on_nodes(matchFields=[{"key": "x", "operator": "NotIn", "values": ["a", "b"]}]),
            [f"{NODES}.matchFields[0].key", f"{NODES}.matchFields[0].values"],
        ),
        (on_nodes(matchFields=[{"key": "metadata.name", "operator": "Exists"}]), [f"{NODES}.matchFields[0].operator"]),
        (spread(), []),
        (
            spread(maxSkew=0, topologyKey="", whenUnsatisfiable="x"),
            [f"topologySpreadConstraints[0].{name}" for name in ("maxSkew", "topologyKey", "whenUnsatisfiable")],
        ),
        (spread(minDomains=0, whenUnsatisfiable="ScheduleAnyway"), ["topologySpreadConstraints[0].minDomains"] * 2),
        (spread(nodeAffinityPolicy="x", nodeTaintsPolicy="Honor"), ["topologySpreadConstraints[0].nodeAffinityPolicy"]),
        (
            {"topologySpreadConstraints": [SPREAD, SPREAD]},
            ["topologySpreadConstraints[0].{topologyKey, whenUnsatisfiable}"],
        ),
        (
            {"schedulingGates": [{"name": "a b"}, {"name": "c"}, {"name": "c"}]},
            ["schedulingGates[0]", "schedulingGates[2]"],
        ),
        ({"readinessGates": [{"conditionType": "a b"}]}, ["readinessGates[0].conditionType"]),
        ({"tolerations": [{"key": "k"}, {"operator": "Exists"}]}, []),
        ({"tolerations": [{"key": "k", "operator": "Exists", "value": "v"}]}, ["tolerations[0].operator"]),
        ({"tolerations": [{"operator": "Equal"}]}, ["tolerations[0].operator"]),
        (
            {"tolerations": [{"key": "k", "effect": "x", "value": "b c"}]},
            ["tolerations[0].effect", "tolerations[0].operator"],
        ),
        ({"tolerations": [{"key": "k", "tolerationSeconds": 5}]}, ["tolerations[0].effect"]),
    ],
)
def test_invalid_preferred_terms_are_rejected(spec: JsonObject, expected: list[str]) -> None:
    assert [field.removeprefix("spec.") for field in fields(pod(**spec))] == expected


@pytest.mark.parametrize(
    ("toleration", "version", "allowed"),
    [
        (BELOW, "1.33", '"Equal", "Exists"'),
        (BELOW, "1.36", '"Equal", "Exists", "Lt", "Gt"'),
        ({"key": "k", "operator": "x"}, "1.36", '"Equal", "Exists"'),
    ],
)
def test_no_server_compares_numbers_by_default(toleration: JsonObject, version: str, allowed: str) -> None:
    operator = toleration["operator"]

    assert messages(pod(tolerations=[toleration]), version=version) == [
        f'spec.tolerations[0].operator: Unsupported value: "{operator}": supported values: {allowed}'
    ]


def test_stored_comparisons_may_stay() -> None:
    stored, padded = pod(tolerations=[BELOW]), {**BELOW, "value": "05"}

    assert fields(stored, stored) == []
    assert fields(pod(tolerations=[BELOW, padded]), stored) == ["spec.tolerations[1].value"]


@pytest.mark.parametrize(
    ("constraint", "old_rule", "new_rule"),
    [
        pytest.param({"matchLabelKeys": ["k"]}, ["matchLabelKeys"], ["matchLabelKeys"], id="no selector"),
        pytest.param({"matchLabelKeys": ["a"], "labelSelector": SELECTOR}, ["matchLabelKeys[0]"], [], id="selected"),
        pytest.param(
            {"matchLabelKeys": ["a b"], "labelSelector": {}}, ["matchLabelKeys[0]"], ["matchLabelKeys[0]"], id="bad"
        ),
    ],
)
def test_from_1_34_on_the_server_writes_keys_into_selectors(
    constraint: JsonObject, old_rule: list[str], new_rule: list[str]
) -> None:
    found = [fields(pod(**spread(**constraint)), version=version) for version in ("1.33", "1.36")]
    prefix = "spec.topologySpreadConstraints[0]."

    assert [[field.removeprefix(prefix) for field in each] for each in found] == [old_rule, new_rule]


def test_a_selector_that_names_a_key_twice() -> None:
    twice = {"matchLabels": {"a": "b"}, "matchExpressions": [{"key": "a", "operator": "In", "values": ["c"]}]}
    constraint = spread(matchLabelKeys=["a"], labelSelector=twice)

    assert fields(pod(**constraint)) == ["spec.topologySpreadConstraints[0][0]"]
    assert fields(pod(**constraint), version="1.33") == ["spec.topologySpreadConstraints[0].matchLabelKeys[0]"]
    assert fields(pod(**constraint), pod(**constraint)) == ["spec.topologySpreadConstraints[0].matchLabelKeys[0]"]


@pytest.mark.parametrize(
    "spec",
    [
        pytest.param(preferred_anti_affinity({"topologyKey": "t", "labelSelector": BAD_VALUES}), id="affinity"),
        pytest.param(on_nodes(**BAD_VALUES), id="nodes"),
        pytest.param(spread(labelSelector=BAD_VALUES), id="spreading"),
    ],
)
def test_bad_values_that_are_stored_may_stay(spec: JsonObject) -> None:
    assert fields(pod(**spec)) != []
    assert fields(pod(**spec), pod(**spec)) == []


def test_values_of_node_labels_are_checked_since_1_32() -> None:
    assert fields(pod(**on_nodes(**BAD_VALUES)), version="1.30") == []
