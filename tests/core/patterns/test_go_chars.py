"""Sets of characters as Go's regexp/syntax has them."""

import re

import pytest

from kubectl_applylint.core.patterns.go_chars import LAST, PERL, POSIX, Ranges, complement, union, with_all_cases


@pytest.mark.parametrize(
    ("ranges", "merged"),
    [
        pytest.param((), (), id="none"),
        pytest.param(((5, 9), (1, 2)), ((1, 2), (5, 9)), id="sorted"),
        pytest.param(((1, 4), (5, 9)), ((1, 9),), id="adjacent"),
        pytest.param(((1, 4), (6, 9)), ((1, 4), (6, 9)), id="one apart"),
        pytest.param(((1, 9), (3, 4)), ((1, 9),), id="one inside the other"),
    ],
)
def test_a_union_is_sorted_and_does_not_overlap(ranges: Ranges, merged: Ranges) -> None:
    assert union(ranges) == merged


@pytest.mark.parametrize(
    ("ranges", "others"),
    [
        pytest.param((), ((0, LAST),), id="none"),
        pytest.param(((0, LAST),), (), id="all"),
        pytest.param(((0, 4), (6, LAST)), ((5, 5),), id="both ends"),
        pytest.param(((7, 8), (3, 4)), ((0, 2), (5, 6), (9, LAST)), id="not sorted"),
    ],
)
def test_a_negation_has_all_other_characters(ranges: Ranges, others: Ranges) -> None:
    assert complement(ranges) == others


@pytest.mark.parametrize(
    ("text", "cases"),
    [
        pytest.param("a", "Aa", id="lower case"),
        pytest.param("A", "Aa", id="upper case"),
        pytest.param("1", "1", id="no letter"),
        pytest.param("k", "Kk\u212a", id="the Kelvin sign folds to k"),
        pytest.param("\u212a", "Kk\u212a", id="k folds to the Kelvin sign"),
        pytest.param("\u017f", "Ss\u017f", id="the long s"),
        pytest.param("ß", "ß", id="a letter whose upper case is two"),
    ],
)
def test_folding_adds_the_other_cases(text: str, cases: str) -> None:
    ranges = with_all_cases(((ord(text), ord(text)),)) or ()

    assert "".join(chr(code) for low, high in ranges for code in range(low, high + 1)) == cases


def test_large_ranges_are_not_folded() -> None:
    assert with_all_cases(((0, 0x300),)) is not None
    assert with_all_cases(((0, 0x301),)) is None


def _members(ranges: Ranges) -> str:
    return "".join(chr(code) for code in range(128) if any(low <= code <= high for low, high in ranges))


@pytest.mark.parametrize(("name", "pattern"), [("d", r"[0-9]"), ("s", r"[\t\n\f\r ]"), ("w", r"[0-9A-Za-z_]")])
def test_perl_classes_are_those_of_re2(name: str, pattern: str) -> None:
    """https://github.com/google/re2/wiki/Syntax: \\s has no vertical tab."""
    assert _members(PERL[name]) == "".join(re.findall(pattern, "".join(map(chr, range(128)))))


@pytest.mark.parametrize(
    ("name", "pattern"),
    [
        ("alnum", r"[0-9A-Za-z]"),
        ("alpha", r"[A-Za-z]"),
        ("ascii", r"[\x00-\x7F]"),
        ("blank", r"[\t ]"),
        ("cntrl", r"[\x00-\x1F\x7F]"),
        ("digit", r"[0-9]"),
        ("graph", r"[!-~]"),
        ("lower", r"[a-z]"),
        ("print", r"[ -~]"),
        ("punct", r"[!-/:-@\[-`{-~]"),
        ("space", r"[\t\n\v\f\r ]"),
        ("upper", r"[A-Z]"),
        ("word", r"[0-9A-Za-z_]"),
        ("xdigit", r"[0-9A-Fa-f]"),
    ],
)
def test_posix_classes_are_those_of_re2(name: str, pattern: str) -> None:
    assert _members(POSIX[name]) == "".join(re.findall(pattern, "".join(map(chr, range(128)))))
