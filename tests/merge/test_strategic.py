"""A strategic patch applied by a server; S-numbers are rows observed with raw patches to kube-apiserver 1.36."""

import pytest

from kubectl_applylint.core.values import Json
from kubectl_applylint.merge.errors import MergeError
from kubectl_applylint.merge.strategic import Mode, merge
from kubectl_applylint.schema.load import load
from kubectl_applylint.schema.types import Node

SCHEMA = load("1.36")


def root(api_version: str, kind: str) -> Node:
    found = SCHEMA.kind(api_version, kind)
    assert found is not None
    return found.root


SERVICE, DEPLOYMENT = root("v1", "Service"), root("apps/v1", "Deployment")
LIVE_PORTS = [{"port": 1, "name": "a"}, {"port": 2, "name": "b"}, {"port": 3, "name": "c"}, {"port": 4, "name": "d"}]


def spec(**content: Json) -> Json:
    return {"spec": content}


def order(*ports: int) -> Json:
    return {"$setElementOrder/ports": [{"port": port} for port in ports]}


@pytest.mark.parametrize(
    ("patch", "ports"),
    [
        pytest.param(order(4, 2), [1, 3, 4, 2], id="S1 order alone"),
        pytest.param({**order(4, 9, 2), "ports": [{"port": 9}]}, [1, 3, 4, 9, 2], id="S2 order with a new element"),
        pytest.param(order(7, 3), [1, 2, 3, 4], id="S3 order names what is not there"),
        pytest.param({"ports": [{"port": 9}, {"port": 2, "x": 1}]}, [9, 1, 2, 3, 4], id="S4 no order"),
        pytest.param({"ports": [{"port": 5}, {"$patch": "replace"}]}, [5], id="S5 replace"),
        pytest.param({"ports": [{"port": 2, "$patch": "delete"}]}, [1, 3, 4], id="delete"),
        pytest.param({"ports": []}, [1, 2, 3, 4], id="an empty patch list"),
    ],
)
def test_ports_end_up_in_the_servers_order(patch: Json, ports: list[int]) -> None:
    merged = merge(spec(ports=LIVE_PORTS), spec(**patch), SERVICE)

    assert [port["port"] for port in merged["spec"]["ports"]] == ports


@pytest.mark.parametrize(
    ("live", "wanted", "patch", "ports"),
    [
        pytest.param([80, 81], [82], [{"port": 82}, {"port": 80, "$patch": "delete"}], [81, 82], id="33 one each"),
        pytest.param([80, 81], [82, 80], [{"port": 82}], [82, 80, 81], id="34 nothing deleted"),
        pytest.param(
            [80, 81],
            [82, 83],
            [{"port": 82}, {"port": 83}, {"port": 80, "$patch": "delete"}],
            [81, 82, 83],
            id="35 two",
        ),
    ],
)
def test_a_deletion_moves_new_elements_behind_those_of_others(
    live: list[int], wanted: list[int], patch: Json, ports: list[int]
) -> None:
    before = spec(ports=[{"port": port} for port in live])
    merged = merge(before, spec(**order(*wanted), ports=patch), SERVICE)

    assert [port["port"] for port in merged["spec"]["ports"]] == ports


@pytest.mark.parametrize(
    ("live", "patch", "after"),
    [
        pytest.param({"a": "1"}, {"$patch": "replace", "x": "y"}, {"x": "y"}, id="S6 replace"),
        pytest.param(None, {"$patch": "replace", "x": "y"}, None, id="S6 replace of nothing"),
        pytest.param({"a": "1"}, {"$patch": "delete"}, {}, id="delete"),
        pytest.param({"a": "1", "b": "2"}, {"a": None, "c": "3"}, {"b": "2", "c": "3"}, id="null"),
        pytest.param(None, {"a": None, "b": "1"}, {"b": "1"}, id="nulls of an inserted map"),
    ],
)
def test_maps(live: Json, patch: Json, after: Json) -> None:
    before = spec() if live is None else spec(selector=live)

    assert merge(before, spec(selector=patch), SERVICE)["spec"].get("selector") == after


@pytest.mark.parametrize(
    ("live", "patch", "after"),
    [
        pytest.param(["a", "b", "a"], {"$deleteFromPrimitiveList/finalizers": ["a", "q"]}, ["b"], id="S7"),
        pytest.param(["a", "b"], {"finalizers": ["c", "a"]}, ["c", "a", "b"], id="S8"),
        pytest.param(None, {"$deleteFromPrimitiveList/finalizers": ["a"]}, None, id="nothing to delete from"),
        pytest.param([], {"finalizers": []}, [], id="both empty"),
    ],
)
def test_scalars(live: Json, patch: Json, after: Json) -> None:
    before = {"metadata": {} if live is None else {"finalizers": live}}

    assert merge(before, {"metadata": patch}, SERVICE)["metadata"].get("finalizers") == after


