"""Sets and keyed lists with elements that are there twice, as kube-apiserver 1.36 rejects them."""

import pytest

from kubectl_applylint.core.state import Unknown
from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.server.validate.custom.lists import duplicate_faults
from kubectl_applylint.server.validate.field_context import FieldContext

SET: JsonObject = {"x-kubernetes-list-type": "set"}
KEYED: JsonObject = {"x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["a", "b"]}
UID = Unknown("the uid")


def duplicates_of(value: Json, schema: JsonObject) -> list[str]:
    return [f"{each.field} {each.message}" for each in duplicate_faults(FieldContext(value, step="spec"), schema)]


@pytest.mark.parametrize(
    ("value", "schema", "errors"),
    [
        pytest.param(["a", "b"], SET, [], id="a set"),
        pytest.param(["a", "b", "a"], SET, ['spec[2] Duplicate value: "a"'], id="twice"),
        pytest.param(["a", "a", "a"], SET, ['spec[1] Duplicate value: "a"'], id="three times, said once"),
        pytest.param([1, True, "1", 1.5], SET, [], id="of other types"),
        pytest.param([[1], [1]], SET, ["spec[1] Duplicate value: [1]"], id="lists in a set"),
        pytest.param([UID, UID], SET, [], id="what only the server knows"),
        pytest.param([], SET, [], id="empty"),
        pytest.param(None, SET, [], id="null"),
        pytest.param(["a", "a"], {"x-kubernetes-list-type": "atomic"}, [], id="an atomic list"),
        pytest.param(["a", "a"], {}, [], id="no type is atomic"),
        pytest.param([{"a": 1, "b": 1}, {"a": 1, "b": 2, "c": 3}], KEYED, [], id="other keys"),
        pytest.param(
            [{"a": 1, "b": 1, "c": 1}, {"b": 1, "a": 1}],
            KEYED,
            ['spec[1] Duplicate value: {"a":1,"b":1}'],
            id="the same keys",
        ),
        pytest.param([{"a": 1}, {"a": 1}], KEYED, ['spec[1] Duplicate value: {"a":1}'], id="a key is missing in both"),
        pytest.param([{"a": 1}, {"a": 1, "b": None}], KEYED, [], id="missing is not null"),
        pytest.param([{"a": UID}, {"a": UID}], KEYED, [], id="keys that only the server knows"),
        pytest.param(
            [{"a": 1}, 7, {"a": 1}],
            KEYED,
            ["spec[1] Invalid value: 7: must be an object for an array of list-type map"],
            id="no object",
        ),
    ],
)
def test_duplicates_of_lists_are_errors(value: Json, schema: JsonObject, errors: list[str]) -> None:
    assert duplicates_of(value, schema) == errors


def test_lists_inside_are_found_by_their_path() -> None:
    schema = {"properties": {"l": {"items": {"additionalProperties": SET}}}, "additionalProperties": SET}

    assert duplicates_of({"l": [{"k": ["a", "a"]}], "x": [1, 1]}, schema) == [
        'spec.l[0][k][1] Duplicate value: "a"',
        "spec[x][1] Duplicate value: 1",
    ]
    assert duplicates_of({"y": ["a", "a"]}, {"properties": {"l": SET}}) == []
