"""Reads schemas written by users: malformed parts count as absent."""

from kubectl_applylint.core.values import Json, JsonObject, items, mapping


def sub(schema: JsonObject, name: str) -> JsonObject:
    """Return the schema in a field of a schema, an empty one if there is none."""
    return mapping(schema.get(name))


def part(schema: JsonObject, name: str) -> JsonObject:
    """Return the schema of a field or of an entry of an object, an empty one if there is none."""
    declared = sub(schema, "properties")
    return sub(declared, name) if name in declared else sub(schema, "additionalProperties")


def text(schema: JsonObject, name: str) -> str:
    """Return the text in a field of a schema, the empty one if there is none."""
    value = schema.get(name)
    return value if isinstance(value, str) else ""


def number(schema: JsonObject, name: str) -> float | None:
    """Return the number in a field of a schema, ``None`` if there is none."""
    value = schema.get(name)
    return value if isinstance(value, (int, float)) and not isinstance(value, bool) else None


def flag(schema: JsonObject, name: str) -> bool:
    """Return whether a field of a schema is ``true``."""
    return schema.get(name) is True


def types(schema: JsonObject) -> tuple[str, ...]:
    """Return the types that a value may have, none if every type is allowed."""
    if flag(schema, "x-kubernetes-int-or-string"):
        return ("integer", "string")
    kind = text(schema, "type")
    return (kind,) if kind else ()


def type_of(value: Json) -> str:
    """Return the JSON type of a value; ``integer`` differs from ``number``."""
    match value:
        case None:
            return "null"
        case bool():
            return "boolean"
        case int():
            return "integer"
        case float():
            return "number"
        case str():
            return "string"
        case list():
            return "array"
        case _:
            return "object"


def marks_in(schema: JsonObject) -> frozenset[str]:
    """Return the names of Kubernetes' extensions that a schema uses anywhere."""
    found: set[str] = set()
    seen: set[int] = set()
    rest: list[Json] = [schema]
    while rest:
        each = rest.pop()
        # Bundled definitions repeat many schemas, as the same object.
        if isinstance(each, dict) and id(each) not in seen:
            seen.add(id(each))
            found.update(name for name in each if name.startswith("x-kubernetes-"))
            rest += (each.get("items"), each.get("additionalProperties"), *items(each.get("allOf")))
            rest += mapping(each.get("properties")).values()
    return frozenset(found)
