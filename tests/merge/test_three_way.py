"""The three-way strategic patch; numbers are rows of the behaviour that was observed with kubectl 1.36."""

import pytest

from kubectl_applylint.core.values import Json
from kubectl_applylint.merge.errors import MergeError
from kubectl_applylint.merge.three_way import three_way
from kubectl_applylint.schema.load import load

SCHEMA = load("1.36")
SERVICE = SCHEMA.kind("v1", "Service")
DEPLOYMENT = SCHEMA.kind("apps/v1", "Deployment")
assert SERVICE is not None
assert DEPLOYMENT is not None


def ports(*numbers: int, **more: Json) -> Json:
    return {"spec": {"ports": [{"port": number, **more} for number in numbers]}}


def finalizers(*names: str | None) -> Json:
    return {"metadata": {"finalizers": list(names)}}


@pytest.mark.parametrize(
    ("original", "modified", "current", "patch"),
    [
        pytest.param(
            ports(80, 81),
            ports(81),
            ports(80, 81),
            {"spec": {"$setElementOrder/ports": [{"port": 81}], "ports": [{"$patch": "delete", "port": 80}]}},
            id="29 an element that last-applied had is deleted",
        ),
        pytest.param(
            ports(80),
            ports(80),
            ports(80, 81),
            {"spec": {"$setElementOrder/ports": [{"port": 80}]}},
            id="31 an element of others never settles",
        ),
        pytest.param(
            ports(80, 81),
            ports(81, 80),
            ports(80, 81),
            {"spec": {"$setElementOrder/ports": [{"port": 81}, {"port": 80}]}},
            id="30 a new order alone is sent",
        ),
        pytest.param(
            ports(80),
            ports(),
            ports(80),
            {"spec": {"ports": [{"$patch": "delete", "port": 80}]}},
            id="49 an empty list",
        ),
        pytest.param(
            finalizers("a", "b"),
            finalizers("c", "b"),
            finalizers("z", "a", "b", "y"),
            {
                "metadata": {
                    "$deleteFromPrimitiveList/finalizers": ["a"],
                    "$setElementOrder/finalizers": ["c", "b"],
                    "finalizers": ["c"],
                }
            },
            id="20 scalars",
        ),
        pytest.param(
            finalizers("b", "a"),
            finalizers("b", "a"),
            finalizers("b", "a"),
            {"metadata": {"$setElementOrder/finalizers": ["b", "a"]}},
            id="17 unsorted finalizers never settle",
        ),
        pytest.param(
            {"spec": {"selector": {"a": "b"}}},
            {"spec": {"selector": {}}},
            {"spec": {"selector": {"a": "b"}}},
            {"spec": {"selector": {"a": None}}},
            id="52 an empty map deletes what last-applied had",
        ),
        pytest.param({}, {}, {"spec": {"replicas": 5}}, {}, id="75 what nobody wrote stays"),
    ],
)
def test_patches_as_observed(original: Json, modified: Json, current: Json, patch: Json) -> None:
    assert SERVICE is not None
    assert three_way(original, modified, current, SERVICE.root) == patch


@pytest.mark.parametrize(
    ("original", "modified", "current", "strategy"),
    [
        ({}, {"type": "Recreate"}, {"type": "RollingUpdate", "rollingUpdate": {}}, ["type"]),
        (
            {"type": "RollingUpdate"},
            {"type": "RollingUpdate"},
            {"type": "RollingUpdate", "rollingUpdate": {}},
            ["type"],
        ),
    ],
    ids=["57 a switch", "58 a union without its member never settles"],
)
def test_a_union_names_the_keys_that_stay(original: Json, modified: Json, current: Json, strategy: Json) -> None:
    assert DEPLOYMENT is not None
    wrap = [{"spec": {"strategy": value}} for value in (original, modified, current)]
    patch = three_way(wrap[0], wrap[1], wrap[2], DEPLOYMENT.root)

    assert patch["spec"]["strategy"]["$retainKeys"] == strategy


@pytest.mark.parametrize(
    ("original", "modified", "current", "message"),
    [
        (ports(80), {"spec": {"ports": [{"name": "x"}]}}, ports(80), "does not contain declared merge key: port"),
        (finalizers("a"), finalizers("a", None), finalizers("a"), r"not identical: \[\[a\] \[a <nil>\]\]"),
        ({"spec": {"x": {"a": 1}}}, {"spec": {"x": {"a": 2}}}, {}, 'struct ServiceSpec for the json field "x"'),
    ],
    ids=["47 no merge key", "25 mixed types", "78 an unknown map in last-applied"],
)
def test_failures_in_kubectls_words(original: Json, modified: Json, current: Json, message: str) -> None:
    assert SERVICE is not None
    with pytest.raises(MergeError, match=message):
        three_way(original, modified, current, SERVICE.root)


def test_overwrite_off_rejects_changes_of_others() -> None:
    assert SERVICE is not None
    with pytest.raises(MergeError, match="conflicts with changes made from original to current"):
        three_way(ports(80), ports(80, name="a"), ports(80, name="b"), SERVICE.root, overwrite=False)
