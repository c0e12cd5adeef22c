"""The functions of templates of ResourceSets; ``tests/cluster/test_set_templates.py`` compares them with Go."""

import pytest

from kubectl_applylint.core.values import Json
from kubectl_applylint.tools.flux.set_functions import FUNCTIONS, is_true, text_of


@pytest.mark.parametrize(
    ("value", "text", "counts"),
    [(None, "<no value>", False), ("", "", False), (0, "0", False), ([], "[]", False), (True, "true", True)],
)
def test_a_value_is_printed_and_may_count_as_true(value: Json, text: str, *, counts: bool) -> None:
    assert text_of(value) == text
    assert is_true(value) is counts


@pytest.mark.parametrize(
    ("name", "arguments", "result"),
    [
        ("int", ["012"], 12),
        ("int", ["x"], 0),
        ("int", [2.7], 2),
        ("int", [None], 0),
        ("eq", [None, None], True),
        ("eq", [None, "a"], False),
        ("eq", [1, 2, 1], True),
        ("quote", ["ä\n\x01\u2028", None], '"ä\\n\\x01\\u2028"'),
        ("slugify", ["a b@c"], "a-batc"),
        ("slugify", ["word " * 14], "word-word-word-word-word-word-word-word-word-word-word-word"),
        ("slugify", ["a" * 70], "a" * 63),
        ("printf", ["%d%% %s %v %q", 1, "a", [1], "b"], '1% a [1] "b"'),
        ("toString", [None], ""),
        ("coalesce", ["", None], None),
        ("sub", [5, "2"], 3),
        ("le", ["a", "a"], True),
        ("ge", [1, 2], False),
        ("lt", [1.5, 2.5], True),
        ("last", [["a", "b"]], "b"),
        ("first", [["a", "b"]], "a"),
        ("has", ["a", ["a"]], True),
        ("get", [{"a": 1}, "a"], 1),
        ("get", [{"a": 1}, "b"], ""),
        ("dig", ["a", "b", "none", {"a": {"b": 1}}], 1),
        ("dig", ["a", "c", "none", {"a": {"b": 1}}], "none"),
        ("dig", ["b", "c", "none", {"a": {"b": 1}}], "none"),
        ("dig", ["a", "none", {"a": None}], None),
        ("dict", ["a", 1, "b"], {"a": 1, "b": ""}),
        ("hasKey", [{"a": 1}, "a"], True),
        ("hasSuffix", ["b", "ab"], True),
        ("empty", [""], True),
        ("trim", [" a "], "a"),
        ("list", [1, "a"], [1, "a"]),
        ("splitList", [",", "a,b"], ["a", "b"]),
        ("sha256sum", ["a"], "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb"),
        ("toYaml", ["yes"], '"yes"\n'),
        ("len", ["ä"], 2),
    ],
)
def test_a_function_returns_what_that_of_go_returns(name: str, arguments: list[Json], result: Json) -> None:
    assert FUNCTIONS[name](*arguments) == result


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("lt", [True, False]),
        ("eq", ["a", 1]),
        ("upper", [1]),
        ("indent", [101, "a"]),
        ("indent", ["2", "a"]),
        ("index", [["a"], "b"]),
        ("index", [["a"], 5]),
        ("trunc", [1, "ä"]),
        ("slugify", ["ä"]),
        ("printf", ["%s"]),
        ("printf", ["%d", "a"]),
        ("printf", ["%05d", 1]),
        ("first", ["a"]),
        ("len", [1]),
        ("ternary", [1, 2, "x"]),
        ("dig", ["a", {}]),
        ("dig", ["a", "b", "none", {"a": 1}]),
        ("dig", [1, "none", {}]),
    ],
)
def test_other_arguments_raise_an_error(name: str, arguments: list[Json]) -> None:
    with pytest.raises((TypeError, ValueError, IndexError)):
        FUNCTIONS[name](*arguments)
