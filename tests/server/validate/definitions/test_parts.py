"""Parts of a schema that validation skips have no errors."""

from collections.abc import Callable, Iterable
from random import Random

import pytest

from kubectl_applylint.core.outcome import FieldError
from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.server.validate.definitions.openapi import openapi_faults
from kubectl_applylint.server.validate.definitions.parts import Parts, fields, inner, parts_of, remarkable
from kubectl_applylint.server.validate.definitions.structure import structural_faults
from kubectl_applylint.server.validate.field_context import FieldContext

_TYPES = ("string", "integer", "array", "object", "object", "object", "null", "text", "")
_ODD: tuple[JsonObject, ...] = (
    {"default": "x"},
    {"uniqueItems": True},
    {"nullable": True},
    {"id": "x"},
    {"definitions": {"a": {"type": "b"}}},
    {"pattern": "^a"},
    {"pattern": "(?=a)"},
    {"x-kubernetes-preserve-unknown-fields": True},
    {"x-kubernetes-preserve-unknown-fields": False},
    {"x-kubernetes-embedded-resource": True},
    {"x-kubernetes-int-or-string": True, "anyOf": [{"type": "integer"}, {"type": "string"}]},
    {"x-kubernetes-int-or-string": True, "x-kubernetes-preserve-unknown-fields": True},
    {"anyOf": [{"type": "integer"}, {"type": "string"}]},
    {"anyOf": [{"type": "number"}]},
    {"anyOf": [{"required": ["a"]}, {"properties": {"a": {"title": "x"}}}]},
    {"not": {"properties": {"a": {"type": "c"}}}},
    {"x-kubernetes-map-type": "atomic"},
    {"x-kubernetes-map-type": "odd"},
    {"x-kubernetes-list-type": "atomic"},
    {"x-kubernetes-list-type": "set"},
    {"x-kubernetes-list-type": "odd"},
    {"x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["a"]},
    {"x-kubernetes-list-map-keys": ["a"]},
    {"x-kubernetes-validations": [{"rule": ""}]},
    {"additionalProperties": True},
    {"additionalProperties": {"type": "object"}},
    {"items": [{"type": "string"}]},
    {"items": None},
    {"properties": {"b": None}},
)


def schema(random: Random, levels: int) -> JsonObject:
    """Return a schema that now and then says something odd."""
    kind = random.choice(_TYPES)
    made: dict[str, Json] = {"type": kind} if kind else {}
    if levels and kind == "object":
        names = random.sample(("a", "b", "metadata", "kind", "spec"), random.randint(0, 3))
        made["properties"] = {name: schema(random, levels - 1) for name in names}
    if kind == "array" and random.random() < 0.9:
        made["items"] = schema(random, levels - 1) if levels else {"type": "string"}
    if random.random() < 0.3:
        made |= random.choice(_ODD)
    return made


def looked_at(part: JsonObject) -> JsonObject:
    """Return a schema with an empty list of conditions everywhere, which has no effect and is always read."""
    made = {**part, "allOf": []}
    if isinstance(part.get("properties"), dict):
        made["properties"] = {
            name: looked_at(each) if isinstance(each, dict) else each for name, each in part["properties"].items()
        }
    for name in ("items", "additionalProperties", "not"):
        if isinstance(part.get(name), dict):
            made[name] = looked_at(part[name])
    return made


def whole(spec: JsonObject, name: JsonObject) -> FieldContext:
    """Return the schema of a definition with these schemas of the spec, and of the name in the metadata."""
    metadata = {"type": "object", "properties": {"name": name}}
    value = {"type": "object", "properties": {"metadata": metadata, "spec": spec}}
    return FieldContext(value, step=".openAPIV3Schema", up=FieldContext({}))


@pytest.mark.slow
@pytest.mark.parametrize("faults", [openapi_faults, structural_faults])
def test_skipped_parts_of_a_schema_have_no_errors(
    faults: Callable[[FieldContext, Parts], Iterable[FieldError]],
) -> None:
    random = Random(3)
    wrong = 0
    for _ in range(3000):
        spec, name = schema(random, 3), schema(random, 1)
        looked_into, odd = whole(spec, name), whole(looked_at(spec), looked_at(name))
        found = [*faults(looked_into, parts_of(looked_into.value))]
        wrong += bool(found)

        assert found == [*faults(odd, parts_of(odd.value))]

    assert 1000 < wrong < 2900


def test_remarkable_are_those_around_too() -> None:
    leaf, plain = {"type": "string", "default": "x"}, {"type": "string"}
    items = {"type": "object", "properties": {"b": leaf, "c": plain}}
    of_list = {"type": "array", "items": items}
    root = {"type": "object", "properties": {"a": of_list, "p": plain, "n": None}}

    found = remarkable(parts_of(root), lambda part: "default" in part)

    assert {id(root), id(of_list), id(items), id(leaf), id(None)} <= found
    assert id(plain) not in found
    assert [str(part) for part in fields(FieldContext(root), found)] == ["properties[a]", "properties[n]"]
    assert [str(part) for part in inner(FieldContext(of_list), "items", found)] == ["items"]
    assert [*inner(FieldContext({"items": plain}), "items", found)] == []


@pytest.mark.parametrize(
    ("part", "asked"),
    [
        ({"type": "string", "description": "A name."}, False),
        ({"type": "object", "nullable": True}, False),
        ({"type": "array"}, True),
        ({"type": ["string"]}, True),
        ({"description": "A name."}, True),
        ({"type": "string", "pattern": "^a"}, True),
    ],
    ids=str,
)
def test_schemas_without_constraints_are_skipped(part: JsonObject, asked: bool) -> None:
    found: list[JsonObject] = []
    root = {"type": "object", "properties": {"a": part}}

    remarkable(parts_of(root), lambda each: found.append(each) or False)  # type: ignore[func-returns-value]  # append gives none

    assert found == ([part, root] if asked else [root])
