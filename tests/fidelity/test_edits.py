"""Drawn edits: each operation does what it is named for, and nothing that was given changes."""

import copy
from random import Random

import pytest

from kubectl_applylint.core.values import Json
from tests.fidelity.edits import OPERATIONS, Donors, Place, donors, edit, kind_of_place, other, put, walk, without_place
from tests.fidelity.manifests import BASES, load_all
from tests.fidelity.vocabulary import CONTAINER, POD

GIVEN = donors(load_all([BASES]))
DEPLOYMENT = next(base for base in load_all([BASES]) if base["kind"] == "Deployment")


def test_walk_goes_from_the_outside_in() -> None:
    assert [place for place, _ in walk({"a": [1], "b": {}})] == [(), ("a",), ("a", 0), ("b",)]


def test_put_and_removed_leave_the_original_alone() -> None:
    original: Json = {"a": [{"b": 1}, 2], "c": 3}

    assert put(original, ("a", 0, "b"), 5) == {"a": [{"b": 5}, 2], "c": 3}
    assert put(original, ("d",), 4) == {**original, "d": 4}
    assert without_place(original, ("a", 1)) == {"a": [{"b": 1}], "c": 3}
    assert without_place(original, ("c",)) == {"a": [{"b": 1}, 2]}
    assert original == {"a": [{"b": 1}, 2], "c": 3}


@pytest.mark.parametrize(
    ("kind", "place", "generic"),
    [
        ("Service", ("spec", "ports", 0, "port"), ("Service", "spec", "ports", "*", "port")),
        ("Deployment", ("spec", "template", "spec", "hostNetwork"), (POD, "hostNetwork")),
        ("Job", ("spec", "template", "spec", "containers", 1, "image"), (CONTAINER, "*", "image")),
        ("Pod", ("spec", "volumes", 0), (POD, "volumes", "*")),
        ("Pod", ("metadata", "labels"), ("Pod", "metadata", "labels")),
    ],
    ids=["own", "pod template", "container", "pod", "metadata of a pod"],
)
def test_places_of_pods_and_containers_are_shared_between_kinds(kind: str, place: Place, generic: Place) -> None:
    assert kind_of_place(kind, place) == generic


@pytest.mark.parametrize("seed", range(40))
def test_an_edit_is_drawn_again_from_the_same_seed_and_changes_no_argument(seed: int) -> None:
    before = copy.deepcopy(DEPLOYMENT)
    first = edit(Random(seed), DEPLOYMENT, GIVEN)

    assert first == edit(Random(seed), DEPLOYMENT, GIVEN)
    assert before == DEPLOYMENT
    assert (first[0] == DEPLOYMENT) <= (not first[1] or "lord" in str(first[1]))


def test_every_operation_is_drawn() -> None:
    descriptions = [word for seed in range(300) for word in edit(Random(seed), DEPLOYMENT, GIVEN)[1]]

    assert {word.split()[0] for word in descriptions} == set(OPERATIONS)


def test_edits_keep_the_kind_and_name() -> None:
    for seed in range(100):
        edited, _ = edit(Random(seed), DEPLOYMENT, GIVEN)
        assert (edited["kind"], edited["metadata"]["name"]) == ("Deployment", DEPLOYMENT["metadata"]["name"])


def test_nothing_is_edited_where_nothing_may_be() -> None:
    bare = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}}

    assert edit(Random(1), bare, Donors({}, {})) == (bare, [])


@pytest.mark.parametrize("value", [True, 3, 1.5, "web", "500m"], ids=str)
def test_another_scalar_is_drawn_by_type(value: Json) -> None:
    drawn = [other(Random(seed), value, "x") for seed in range(20)]

    assert {type(new) for new in drawn} == {type(value)}
    assert other(Random(0), None, "x") == "v"
