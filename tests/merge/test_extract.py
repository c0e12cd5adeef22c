"""Extracted parts of objects own exactly the fields that were asked for."""

import pytest

from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.merge.extract import extract
from kubectl_applylint.merge.fieldset import of_paths, parse
from kubectl_applylint.merge.typed_walk import field_set
from kubectl_applylint.schema.load import load

KIND = load("1.36").kind("apps/v1", "Deployment")
assert KIND is not None
ROOT = KIND.root
LIVE: JsonObject = {
    "metadata": {"labels": {"a": "b", "c": "d"}, "finalizers": ["x.io/a", "x.io/b"]},
    "spec": {
        "replicas": 3,
        "selector": {"matchLabels": {"app": "web"}},
        "template": {"spec": {"containers": [{"name": "web", "image": "web:1"}, {"name": "log", "image": "log:1"}]}},
    },
}


@pytest.mark.parametrize(
    ("fields", "part"),
    [
        ({"f:spec": {"f:replicas": {}}}, {"spec": {"replicas": 3}}),
        ({"f:spec": {"f:selector": {}}}, {"spec": {"selector": {"matchLabels": {"app": "web"}}}}),
        ({"f:metadata": {"f:labels": {"f:a": {}}}}, {"metadata": {"labels": {"a": "b"}}}),
        ({"f:metadata": {"f:labels": {}}}, {"metadata": {"labels": {}}}),
        ({"f:metadata": {"f:finalizers": {'v:"x.io/b"': {}}}}, {"metadata": {"finalizers": ["x.io/b"]}}),
        (
            {"f:spec": {"f:template": {"f:spec": {"f:containers": {'k:{"name":"log"}': {"f:image": {}}}}}}},
            {"spec": {"template": {"spec": {"containers": [{"name": "log", "image": "log:1"}]}}}},
        ),
        ({"f:spec": {"f:paused": {}}}, {"spec": {}}),
        ({}, {}),
    ],
    ids=["scalar", "whole map", "map entry", "map alone", "set element", "list element", "absent", "nothing"],
)
def test_a_part_is_taken_out(fields: JsonObject, part: Json) -> None:
    assert extract(ROOT, LIVE, parse(fields)) == part


def test_the_part_owns_what_was_asked_for_and_keys() -> None:
    image = ("f:spec", "f:template", "f:spec", "f:containers", 'k:{"name":"web"}', "f:image")

    owned = field_set(ROOT, extract(ROOT, LIVE, of_paths([image])))

    assert owned.has(image)
    assert {path[-1] for path in owned.paths()} == {'k:{"name":"web"}', "f:image", "f:name"}
