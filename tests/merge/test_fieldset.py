import time
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubectl_applylint.core.paths import ByKey, ByValue, Field, Index
from kubectl_applylint.core.state import Unknown
from kubectl_applylint.core.values import Json
from kubectl_applylint.merge.fieldset import EMPTY, FieldSet, key_element, of_paths, parse, render, to_path

ELEMENTS = st.sampled_from(["f:a", "f:b", 'k:{"name":"x"}', 'v:"y"', "v:1", "i:0"])
SETS = st.lists(st.lists(ELEMENTS, min_size=1, max_size=3).map(tuple), max_size=6).map(of_paths)


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"f:spec": {"f:replicas": {}}},
        {"f:metadata": {"f:labels": {".": {}, "f:app": {}}}},
        {"f:spec": {"f:ports": {'k:{"port":80,"protocol":"TCP"}': {".": {}, "f:port": {}}}}},
    ],
)
def test_fields_v1_is_parsed_and_written_unchanged(fields: Json) -> None:
    assert parse(fields).to_json() == fields


def test_invalid_fields_v1_are_empty() -> None:
    assert parse({"f:a": "text", ".": {}}) == EMPTY


@given(SETS)
def test_a_set_is_written_and_parsed_to_itself(fields: FieldSet) -> None:
    assert parse(fields.to_json()) == fields
    assert of_paths(fields.paths()) == fields


@given(SETS)
def test_subtracting_missing_paths_returns_the_same_set(fields: FieldSet) -> None:
    assert fields - of_paths([("f:elsewhere",)]) is fields
    assert fields - fields == EMPTY


@given(SETS, SETS)
def test_the_algebra_is_that_of_sets(left: FieldSet, right: FieldSet) -> None:
    lefts, rights = set(left.paths()), set(right.paths())

    assert set((left | right).paths()) == lefts | rights
    assert set((left & right).paths()) == lefts & rights
    assert set((left - right).paths()) == lefts - rights
    assert all(left.has(path) for path in lefts)
    assert not any((left - right).has(path) for path in rights)


@given(SETS, SETS)
def test_without_removes_nested_paths(left: FieldSet, right: FieldSet) -> None:
    gone = set(right.paths())
    kept = {path for path in left.paths() if not any(path[:length] in gone for length in range(1, len(path) + 1))}

    assert set(left.without(right).paths()) == kept


def test_a_path_becomes_steps_and_the_servers_text() -> None:
    path = ("f:spec", "f:ports", 'k:{"port":80,"protocol":"TCP"}', "f:a.b", 'v:"x"', "i:2")

    assert to_path(path)[2:] == (ByKey((("port", 80), ("protocol", "TCP"))), Field("a.b"), ByValue("x"), Index(2))
    assert render(path) == '.spec.ports[port=80,protocol="TCP"].a.b[="x"][2]'


def test_a_key_that_only_the_server_knows_has_an_element_too() -> None:
    assert key_element({"name": Unknown("drawn by the server")}) == 'k:{"name":{"$unknown":"drawn by the server"}}'


def test_sets_of_an_object_of_one_megabyte_are_combined_within_a_tenth_of_a_second() -> None:
    """The best of three runs counts, in time of the processor: how busy the machine is says nothing."""
    fields = [(f'k:{{"name":"V{number}"}}', name) for number in range(100) for name in ("f:name", "f:value")]
    variables = of_paths(fields)
    whole = FieldSet(children={f'k:{{"name":"c{number}"}}': variables for number in range(100)})
    part = FieldSet(children=dict(list(whole.children.items())[::2]))

    for operation in (FieldSet.__or__, FieldSet.__and__, FieldSet.__sub__, FieldSet.without):
        assert min(_seconds(operation, whole, part) for _ in range(3)) < 0.1


def _seconds(operation: Callable[[FieldSet, FieldSet], FieldSet], left: FieldSet, right: FieldSet) -> float:
    started = time.process_time()
    operation(left, right)
    return time.process_time() - started


@pytest.mark.parametrize(
    ("text", "spelled"),
    [
        ('k:{ "protocol":"UDP","port":443}', 'k:{"port":443,"protocol":"UDP"}'),
        ('k:{"port":80.0}', 'k:{"port":80}'),
        ('v: "a.b/c"', 'v:"a.b/c"'),
        ('v:"a.b/c" ', 'v:"a.b/c"'),
        ("i: 0", "i:0"),
        ('k:{"name":"a\\u0062"}', 'k:{"name":"ab"}'),
    ],
)
def test_elements_are_spelled_as_the_server_spells_them(text: str, spelled: str) -> None:
    fields = parse({"f:list": {text: {"f:x": {}}}})

    assert fields == parse({"f:list": {spelled: {"f:x": {}}}})
    assert fields.to_json() == {"f:list": {spelled: {"f:x": {}}}}


def test_the_last_of_two_spellings_of_an_element_counts() -> None:
    fields = parse({'k:{"port":80.0}': {".": {}, "f:a": {}}, 'k:{"port":80}': {".": {}, "f:b": {}}})

    assert fields.to_json() == {'k:{"port":80}': {".": {}, "f:b": {}}}
