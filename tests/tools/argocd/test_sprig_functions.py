"""Functions of sprig, with results of sprig 3.3.0 in Argo CD 3.6."""

import pytest

from kubectl_applylint.core.values import Json
from kubectl_applylint.tools.argocd.sprig_functions import SPRIG_FUNCTIONS, Int64, OwnMap


@pytest.mark.parametrize(
    ("name", "arguments", "expected"),
    [
        ("add", (1, 3.0, "2"), 6),
        ("add1", (3.0,), 4),
        ("adler32sum", ("hello big world",), "757728687"),
        ("all", (1, ""), False),
        ("any", (0, "a"), True),
        ("atoi", ("-3",), -3),
        ("atoi", ("x",), 0),
        ("b32enc", ("hello big world",), "NBSWY3DPEBRGSZZAO5XXE3DE"),
        ("base", ("/a/b/",), "b"),
        ("base", ("",), "."),
        ("base", ("/",), "/"),
        ("biggest", (1, 2), 2),
        ("ceil", (-2.5,), -2.0),
        ("clean", ("/a/b/../c",), "/a/c"),
        ("clean", ("//a",), "/a"),
        ("clean", ("",), "."),
        ("compact", (["a", "", "b"],), ["a", "b"]),
        ("deepCopy", (["a"],), ["a"]),
        ("dict", ("a", 1, "b"), {"a": 1, "b": ""}),
        ("dir", ("//a/b",), "/a"),
        ("dir", ("a/",), "a"),
        ("dir", ("a",), "."),
        ("div", (-7, 2), -3),
        ("ext", ("/a/c.tar.gz",), ".gz"),
        ("ext", ("a.b/c",), ""),
        ("float64", (3,), 3.0),
        ("floor", (-2.5,), -3.0),
        ("indent", (1, "a"), " a"),
        ("initial", (["a", "b"],), ["a"]),
        ("isAbs", ("/a",), True),
        ("join", (",", ["a", None, 1]), "a,1"),
        ("keys", ({"k": "v"},), ["k"]),
        ("max", ("3", 2), 3),
        ("min", (1, 2), 1),
        ("mod", (-7, 3), -1),
        ("mod", (7, -3), 1),
        ("mul", (2, 3.0), 6),
        ("nindent", (1, "a"), "\n a"),
        ("nospace", ("a b\n c",), "abc"),
        ("omit", ({"a": 1, "b": 2}, "a"), {"b": 2}),
        ("pick", ({"a": 1, "b": 2}, "a", "c"), {"a": 1}),
        ("pluck", ("a", {"a": 1}, {"b": 2}), [1]),
        ("prepend", (["a"], "z"), ["z", "a"]),
        ("repeat", (3, "ab"), "ababab"),
        ("reverse", (["a", "b"],), ["b", "a"]),
        ("round", (2.345, 2), 2.35),
        ("round", (-2.5, 0), -3.0),
        ("semverCompare", (">=1.0", "1.2.3"), True),
        ("semverCompare", (">=1.0", "1.2.0-rc1"), False),
        ("seq", (3,), "1 2 3"),
        ("seq", (5, 2), "5 4 3 2"),
        ("sha1sum", ("hello big world",), "e4e124ccfb490ccbee2a6d2ef5d1762db2be5fe5"),
        ("slice", (["a", "b", "c"], 1), ["b", "c"]),
        ("slice", (["a", "b", "c"], 1, 2), ["b"]),
        ("sortAlpha", (["b", 1, None, "a"],), ["1", "a", "b"]),
        ("splitn", (",", 2, "a,b,c"), {"_0": "a", "_1": "b,c"}),
        ("sub", (5, 3.0), 2),
        ("substr", (0, 5, "hello world"), "hello"),
        ("substr", (-1, 5, "hello world"), "hello"),
        ("substr", (6, -1, "hello world"), "world"),
        ("substr", (6, 100, "hello world"), "world"),
        ("title", ("aB cD-eF_g.h",), "AB CD-EF_g.H"),
        ("toStrings", ([1, None, "a"],), ["1", "a"]),
        ("trunc", (-3, "hello"), "llo"),
        ("tuple", (1, 2), [1, 2]),
        ("until", (-2,), [0, -1]),
        ("untilStep", (1, 6, 2), [1, 3, 5]),
        ("untitle", ("Hello World",), "hello world"),
        ("values", ({"k": "v"},), ["v"]),
    ],
)
def test_functions(name: str, arguments: tuple[Json, ...], expected: Json) -> None:
    assert SPRIG_FUNCTIONS[name](*arguments) == expected


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("deepCopy", (None,)),
        ("div", (1, 0)),
        ("initial", ([],)),
        ("keys", ({"a": 1, "b": 2},)),
        ("mul", (1 << 62, 2)),
        ("pick", ("a", "b")),
        ("repeat", (-1, "a")),
        ("repeat", (1 << 40, "a")),
        ("semverCompare", ("x y", "1.0.0")),
        ("set", ({"a": 1}, "a", 2)),
        ("slice", (["a"], 3, 9)),
        ("slice", ([],)),
        ("splitn", (",", 0, "a")),
        ("substr", (-1, 9, "abc")),
        ("substr", (5, 2, "hello")),
        ("substr", (4, 9, "abc")),
        ("title", ("ä",)),
        ("trunc", (Int64(3), "hello")),
        ("until", (1 << 40,)),
        ("until", (3.0,)),
        ("float64", ("x",)),
    ],
)
def test_other_arguments_fail(name: str, arguments: tuple[Json, ...]) -> None:
    with pytest.raises((TypeError, ValueError)):
        SPRIG_FUNCTIONS[name](*arguments)


def test_a_map_of_the_template_changes_for_all_its_variables() -> None:
    made = SPRIG_FUNCTIONS["dict"]("a", 1)

    assert SPRIG_FUNCTIONS["set"](made, "b", 2) is made
    assert SPRIG_FUNCTIONS["unset"](made, "a") == {"b": 2}
    assert isinstance(SPRIG_FUNCTIONS["deepCopy"]({"a": 1}), OwnMap)
