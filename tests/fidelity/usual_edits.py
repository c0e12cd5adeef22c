"""Draws the changes that people make to a custom resource, by its definition and by other examples of its kind.

Values become others of the same form; entries of lists and maps are added, copied, removed and reordered; optional
fields are added and removed. A few edits are mistakes: those that ``edits`` draws without looking at the definition.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from random import Random
from typing import TypeAlias

from kubectl_applylint.core.values import Json, JsonObject, equal
from tests.fidelity.edits import Donors, Edited, Place, edit, kind_of_place, put, without_place
from tests.fidelity.vocabulary import MERGE_KEYS

MISTAKES = 0.1
"""The share of edits that do not look at the definition."""

_METADATA = {
    "properties": {name: {"additionalProperties": {"type": "string"}} for name in ("labels", "annotations")},
    "required": ["name", "namespace"],
}
_SERVER_FIELDS = ("apiVersion", "kind", "status")
_TEXTS = ("web", "web-2", "example.com", "https://example.com", "5m", "1Gi", "/data", "v1", "10.0.0.0/24", "Always")
_MAX_DEPTH = 4


@dataclass(frozen=True, slots=True)
class Field:
    """A value of an object with its schema."""

    place: Place
    value: Json
    schema: JsonObject
    is_required: bool


@dataclass(frozen=True, slots=True)
class Draw:
    """The input from which one edit is drawn."""

    rng: Random
    object: JsonObject
    fields: tuple[Field, ...]
    donors: Donors

    def one(self, condition: Callable[[Field], bool]) -> Field | None:
        """Return one of the fields that fulfil ``condition``, or ``None``."""
        found = [field for field in self.fields if condition(field)]
        return self.rng.choice(found) if found else None

    def examples(self, place: Place) -> list[Json]:
        """Return the values of other examples at such a place."""
        return self.donors.values.get(kind_of_place(self.object["kind"], place), [])


Operation: TypeAlias = Callable[[Draw], Edited | None]
"""Edits once; ``None`` if the object offers no occasion."""


def usual_edits(rng: Random, manifest: JsonObject, schema: JsonObject, given: Donors) -> tuple[JsonObject, list[str]]:
    """Return the manifest after one to three edits, and their names with their places."""
    names: list[str] = []
    for _ in range(rng.choice((1, 1, 1, 2, 2, 3))):
        if rng.random() < MISTAKES:
            manifest, mistakes = edit(rng, manifest, given, count=1)
            names.extend(f"mistake: {name}" for name in mistakes)
            continue
        name = rng.choices(tuple(OPERATIONS), [weight for weight, _ in OPERATIONS.values()])[0]
        edited = OPERATIONS[name][1](Draw(rng, manifest, tuple(_fields(manifest, _authored_schema(schema))), given))
        if edited is not None:
            manifest, place = edited
            names.append(f"{name} {'.'.join(map(str, place))}")
    return manifest, names


def version_schema(crd: JsonObject, api_version: str) -> JsonObject:
    """Return the schema of a served version of a definition."""
    versions = {f"{crd['spec']['group']}/{version['name']}": version for version in crd["spec"]["versions"]}
    found: JsonObject = versions[api_version]["schema"]["openAPIV3Schema"]
    return found


def _authored_schema(schema: JsonObject) -> JsonObject:
    """Return a schema with only the fields that authors write."""
    own = {name: inner for name, inner in schema["properties"].items() if name not in _SERVER_FIELDS}
    return {**schema, "properties": {**own, "metadata": _METADATA}, "required": ["spec", "metadata"]}


def _fields(value: Json, schema: JsonObject, place: Place = (), *, is_required: bool = True) -> Iterator[Field]:
    """Yield a value and all that the schema describes inside it, outer ones first."""
    yield Field(place, value, schema, is_required)
    if isinstance(value, list):
        for position, item in enumerate(value):
            yield from _fields(item, schema.get("items", {}), (*place, position), is_required=False)
    elif isinstance(value, dict):
        required = schema.get("required", ())
        for key, item in value.items():
            inner = _inner_schema(schema, key)
            if inner is not None:
                yield from _fields(item, inner, (*place, key), is_required=key in required)


def _inner_schema(schema: JsonObject, key: str) -> JsonObject | None:
    """Return the schema of a key of an object, ``None`` if authors do not write it."""
    inner = schema.get("properties", {}).get(key)
    if inner is None and "properties" not in schema:
        inner = schema.get("additionalProperties", {})
    return inner if isinstance(inner, dict) else None


def _is_scalar(field: Field) -> bool:
    return field.value is not None and not isinstance(field.value, dict | list)


def _is_list(field: Field) -> bool:
    return isinstance(field.value, list) and bool(field.value)


def _is_map(field: Field) -> bool:
    return isinstance(field.value, dict) and isinstance(field.schema.get("additionalProperties"), dict)


def _other_value(draw: Draw) -> Edited | None:
    """Replace a scalar by another of the same form."""
    field = draw.one(_is_scalar)
    if field is None:
        return None
    return _put(draw, field.place, _scalar(draw, field))


def _put(draw: Draw, place: Place, value: Json) -> Edited | None:
    return None if value is None else (put(draw.object, place, value), place)


def _scalar(draw: Draw, field: Field) -> Json:
    """Return another scalar that the schema of a field allows, ``None`` if there is none."""
    given = draw.examples(field.place) if draw.rng.random() < 0.4 else []
    drawn = [*draw.rng.sample(given, len(given)), *_variants(draw.rng, field.value, field.schema)]
    fitting = (new for new in drawn if is_fitting(new, field.schema) and type(new) is type(field.value))
    return next((new for new in fitting if not equal(new, field.value)), None)


def _variants(rng: Random, value: Json, schema: JsonObject) -> list[Json]:
    """Return values of the same form: enumerated ones, numbers near by, texts with another number or another end."""
    if "enum" in schema:
        return rng.sample(schema["enum"], len(schema["enum"]))
    match value:
        case bool():
            return [not value]
        case int() | float():
            return [*rng.sample((value + 1, value * 2, value - 1), 3), value + 1]
        case str() if re.search(r"\d", value):
            return [re.sub(r"\d+(?=\D*$)", lambda found: str(int(found[0]) + rng.choice((1, 2, 5))), value)]
        case str():
            return [*rng.sample((f"{value}-b", f"{value}2", f"{value}x"), 3), *_TEXTS]
        case _:
            return []


def is_fitting(value: Json, schema: JsonObject) -> bool:
    """Return whether a scalar keeps the limits that its schema states; those of formats are not known."""
    if "enum" in schema and value not in schema["enum"]:
        return False
    match value:
        case bool():
            return True
        case int() | float():
            return bool(schema.get("minimum", value) <= value <= schema.get("maximum", value))
        case str():
            is_long = schema.get("minLength", 0) <= len(value) <= schema.get("maxLength", len(value))
            return bool(is_long and re.search(schema.get("pattern", ""), value))
        case _:
            return True


def _added_item(draw: Draw) -> Edited | None:
    """Add an item to a list: a copy under another name, or an item of another example."""
    field = draw.one(_is_list)
    if field is None:
        return None
    given = draw.examples((*field.place, 0))
    if given and draw.rng.random() < 0.3:
        new = draw.rng.choice(given)
    else:
        new = _renamed_copy(draw, field, draw.rng.randrange(len(field.value)))
    if new is None:
        return None
    position = draw.rng.choice((len(field.value), len(field.value), draw.rng.randrange(len(field.value) + 1)))
    return _put(draw, field.place, [*field.value[:position], new, *field.value[position:]])


def _renamed_copy(draw: Draw, field: Field, position: int) -> Json:
    """Return a copy of an item under another name, ``None`` if its name cannot be changed."""
    place, item, schema = (*field.place, position), field.value[position], field.schema.get("items", {})
    if not isinstance(item, dict):
        return _scalar(draw, Field(place, item, schema, is_required=False))
    keys = [key for key in field.schema.get("x-kubernetes-list-map-keys", MERGE_KEYS) if key in item]
    if not keys:
        return item
    name = _scalar(draw, Field((*place, keys[0]), item[keys[0]], _inner_schema(schema, keys[0]) or {}, True))
    return None if name is None else {**item, keys[0]: name}


def _removed_item(draw: Draw) -> Edited | None:
    field = draw.one(lambda field: _is_list(field) and len(field.value) > field.schema.get("minItems", 0))
    if field is None:
        return None
    place = (*field.place, draw.rng.randrange(len(field.value)))
    return without_place(draw.object, place), place


def _reorder(draw: Draw) -> Edited | None:
    field = draw.one(lambda field: _is_list(field) and len(field.value) > 1)
    return None if field is None else _put(draw, field.place, draw.rng.sample(field.value, len(field.value)))


def _added_entry(draw: Draw) -> Edited | None:
    """Add an entry to a map, which may be absent if it is one of the metadata."""
    place = ("metadata", draw.rng.choice(("labels", "annotations")))
    field = draw.one(_is_map) if draw.rng.random() < 0.7 else Field(place, {}, {}, is_required=False)
    if field is None:
        return None
    values = field.value.values() or draw.object["metadata"].get(field.place[-1], {}).values()
    value = draw.rng.choice(list(values)) if values else "platform"
    return _put(draw, field.place, {**_at(draw.object, field.place), draw.rng.choice(("team", "tier", "zone")): value})


def _at(value: Json, place: Place) -> JsonObject:
    """Return the map at a place, an empty one if there is none."""
    for step in place:
        value = value.get(step) if isinstance(value, dict) else value[step]
    return value or {}


def _removed_entry(draw: Draw) -> Edited | None:
    field = draw.one(lambda field: _is_map(field) and bool(field.value))
    if field is None:
        return None
    place = (*field.place, draw.rng.choice(list(field.value)))
    return without_place(draw.object, place), place


def _added_field(draw: Draw) -> Edited | None:
    """Add an optional field, mostly one that other examples have."""
    field = draw.one(lambda field: isinstance(field.value, dict) and field.place[:1] == ("spec",))
    if field is None:
        return None
    absent = [name for name in field.schema.get("properties", {}) if name not in field.value]
    known = [name for name in absent if draw.examples((*field.place, name))]
    if not absent:
        return None
    name = draw.rng.choice(known if known and draw.rng.random() < 0.7 else absent)
    given = draw.examples((*field.place, name))
    value = draw.rng.choice(given) if given else sample(draw.rng, field.schema["properties"][name])
    return _put(draw, (*field.place, name), value)


def sample(rng: Random, schema: JsonObject, depth: int = 0) -> Json:
    """Return a value that the schema allows, ``None`` if none is found."""
    if "enum" in schema:
        return rng.choice(schema["enum"])
    match schema.get("type"):
        case "boolean":
            return rng.random() < 0.5
        case "integer" | "number":
            return next((each for each in (5, schema.get("minimum")) if is_fitting(each, schema)), None)
        case "array":
            item = sample(rng, schema["items"], depth + 1) if depth < _MAX_DEPTH else None
            return None if item is None else [item]
        case "object":
            return _sample_object(rng, schema, depth)
        case _:
            return next((text for text in rng.sample(_TEXTS, len(_TEXTS)) if is_fitting(text, schema)), None)


def _sample_object(rng: Random, schema: JsonObject, depth: int) -> Json:
    """Return an object with the required fields of its schema, and with one more."""
    properties = schema.get("properties", {})
    optional = [rng.choice(list(properties))] if properties else []
    names = list(dict.fromkeys([*schema.get("required", ()), *optional])) if depth < _MAX_DEPTH else []
    found = {name: sample(rng, properties[name], depth + 1) for name in names if name in properties}
    inner = schema.get("additionalProperties")
    if isinstance(inner, dict):
        found["tier"] = sample(rng, inner, depth + 1)
    return None if None in found.values() else found


def _removed_field(draw: Draw) -> Edited | None:
    field = draw.one(lambda field: not field.is_required and len(field.place) > 1 and isinstance(field.place[-1], str))
    return None if field is None else (without_place(draw.object, field.place), field.place)


OPERATIONS: Mapping[str, tuple[int, Operation]] = {
    "value": (30, _other_value),
    "add item": (14, _added_item),
    "remove item": (9, _removed_item),
    "reorder": (7, _reorder),
    "add entry": (9, _added_entry),
    "remove entry": (5, _removed_entry),
    "add field": (16, _added_field),
    "remove field": (10, _removed_field),
}
"""How often each operation is drawn. Changing anything here changes what a seed stands for."""
