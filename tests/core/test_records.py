"""``dataclass`` of ours does what that of the standard library does, for every kind of field that we declare."""

import dataclasses
import pickle
from collections.abc import Callable, Sequence
from dataclasses import FrozenInstanceError, field, fields, replace
from typing import Any, Generic, TypeVar

import pytest

from kubectl_applylint.core import records

Item = TypeVar("Item")


def _record_class(dataclass: Callable[..., Any]) -> Any:
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


ours, theirs = _record_class(records.dataclass), _record_class(dataclasses.dataclass)
ARGUMENTS: list[tuple[tuple[Any, ...], dict[str, Any]]] = [
    ((1,), {}),
    ((1, "x", [2]), {}),
    ((), {"first": 1, "hidden": 9}),
    ((1,), {"given": str}),
]


@pytest.mark.parametrize(("values", "named"), ARGUMENTS, ids=["defaults", "places", "names", "function"])
def test_records_are_created_and_printed_as_those_of_the_standard_library(
    values: tuple[Any, ...], named: dict[str, Any]
) -> None:
    made, expected = ours(*values, **named), theirs(*values, **named)

    assert repr(made) == repr(expected)
    assert [getattr(made, one.name) for one in fields(made)] == [
        getattr(expected, one.name) for one in fields(expected)
    ]


@pytest.mark.parametrize(
    "values", [((), {}), ((1, 2, 3, 4, 5, 6), {}), ((1,), {"first": 2}), ((1,), {"made": ()})], ids=repr
)
def test_wrong_arguments_raise_the_same_error(values: tuple[tuple[Any, ...], dict[str, Any]]) -> None:
    for cls in (ours, theirs):
        with pytest.raises(TypeError, match=r"__init__\(\)"):
            cls(*values[0], **values[1])


def test_a_factory_makes_a_value_for_each() -> None:
    assert ours(1).many is not ours(1).many


def test_the_check_after_creation_is_called() -> None:
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


def _class_with_order(dataclass: Callable[..., Any]) -> Any:
    @dataclass(frozen=True, slots=True, order=True)
    class Place:
        line: int
        column: int = 1

    return Place


def test_ordered_objects_compare_by_their_fields() -> None:
    for place in (_class_with_order(records.dataclass), _class_with_order(dataclasses.dataclass)):
        assert sorted([place(2), place(1, 3), place(1, 2)]) == [place(1, 2), place(1, 3), place(2)]
        assert (place(1) <= place(1), place(1) < place(1), place(1) >= place(1), place(2) > place(1)) == (1, 0, 1, 1)
        with pytest.raises(TypeError, match="not supported"):
            assert place(1) < 1


def test_a_class_with_bases_without_fields_is_one_of_ours() -> None:
    @records.dataclass(frozen=True, slots=True)
    class Pair(Sequence[int], Generic[Item]):
        """Two numbers."""

        first: int
        second: int

        def __len__(self) -> int:
            return 2

        def __getitem__(self, place: Any) -> Any:
            return (self.first, self.second)[place]

    assert list(Pair[str](1, 2)) == [1, 2]
    assert Pair[str](1, 2) == Pair[str](1, 2)
    assert hasattr(Pair, "__replace__")


def test_a_class_with_fields_of_a_base_is_one_of_the_standard_library() -> None:
    @records.dataclass(frozen=True, slots=True)
    class Inner(theirs):  # type: ignore[misc, valid-type]  # a class that a function returns
        more: int = 0

    assert [one.name for one in fields(Inner)][-1] == "more"


@pytest.mark.parametrize("made", [ours(1, "a"), theirs(1, "a"), _class_with_order(dataclasses.dataclass)(1)], ids=repr)
def test_an_object_is_replaced_by_one_with_other_values(made: Any) -> None:
    name = fields(made)[0].name

    assert records.replace(made) == made
    assert getattr(records.replace(made, **{name: 5}), name) == 5
    with pytest.raises(TypeError, match="nothing"):
        records.replace(made, nothing=1)
