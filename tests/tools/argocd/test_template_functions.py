"""Functions of ApplicationSets, with results of sprig 3.3.0 and ``applicationset/utils`` of Argo CD 3.6."""

import pytest

from kubectl_applylint.core.values import Json
from kubectl_applylint.tools.argocd.sprig_functions import Int64
from kubectl_applylint.tools.argocd.template_functions import FUNCTIONS

MERGED = {"a": "f", "c": {"d": "e", "g": "h"}}


@pytest.mark.parametrize(
    ("name", "arguments", "expected"),
    [
        ("append", (["a"], "b"), ["a", "b"]),
        ("b64dec", ("YQ==",), "a"),
        ("cat", ("a", None, 1.0), "a 1"),
        ("concat", (["a"], ["b"]), ["a", "b"]),
        ("dict", ("a", 1.0), {"a": 1.0}),
        ("dig", ("a", "b", "x", {"a": {"b": "c"}}), "c"),
        ("dig", ("a", "b", "x", {"a": {}}), "x"),
        ("fromJson", ('{"a": [1]}',), {"a": [1.0]}),
        ("fromYaml", ("a: 1",), {"a": 1.0}),
        ("kindIs", ("float64", 1.0), True),
        ("kindOf", (None,), "invalid"),
        ("kindOf", (True,), "bool"),
        ("merge", ({"a": "x", "b": {"c": "1"}}, {"a": "y", "b": {"d": "2"}}), {"a": "x", "b": {"c": "1", "d": "2"}}),
        ("fromYamlArray", ("- a\n- 1",), ["a", 1.0]),
        ("kindOf", (Int64(1),), "int64"),
        ("mergeOverwrite", ({"a": "b", "c": {"d": "e"}}, {"a": "f", "c": {"g": "h"}}), MERGED),
        ("push", (["a"], "b"), ["a", "b"]),
        ("trimall", ("/", "/a/"), "a"),
        ("normalize", ("Feature/My_App.",), "feature-my-app"),
        ("print", ("a/", "b", 1.0, True, None), "a/b1 true <nil>"),
        ("print", (), ""),
        ("rest", (["a", "b"],), ["b"]),
        ("split", ("/", "a/b"), {"_0": "a", "_1": "b"}),
        ("toYaml", ({"a": 8080.0},), "a: 8080"),
        ("trimAll", ("/", "/a/"), "a"),
        ("uniq", (["a", "b", "a"],), ["a", "b"]),
        ("without", (["a", "b"], "a"), ["b"]),
    ],
)
def test_functions(name: str, arguments: tuple[Json, ...], expected: Json) -> None:
    assert FUNCTIONS[name](*arguments) == expected


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("dig", ("a", {})),
        ("dig", ("a", "x", [])),
        ("b64dec", ("?",)),
        ("fromYaml", ("- a",)),
        ("fromYaml", ("[" * 2000,)),
        ("concat", ("a",)),
        ("fromYamlArray", ("a: 1",)),
        ("fromYamlArray", ("[" * 2000,)),
        ("mergeOverwrite", ({"a": "b"}, {"a": ""})),
        ("mergeOverwrite", ({"a": {"b": "c"}}, {"a": {"b": ""}})),
        ("normalize", (1.0,)),
    ],
)
def test_arguments_of_other_types_fail(name: str, arguments: tuple[Json, ...]) -> None:
    with pytest.raises((TypeError, ValueError)):
        FUNCTIONS[name](*arguments)


LONG = "this-is-a-very-long-name-that-has-more-than-fifty-characters-in-it"


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("Feature/My_App.v1-x",), "feature-my-app-v1-x"),
        ((8, "Feature/My_App.v1-x"), "feature"),
        ((8, False, "Feature/My_App.v1-x"), "feature"),
        ((12, False, LONG), "this-is-a-ve"),
        ((LONG,), "this-is-a-very-long-name-that-has-more-than-fifty"),
        ((3, True, LONG), "thi"),
        ((0, True, LONG), LONG),
    ],
)
def test_names_are_cut_at_a_dash(arguments: tuple[Json, ...], expected: str) -> None:
    assert FUNCTIONS["slugify"](*arguments) == expected


@pytest.mark.parametrize("arguments", [(1.0,), (-1, "a"), (1, 1, "a"), (1, True, 2, "a"), (8.0, "a")])
def test_other_arguments_of_a_cut_name_fail(arguments: tuple[Json, ...]) -> None:
    with pytest.raises(TypeError):
        FUNCTIONS["slugify"](*arguments)


@pytest.mark.parametrize("name", ["merge", "mergeOverwrite"])
def test_a_map_of_the_template_gets_what_is_merged(name: str) -> None:
    made = FUNCTIONS["dict"]("a", 1)

    assert FUNCTIONS[name](made, {"b": 2}) is made
    assert made == {"a": 1, "b": 2}
