"""``dataclass`` of ours does what that of the standard library does, for every kind of field that we declare."""

import dataclasses
import pickle
from collections.abc import Callable
from dataclasses import FrozenInstanceError, field, fields, replace
from typing import Any

import pytest

from kubectl_applylint.core import records


def _declared(dataclass: Callable[..., Any]) -> Any:
    @dataclass(frozen=True, slots=True)
    class Record:
        """A record with each kind of field."""

        first: int
        second: str = "b"
        many: list[int] = field(default_factory=list)
        hidden: int = field(default=3, repr=False, compare=False)
        made: tuple[int, ...] = field(init=False, default=())
        given: Callable[[], int] = field(default=int, compare=False)

        def __post_init__(self) -> None:
            if self.first < 0:
                raise ValueError("below zero")

        @property
        def double(self) -> int:
            return self.first * 2

    return Record


ours, theirs = _declared(records.dataclass), _declared(dataclasses.dataclass)
ARGUMENTS: list[tuple[tuple[Any, ...], dict[str, Any]]] = [
    ((1,), {}),
    ((1, "x", [2]), {}),
    ((), {"first": 1, "hidden": 9}),
    ((1,), {"given": str}),
]


@pytest.mark.parametrize(("values", "named"), ARGUMENTS, ids=["defaults", "places", "names", "function"])
def test_objects_are_made_and_shown_alike(values: tuple[Any, ...], named: dict[str, Any]) -> None:
    made, expected = ours(*values, **named), theirs(*values, **named)

    assert repr(made) == repr(expected)
    assert [getattr(made, one.name) for one in fields(made)] == [
        getattr(expected, one.name) for one in fields(expected)
    ]


@pytest.mark.parametrize(
    "values", [((), {}), ((1, 2, 3, 4, 5, 6), {}), ((1,), {"first": 2}), ((1,), {"made": ()})], ids=repr
)
def test_what_cannot_be_made_is_refused_alike(values: tuple[tuple[Any, ...], dict[str, Any]]) -> None:
    for cls in (ours, theirs):
        with pytest.raises(TypeError, match=r"__init__\(\)"):
            cls(*values[0], **values[1])


def test_a_factory_makes_a_value_for_each() -> None:
    assert ours(1).many is not ours(1).many


def test_what_is_checked_after_making_is_checked() -> None:
    with pytest.raises(ValueError, match="below zero"):
        ours(-1)


def test_fields_that_are_compared_make_two_objects_the_same() -> None:
    assert ours(1, "a", [2]) == ours(1, "a", [2], 8)
    assert ours(1) != ours(2)
    assert ours(1) != theirs(1)
    assert ours(1) != (1, "b", [], ())


def test_objects_are_hashed_by_what_is_compared() -> None:
    one = _single()
    assert hash(one(1)) == hash(one(1, 9))
    assert {one(1), one(1, 9), one(2)} == {one(1), one(2)}


def _single() -> Any:
    @records.dataclass(frozen=True, slots=True)
    class Single:
        value: int
        other: int = field(default=0, compare=False)

    return Single


def test_an_object_without_fields_is_one() -> None:
    @records.dataclass(frozen=True, slots=True)
    class Nothing:
        pass

    assert Nothing() == Nothing()
    assert repr(Nothing()).endswith("Nothing()")


@pytest.mark.parametrize("name", ["first", "other"])
def test_nothing_of_an_object_changes(name: str) -> None:
    made = ours(1)

    with pytest.raises(FrozenInstanceError):
        setattr(made, name, 2)
    with pytest.raises(FrozenInstanceError):
        delattr(made, name)


def test_the_standard_library_knows_the_fields() -> None:
    assert dataclasses.is_dataclass(ours)
    assert [one.name for one in fields(ours)] == [one.name for one in fields(theirs)]
    assert replace(Sent((1,)), rest={"a": 2}) == Sent((1,), {"a": 2})


@records.dataclass(frozen=True, slots=True)
class Sent:
    """A record that goes to another process."""

    value: tuple[int, ...]
    rest: dict[str, int] = field(default_factory=dict)


def test_objects_go_to_other_processes() -> None:
    assert pickle.loads(pickle.dumps(Sent((1, 2), {"a": 1}))) == Sent((1, 2), {"a": 1})


def test_patterns_match_by_place() -> None:
    match Sent((1,), {"a": 1}):
        case Sent(value, rest):
            assert (value, rest) == ((1,), {"a": 1})
    assert ours.__match_args__ == theirs.__match_args__


def test_names_and_docstrings_stay() -> None:
    assert (Sent.__name__, Sent.__module__, Sent.__doc__) == (
        "Sent",
        __name__,
        "A record that goes to another process.",
    )
    assert ours(3).double == 6


def test_others_are_made_by_the_standard_library() -> None:
    @records.dataclass(frozen=True, slots=True, order=True)
    class Ordered:
        value: int

    @records.dataclass(slots=True)
    class Open:
        value: int

    changed = Open(1)
    changed.value = 2
    assert Ordered(1) < Ordered(2)
    assert changed == Open(2)
