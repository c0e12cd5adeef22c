import pytest

from kubectl_applylint.core.state import Unknown
from kubectl_applylint.core.values import MISSING, Json, Missing
from kubectl_applylint.server.validate.constraints import (
    at_least,
    at_most,
    between,
    forbidden,
    keys_well_formed,
    must,
    no_longer_than,
    no_more_than,
    on_create,
    on_update,
    one_of,
    ratchet,
    required,
    required_and_one_of,
    required_one_of,
    same,
    set_at_all,
    since,
    star_alone,
    unchangeable,
    unique,
    unless,
    until,
    update_forbidden,
    well_formed,
    when,
)
from kubectl_applylint.server.validate.field_context import Constraint
from kubectl_applylint.server.validate.formats import dns_label
from tests.server.validate.objects import errors_of

SOMETHING = Unknown("only the server knows")
NEEDED = "a: Required value"
BELOW = "a: Invalid value: 1: must be greater than or equal to 5"


@pytest.mark.parametrize(
    ("constraint", "value", "expected"),
    [
        (required(), MISSING, [NEEDED]),
        (required(), "", [NEEDED]),
        (required("why"), [], ["a: Required value: why"]),
        (required(), 0, []),
        (set_at_all(), None, [NEEDED]),
        (set_at_all(), "", []),
        (forbidden("why"), 0, ["a: Forbidden: why"]),
        (must(lambda fld: fld.number() > 1, "too few"), 1, ["a: Invalid value: 1: too few"]),
        (must(lambda fld: fld.number() > 1, "too few"), 2, []),
        (must(lambda fld: fld.number() > 1, "too few"), MISSING, []),
        (forbidden("why"), MISSING, []),
        (one_of("x", "y"), MISSING, []),
        (one_of("x", "y"), "", ['a: Unsupported value: "": supported values: "x", "y"']),
        (required_one_of("x"), MISSING, ['a: Unsupported value: null: supported values: "x"']),
        (required_one_of("x"), "x", []),
        (required_and_one_of("x"), MISSING, [NEEDED]),
        (required_and_one_of("x"), "y", ['a: Unsupported value: "y": supported values: "x"']),
        (required_and_one_of("x"), "x", []),
        (well_formed(dns_label), "", []),
        (well_formed(dns_label), 5, []),
        (well_formed(lambda text: ["why"]), "x", ['a: Invalid value: "x": why']),
        (well_formed(lambda text: ["why"], even_empty=True), "", ['a: Invalid value: "": why']),
        (keys_well_formed(lambda text: ["why"]), {"k": 1}, ['a[k]: Invalid value: "k": why']),
        (keys_well_formed(dns_label), "x", []),
        (between(2, 3), 1, ["a: Invalid value: 1: must be between 2 and 3, inclusive"]),
        (between(2, 3, "why"), 4, ["a: Invalid value: 4: why"]),
        (between(2, 3), 3, []),
        (at_least(5), 1, [BELOW]),
        (at_most(5), 6, ["a: Invalid value: 6: must be less than or equal to 5"]),
        (at_most(5, "why"), 5, []),
        (no_longer_than(2), "äb", ["a: Too long: may not be more than 2 bytes"]),
        (no_longer_than(2), "ab", []),
        (no_more_than(1), [1, 2], ["a: Too many: 2: must have at most 1 items"]),
        (no_more_than(1), [1], []),
        (unique(), ["x", "y", "x"], ['a[2]: Duplicate value: "x"']),
        (unique("k"), [{"k": 1}, {"k": 1}], ["a[1].k: Duplicate value: 1"]),
        (unique("k", "l"), [{"k": 1}, {"k": 1, "l": 2}, {"k": 1}], ['a[2]: Duplicate value: {"k":1}']),
    ],
)
def test_violations_are_reported(constraint: Constraint, value: Json | Missing, expected: list[str]) -> None:
    assert errors_of(value, constraint) == expected


@pytest.mark.parametrize(
    ("constraint", "new", "old", "expected"),
    [
        (unchangeable, 1, 2, ["a: Invalid value: 1: field is immutable"]),
        (unchangeable, None, None, []),
        (unchangeable, SOMETHING, 2, []),
        (unchangeable, MISSING, "x", ["a: Invalid value: null: field is immutable"]),
        (ratchet(at_least(5)), 1, 1, []),
        (ratchet(at_least(5)), 1, 2, [BELOW]),
        (on_create(at_least(5)), 1, 2, []),
        (on_create(at_least(5)), 1, MISSING, [BELOW]),
        (on_update(at_least(5)), 1, 2, [BELOW]),
        (on_update(at_least(5)), 1, MISSING, []),
        (on_update(required()), None, 2, [NEEDED]),
        (on_update(required(), at_least(5)), None, 2, [NEEDED]),
        (when(lambda fld: fld.value == 1, at_least(5)), 1, MISSING, [BELOW]),
        (unless(lambda fld: fld.value == 1, at_least(5)), 1, MISSING, []),
        (update_forbidden("why"), 1, 1, []),
        (update_forbidden("why"), 1, 2, ["a: Forbidden: why"]),
    ],
)
def test_constraints_compare_with_the_stored_value(
    constraint: Constraint, new: Json, old: Json, expected: list[str]
) -> None:
    assert errors_of(new, constraint, old=old) == expected


def test_an_asterisk_excludes_other_verbs() -> None:
    assert errors_of(["*"], star_alone("verbs")) == []
    assert errors_of(["get", "*"], star_alone("verbs")) == [
        """a: Invalid value: ["get","*"]: if '*' is present, must not specify other verbs"""
    ]


def test_the_version_counts() -> None:
    assert [errors_of(1, since(35, at_least(5)), minor=minor) for minor in (34, 35)] == [[], [BELOW]]
    assert [errors_of(1, until(35, at_least(5)), minor=minor) for minor in (35, 36)] == [[BELOW], []]


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        ({"a": None}, {}, True),
        ({"a": ""}, {}, False),
        ({"a": [{"b": SOMETHING}]}, {"a": [{"b": 1}]}, True),
        ({"a": [1]}, {"a": [1, 1]}, False),
        ({"a": 1}, {"a": True}, False),
        (MISSING, None, True),
    ],
)
def test_sameness(left: Json | Missing, right: Json | Missing, expected: bool) -> None:
    assert (same(left, right), same(right, left)) == (expected, expected)
