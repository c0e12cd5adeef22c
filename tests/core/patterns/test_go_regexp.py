"""Patterns as Go 1.26.8 read them: ``go_patterns.jsonl`` holds what ``regexp.Compile`` and ``FindAllString`` gave."""

import json
from pathlib import Path
from typing import Any, Final

import pytest

from kubectl_applylint.core.patterns.go_regexp import Alternation, Assertion, GoSyntaxError, Repeat, Series, parse

LINES: Final[list[Any]] = [
    json.loads(line) for line in Path(__file__).with_name("go_patterns.jsonl").read_text(encoding="utf-8").splitlines()
]
TEXTS: Final[list[str]] = LINES[0]["texts"]
REJECTED: Final[dict[str, str]] = {pattern: expected for pattern, expected in LINES[1:] if isinstance(expected, str)}
MATCHED: Final[dict[str, list[list[str]]]] = {
    pattern: expected for pattern, expected in LINES[1:] if isinstance(expected, list)
}


@pytest.mark.parametrize("pattern", REJECTED)
def test_patterns_that_go_rejects_have_its_message(pattern: str) -> None:
    with pytest.raises(GoSyntaxError) as error:
        parse(pattern)

    assert str(error.value) == REJECTED[pattern]


@pytest.mark.parametrize("pattern", MATCHED)
def test_patterns_that_go_reads_are_read(pattern: str) -> None:
    assert isinstance(parse(pattern), object)


def test_the_tree_has_neither_groups_nor_flags() -> None:
    tree = parse("^(?:a|(?P<n>b))*?$")

    match tree:
        case Series((Assertion(r"\A"), Repeat(Alternation((_, _)), 0, None, greedy=False), Assertion(r"\Z"))):
            return
    pytest.fail(str(tree))


def test_groups_nest_a_thousand_deep() -> None:
    parse("(" * 999 + ")" * 999)
    with pytest.raises(GoSyntaxError, match="expression nests too deeply"):
        parse("(" * 1001)
