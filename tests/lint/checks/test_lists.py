import pytest

from kubectl_applylint.core.paths import ByKey, Field, Index, Path, parse, render
from kubectl_applylint.core.state import Unknown
from kubectl_applylint.core.values import Json
from kubectl_applylint.lint.checks._lists import covers, lists, with_merge_keys
from kubectl_applylint.schema.types import Node, Shape
from tests.rules.stories import SCHEMA


@pytest.mark.parametrize(
    ("whole", "part", "covered"),
    [
        ({"a": 1, "b": 2}, {"a": 1}, True),
        ({"a": 1}, {"a": 1, "b": ""}, True),
        ({"a": 1}, {"a": 1, "b": 0}, False),
        ({"a": 1}, {"a": 2}, False),
        ({"a": [{"x": 1, "y": 2}]}, {"a": [{"x": 1}]}, True),
        ([1, 2], [1], False),
        ("a", {"a": 1}, False),
        ({"a": Unknown("a placeholder")}, {"a": "${A}"}, True),
    ],
    ids=repr,
)
def test_covers(whole: Json, part: Json, covered: bool) -> None:
    assert covers(whole, part) is covered


POD: Json = {
    "spec": {
        "containers": [{"name": "web", "args": ["a"], "env": [{"name": "A"}, {}]}],
        "tolerations": [{"key": "x"}],
        "unheard-of": [{"name": "x"}],
    }
}


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("spec.containers[0].env[0].name", "spec.containers[name=web].env[name=A].name"),
        ("spec.containers[0].env[1]", "spec.containers[name=web].env[1]"),
        ("spec.containers[0].args[0]", "spec.containers[name=web].args[0]"),
        ("spec.tolerations[0].key", "spec.tolerations[0].key"),
        ('spec["unheard-of"][0].name', "spec.unheard-of[0].name"),
    ],
    ids=str,
)
def test_keyed_names_elements_by_merge_key(path: str, words: str) -> None:
    kind = SCHEMA.kind("v1", "Pod")
    assert kind

    assert render(with_merge_keys(POD, kind.root, parse(path))) == words


def test_keyed_leaves_steps_that_name_elements_already() -> None:
    path: Path = (Field("a"), ByKey((("name", "x"),)), Field("b"))

    assert with_merge_keys({"a": [{"name": "x", "b": 1}]}, Node(Shape.OBJECT), path) == path


def test_lists_are_those_that_only_maps_lead_to() -> None:
    value = {"a": [[1], {"b": [2]}], "c": {"d": []}, "e": 1}

    assert [(render(path), found) for path, found in lists(value)] == [("a", value["a"]), ("c.d", [])]
    assert list(lists([1], (Index(0),))) == [((Index(0),), [1])]
