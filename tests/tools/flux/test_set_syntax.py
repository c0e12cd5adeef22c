"""Single values in Helm's syntax; ``tests/fidelity/test_record_flux_releases.py`` compares more with its library."""

import pytest

from kubectl_applylint.core.values import Json
from kubectl_applylint.tools.flux.set_syntax import SetError, WholeNumber, escape_key, set_values


@pytest.mark.parametrize(
    ("text", "made"),
    [
        pytest.param("a=b", {"a": "b"}, id="a value"),
        pytest.param("a.b.c=1", {"a": {"b": {"c": 1}}}, id="maps"),
        pytest.param("a=1,b=2", {"a": 1, "b": 2}, id="two values"),
        pytest.param("a={1,x},b=2", {"a": [1, "x"], "b": 2}, id="a list"),
        pytest.param("a[1].b=x", {"a": [None, {"b": "x"}]}, id="an index beyond the end"),
        pytest.param("a[0][1]=x", {"a": [[None, "x"]]}, id="a list in a list"),
        pytest.param(r"a\.b=1\,2", {"a.b": "1,2"}, id="escapes"),
        pytest.param("a=007", {"a": "007"}, id="no number"),
        pytest.param("a=+5,b=0,c=99999999999999999999", {"a": 5, "b": 0, "c": "99999999999999999999"}, id="numbers"),
        pytest.param("a=TRUE,b=false,c=Null", {"a": True, "b": False, "c": None}, id="words"),
        pytest.param("a=", {"a": ""}, id="empty"),
        pytest.param("a.b=", {"a": {"b": ""}}, id="empty in a map"),
        pytest.param("a[0]=,b=1", {"a": [""], "b": 1}, id="empty in a list"),
        pytest.param("a[0].b=", {"a": []}, id="empty in a map in a list"),
        pytest.param("a[0", {}, id="an index without its end"),
        pytest.param("a.b[0", {}, id="an index without its end in a map"),
        pytest.param("a[0][1", {"a": []}, id="a second index without its end"),
        pytest.param("a[0]", {"a": []}, id="an index without a value"),
        pytest.param("=x", {}, id="no key"),
        pytest.param("a=b\\", {"a": "b"}, id="a backslash at the end"),
    ],
)
def test_values(text: str, made: Json) -> None:
    values: dict[str, Json] = {}
    set_values(values, text)

    assert values == made


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a", "a key has no value"),
        ("a,b=1", "a key has no value"),
        ("a=1,b", "a key has no value"),
        ("text.a=1", "the path leads through a value that is no map"),
        ("a.=1", "a map in the path has no value"),
        ("text[0]=1", "the path has an index at a value that is no list"),
        ("list[0][0]=1", "the path has an index at a value that is no list"),
        ("list[x]=1", "an index is not a number"),
        ("list[-1]=1", "an index is negative"),
        ("list[70000]=1", "an index is larger than 65536"),
        ("list[0]x=1", "there is text after an index"),
        ("a={1", "a list has no closing brace"),
        (".".join("x" * 32) + "=1", "the path has more than 30 levels"),
    ],
)
def test_invalid_texts(text: str, message: str) -> None:
    with pytest.raises(SetError, match=message):
        set_values({"text": "x", "list": ["x"]}, text)


def test_shared_maps_and_lists_are_changed() -> None:
    inner: dict[str, Json] = {"b": [1, {"c": 2}]}
    set_values({"a": inner}, "a.b[1].c=3")
    set_values({"a": inner}, "a.b[0]=4")

    assert inner == {"b": [4, {"c": 3}]}


def test_strings_stay_strings() -> None:
    values: dict[str, Json] = {"n": [None]}
    set_values(values, "n[0].x=1", is_string=True)

    assert values == {"n": [{"x": "1"}]}


def test_integers_are_no_floats_for_helm() -> None:
    values: dict[str, Json] = {}
    set_values(values, "a=5")

    assert isinstance(values["a"], WholeNumber)


def test_escaped_keys_are_read_as_written() -> None:
    values: dict[str, Json] = {}
    set_values(values, f"{escape_key('a.b[0]{x},=')}=1")

    assert values == {"a.b[0]{x},=": 1}