def test_retain_keys_drops_the_other_members_of_a_union() -> None:
    live = spec(strategy={"type": "RollingUpdate", "rollingUpdate": {"maxSurge": 1}})
    patch = spec(strategy={"$retainKeys": ["type"], "type": "Recreate"})

    assert merge(live, patch, DEPLOYMENT) == spec(strategy={"type": "Recreate"})


def test_a_map_that_replaces_is_taken_whole() -> None:
    live, patch = ({"spec": {"selector": {"matchLabels": {key: "x"}}}} for key in ("a", "b"))

    assert merge(live, patch, root("policy/v1", "PodDisruptionBudget")) == patch


def test_maps_without_a_schema_merge_by_key_and_lists_are_replaced() -> None:
    live = {"data": {"a": {"x": 1, "y": [1, 2]}}}

    assert merge(live, {"data": {"a": {"y": [3], "z": 2}}}, Node(SERVICE.shape)) == {
        "data": {"a": {"x": 1, "y": [3], "z": 2}}
    }


@pytest.mark.parametrize(
    ("patch", "status", "message"),
    [
        (spec(ports=[{"$patch": "delete"}]), 500, r"map\[\$patch:delete\] does not contain declared merge key: port"),
        (spec(ports=[{"name": "x"}]), 500, "does not contain declared merge key: port"),
        (spec(ports=[{"port": 1, "$patch": "merge"}]), 500, "merging lists cannot yet be specified in the patch"),
        (spec(ports=[{"port": 1, "$patch": "bogus"}]), 500, "unknown patch type: bogus in map"),
        (spec(ports=[[1]]), 500, "list element types are not identical"),
        (spec(selector={"$patch": "bogus"}), 500, r"unknown patch type: bogus in map: map\[\$patch:bogus\]"),
        ({"spec": {"$setElementOrder/ports": "x"}}, 500, r"expected a \[\]interface \{\}, but received a string"),
        ({"spec": {"$setElementOrder/ports": None}}, 500, "but received a <nil>"),
        ({"spec": {**order(9), "ports": [{"port": 8}]}}, 500, r"The order in patch list:\n\[map\[port:8\]\]\n doesn't"),
        ({"spec": {"$setElementOrder/nope": []}}, 500, 'in struct ServiceSpec for the json field "nope"'),
        (spec(selector={"$retainKeys": "x"}), 400, "invalid patch format of retainKeys"),
        (spec(selector={"$retainKeys": ["x"], "y": "1"}), 400, "invalid patch format of retainKeys"),
    ],
)
def test_failures_with_the_status_of_the_server(patch: Json, status: int, message: str) -> None:
    with pytest.raises(MergeError, match=message) as caught:
        merge(spec(ports=LIVE_PORTS, selector={"a": "b"}), patch, SERVICE)

    assert caught.value.status == status


def test_a_field_is_found_without_regard_to_case_as_in_go() -> None:
    merged = merge(spec(Ports=[{"port": 1}]), spec(Ports=[{"port": 2}]), SERVICE)

    assert merged["spec"]["Ports"] == [{"port": 2}, {"port": 1}]


def test_an_order_for_two_empty_lists_fails() -> None:
    with pytest.raises(MergeError, match="no elements in any of the given slices"):
        merge(spec(ports=[]), spec(**order(1), ports=[]), SERVICE)


def test_lists_of_lists_are_not_supported() -> None:
    with pytest.raises(MergeError, match="lists of lists are not supported") as caught:
        merge(spec(ports=[[1]]), spec(ports=[[2]]), SERVICE)

    assert caught.value.status == 422


@pytest.mark.parametrize("directive", ["$retainKeys", "$setElementOrder/ports"])
def test_kubectl_rejects_two_directives_that_differ(directive: str) -> None:
    with pytest.raises(MergeError, match="invalid patch format"):
        merge(spec(**{directive: [{"port": 1}]}), spec(**{directive: [{"port": 2}]}), SERVICE, Mode.CLIENT)


def test_kubectl_carries_directives_and_nulls_along() -> None:
    deletions = {"metadata": {"labels": {"a": None}, "$deleteFromPrimitiveList/finalizers": ["x"]}}
    changes = {"metadata": {"labels": {"b": None}, "annotations": {"$patch": "delete"}}}
    merged = merge(deletions, changes, SERVICE, Mode.CLIENT)

    assert merged == {"metadata": {"labels": {"a": None, "b": None}, "$deleteFromPrimitiveList/finalizers": ["x"]}}


def test_neither_side_is_changed() -> None:
    live, patch = spec(ports=[{"port": 1}]), spec(ports=[{"port": 1, "name": "a"}], **order(1))
    merge(live, patch, SERVICE)

    assert (live, patch) == (spec(ports=[{"port": 1}]), spec(ports=[{"port": 1, "name": "a"}], **order(1)))
