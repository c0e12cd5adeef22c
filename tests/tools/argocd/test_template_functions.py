"""Functions of ApplicationSets, with results of sprig 3.3.0 and ``applicationset/utils`` of Argo CD 3.6."""

import pytest

from kubectl_applylint.core.values import Json
from kubectl_applylint.tools.argocd.template_functions import FUNCTIONS


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
        ("dict", ("a",)),
        ("b64dec", ("?",)),
        ("fromYaml", ("- a",)),
        ("fromYaml", ("[" * 2000,)),
        ("concat", ("a",)),
        ("normalize", (1.0,)),
    ],
)
def test_arguments_of_other_types_fail(name: str, arguments: tuple[Json, ...]) -> None:
    with pytest.raises((TypeError, ValueError)):
        FUNCTIONS[name](*arguments)


def test_the_function_that_argo_cd_defines_in_another_way_is_not_that_of_resource_sets() -> None:
    assert "slugify" not in FUNCTIONS
