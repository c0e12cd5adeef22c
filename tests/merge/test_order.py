"""The order of merged lists; rows with S are observed with raw patches to kube-apiserver 1.36 (test_strategic.py)."""

import pytest

from kubectl_applylint.core.values import Json
from kubectl_applylint.merge.errors import MergeError
from kubectl_applylint.merge.order import (
    check_types,
    index_of,
    interleave,
    is_deletion,
    key_of,
    sort_by_order,
    sort_by_text,
)


def ports(*numbers: int) -> list[Json]:
    return [{"port": number} for number in numbers]


def test_an_element_is_identified_by_its_key_a_scalar_by_itself() -> None:
    assert key_of({"name": "a", "x": 1}, "name") == "a"
    assert key_of({"name": None}, "name") is None
    assert key_of("a", "") == "a"
    with pytest.raises(MergeError, match="does not contain declared merge key: name"):
        key_of({"x": 1}, "name")


@pytest.mark.parametrize(
    ("elements", "wanted", "merge_key", "place"),
    [
        pytest.param(["a", "b", "a"], "a", "", 0, id="the first of equal ones"),
        pytest.param([True, 1], 1, "", 1, id="true is not 1"),
        pytest.param([1.0, 1], 1, "", 1, id="a float is not 1"),
        pytest.param(["1"], 1, "", -1, id="a text is no number"),
        pytest.param(ports(1, 2), 2, "port", 1, id="by key"),
        pytest.param([], "a", "", -1, id="empty"),
    ],
)
def test_an_element_has_the_index_of_its_first_equal(
    elements: list[Json], wanted: Json, merge_key: str, place: int
) -> None:
    assert index_of(elements, wanted, merge_key) == place


@pytest.mark.parametrize(
    ("element", "deletes"),
    [
        ({"$patch": "delete", "name": "a"}, True),
        ({"$patch": "replace"}, False),
        ({"name": "delete"}, False),
        ("delete", False),
    ],
    ids=["delete", "another directive", "no directive", "a scalar"],
)
def test_only_a_delete_directive_is_a_deletion(element: Json, deletes: bool) -> None:
    assert is_deletion(element) == deletes


@pytest.mark.parametrize(
    ("lists", "found"),
    [
        pytest.param(([], []), None, id="no elements"),
        pytest.param(([], ["a"]), str, id="texts"),
        pytest.param(([{}], [{"a": 1}]), dict, id="maps"),
        pytest.param(([1], [2]), int, id="numbers"),
    ],
)
def test_the_type_of_all_elements(lists: tuple[list[Json], ...], found: type | None) -> None:
    assert check_types(*lists) is found


@pytest.mark.parametrize(
    ("lists", "status", "message"),
    [
        pytest.param(([["a"]],), 422, "lists of lists are not supported", id="lists"),
        pytest.param((["a"], [1]), 500, "list element types are not identical: [[a] [1]]", id="two types"),
        pytest.param(([1, True],), 500, "list element types are not identical: [[1 true]]", id="true is no number"),
        pytest.param(([None],), 500, "list element types are not identical: [[<nil>]]", id="null"),
        pytest.param((["a", None],), 500, "list element types are not identical: [[a <nil>]]", id="null among texts"),
    ],
)
def test_types_that_do_not_merge(lists: tuple[list[Json], ...], status: int, message: str) -> None:
    with pytest.raises(MergeError) as error:
        check_types(*lists)

    assert (error.value.status, error.value.message) == (status, message)


def test_elements_sort_by_the_text_of_their_keys_and_equal_ones_turn_round() -> None:
    assert sort_by_text(ports(9, 80, 10), "port") == ports(10, 80, 9)
    assert sort_by_text([{"n": "b"}, {"n": "a", "x": 1}, {"n": "a", "x": 2}], "n") == [
        {"n": "a", "x": 2},
        {"n": "a", "x": 1},
        {"n": "b"},
    ]


def test_elements_are_arranged_as_ordered_those_that_delete_go_last() -> None:
    deletion = {"$patch": "delete", "port": 1}

    assert sort_by_order([deletion, *ports(3, 2)], ports(1, 2, 3), "port") == [*ports(2, 3), deletion]
    assert sort_by_order(["b", "new", "a"], ["a", "b"], "") == ["new", "a", "b"]


@pytest.mark.parametrize(
    ("merged", "order", "before", "result"),
    [
        pytest.param([1, 2, 3, 4], [4, 2], [1, 2, 3, 4], [1, 3, 4, 2], id="S1 others stay in front"),
        pytest.param([1, 2, 3, 4, 9], [4, 9, 2], [1, 2, 3, 4], [1, 3, 4, 9, 2], id="S2 with a new element"),
        pytest.param([1, 2, 3, 4], [7, 3], [1, 2, 3, 4], [1, 2, 3, 4], id="S3 order names what is not there"),
        pytest.param([1, 2, 3, 4, 9], [9, 2], [1, 2, 3, 4], [9, 1, 2, 3, 4], id="S4 no order but the patch's"),
        pytest.param([1, 2], [], [2, 1], [2, 1], id="nothing is ordered"),
        pytest.param([1, 2], [2, 1], [], [2, 1], id="nothing was there"),
        pytest.param([], [1], [1], [], id="empty"),
    ],
)
def test_ordered_elements_and_others_interleave(
    merged: list[int], order: list[int], before: list[int], result: list[int]
) -> None:
    assert interleave(ports(*merged), ports(*order), ports(*before), "port") == ports(*result)
