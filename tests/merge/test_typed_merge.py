"""Merges of configurations, and values without removed paths, as seen on Kubernetes 1.36.3."""

import pytest

from kubectl_applylint.core.values import Json
from kubectl_applylint.merge.fieldset import of_paths, parse
from kubectl_applylint.merge.typed_merge import merge, remove, with_named_fields
from tests.merge.samples import SPEC


@pytest.mark.parametrize(
    ("live", "config", "merged"),
    [
        ({"size": 1, "on": True}, {"size": 2}, {"size": 2, "on": True}),
        ({"labels": {"x": "1"}}, {"labels": {}}, {"labels": {"x": "1"}}),
        ({"labels": {"x": "1"}}, {"labels": None}, {"labels": {"x": "1"}}),
        ({"whole": {"x": "1"}}, {"whole": {"y": "2"}}, {"whole": {"y": "2"}}),
        ({"atomic": ["x"]}, {"atomic": None}, {"atomic": None}),
        ({"set": ["b", "a"]}, {"set": ["c", "a"]}, {"set": ["b", "c", "a"]}),
        ({"set": ["one", "two"]}, {"set": ["three", "one"]}, {"set": ["three", "one", "two"]}),
        ({"set": ["a", "b"]}, {"set": ["b", "a"]}, {"set": ["b", "a"]}),
        ({"set": ["a"]}, {"set": []}, {"set": ["a"]}),
        ({"set": None}, {"set": []}, {"set": []}),
        (
            {"keyed": [{"a": "q", "n": 1}, {"a": "r"}]},
            {"keyed": [{"a": "q", "b": "dd"}]},
            {"keyed": [{"a": "q", "n": 1, "b": "dd"}, {"a": "r"}]},
        ),
        ({"keyed": [{"a": "q", "n": 1}, {"a": "q", "n": 2}]}, {"keyed": [{"a": "q"}]}, {"keyed": [{"a": "q"}]}),
    ],
)
def test_a_configuration_merges_into_the_live_value(live: Json, config: Json, merged: Json) -> None:
    assert merge(SPEC, live, config) == merged


@pytest.mark.parametrize(
    ("gone", "left"),
    [
        ({"f:size": {}}, {"labels": {"x": "1"}, "set": ["a"], "keyed": [{"a": "q", "n": 1}]}),
        ({"f:labels": {"f:x": {}}}, {"size": 1, "labels": None, "set": ["a"], "keyed": [{"a": "q", "n": 1}]}),
        ({"f:set": {'v:"a"': {}}}, {"size": 1, "labels": {"x": "1"}, "set": None, "keyed": [{"a": "q", "n": 1}]}),
        (
            {"f:keyed": {'k:{"a":"q","b":"dd"}': {"f:n": {}}}},
            {"size": 1, "labels": {"x": "1"}, "set": ["a"], "keyed": [{"a": "q"}]},
        ),
    ],
)
def test_removed_paths_leave_the_rest_of_a_value(gone: Json, left: Json) -> None:
    value = {"size": 1, "labels": {"x": "1"}, "set": ["a"], "keyed": [{"a": "q", "n": 1}]}

    assert remove(SPEC, value, parse(gone)) == left


def test_a_struct_is_removed_with_its_last_field_but_a_map_entry_is_not() -> None:
    fields = of_paths([("f:labels", "f:x"), ("f:free", "f:m", "f:k")])

    assert with_named_fields(SPEC, fields).to_json() == {
        "f:labels": {".": {}, "f:x": {}},
        "f:free": {".": {}, "f:m": {"f:k": {}}},
    }
