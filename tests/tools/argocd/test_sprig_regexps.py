"""Functions of sprig with regular expressions, with results of sprig 3.3.0 in Argo CD 3.6."""

import pytest

from kubectl_applylint.core.values import Json
from kubectl_applylint.tools.argocd.sprig_regexps import REGEXP_FUNCTIONS

NAME = "Feature/My_App.v1-x"
WORDS = "hello big world"


@pytest.mark.parametrize(
    ("name", "arguments", "expected"),
    [
        ("regexMatch", ("^Fea", NAME), True),
        ("mustRegexMatch", ("^fea", NAME), False),
        ("regexFind", ("[a-z]+", NAME), "eature"),
        ("regexFind", ("[0-9]{3}", NAME), ""),
        ("regexFindAll", ("[a-z]+", WORDS, -1), ["hello", "big", "world"]),
        ("regexFindAll", ("[a-z]+", WORDS, 2), ["hello", "big"]),
        ("regexReplaceAll", ("[^a-zA-Z0-9]+", NAME, "-"), "Feature-My-App-v1-x"),
        ("regexReplaceAll", (r"(\w+)/(\w+)", NAME, "${2}-$1"), "My_App-Feature.v1-x"),
        ("regexReplaceAll", (r"(\w+)/(\w+)", NAME, "$2x-$1"), "-Feature.v1-x"),
        ("regexReplaceAll", (r"(?P<one>\w+)/", NAME, "$one."), "Feature.My_App.v1-x"),
        ("regexReplaceAll", ("a*", WORDS, "x"), "xhxexlxlxox xbxixgx xwxoxrxlxdx"),
        ("regexReplaceAll", ("x*", "axb", "-"), "-a-b-"),
        ("regexReplaceAll", ("$", WORDS, "!"), "hello big world!"),
        ("regexReplaceAll", ("$", "a\n", "!"), "a\n!"),
        ("regexReplaceAll", ("[.$]", NAME, "$$"), "Feature/My_App$v1-x"),
        ("regexReplaceAll", ("o", WORDS, "$1"), "hell big wrld"),
        ("regexReplaceAll", ("(x)?o", WORDS, "[$1]"), "hell[] big w[]rld"),
        ("regexReplaceAll", ("(?i)FEATURE", NAME, "f"), "f/My_App.v1-x"),
        ("regexReplaceAllLiteral", ("o", WORDS, "$1"), "hell$1 big w$1rld"),
        ("regexSplit", (",", "a,b,,c", -1), ["a", "b", "", "c"]),
        ("regexSplit", (",", "a,b,,c", 2), ["a", "b,,c"]),
        ("regexSplit", ("", "abc", -1), ["a", "b", "c"]),
        ("regexSplit", ("o*", "foot", -1), ["f", "t"]),
        ("regexSplit", (",", "", -1), [""]),
        ("regexSplit", ("a", "aba", -1), ["", "b", ""]),
        ("regexQuoteMeta", (NAME,), r"Feature/My_App\.v1-x"),
    ],
)
def test_functions(name: str, arguments: tuple[Json, ...], expected: Json) -> None:
    assert REGEXP_FUNCTIONS[name](*arguments) == expected


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("regexMatch", ("(", NAME)),
        ("regexMatch", ("(a+)+b", NAME)),
        ("regexMatch", ("[[:alpha:]]", NAME)),
        ("regexMatch", ("(?m)^a", NAME)),
        ("regexMatch", ("a(?i)b", NAME)),
        ("regexMatch", ("a{,2}", NAME)),
        ("regexMatch", ("a", "b" * 5000)),
        ("regexMatch", ("(?i)k", "\u212a")),
        ("regexMatch", ("a", 1)),
        ("regexFindAll", ("q", NAME, -1)),
        ("regexReplaceAll", ("a", "a" * 100, "b" * 1000)),
        ("regexSplit", (",", NAME, 0)),
    ],
)
def test_patterns_and_texts_that_are_not_supported_fail(name: str, arguments: tuple[Json, ...]) -> None:
    with pytest.raises((TypeError, ValueError)):
        REGEXP_FUNCTIONS[name](*arguments)
