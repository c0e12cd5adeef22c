"""Sets and keyed lists of custom resources, in which no element may be there twice.

Mirrors ``ValidateListSetsAndMaps`` of the apiextensions server.
"""

from collections.abc import Iterator, Sequence

from kubectl_applylint.core.outcome import Refusal
from kubectl_applylint.core.state import Unknown
from kubectl_applylint.core.values import Json, JsonObject, equal, items, mapping
from kubectl_applylint.server.validate.custom.reading import part, sub, texts
from kubectl_applylint.server.validate.spots import Spot


def doubles(spot: Spot, schema: JsonObject) -> Iterator[Refusal]:
    """Yield what is there twice in the lists of a value."""
    if isinstance(spot.value, dict):
        yield from _in_object(spot, schema)
    elif isinstance(spot.value, list):
        yield from _in_list(spot, schema)


def _in_object(spot: Spot, schema: JsonObject) -> Iterator[Refusal]:
    declared = sub(schema, "properties")
    for name in mapping(spot.value):
        if inner := part(schema, name):
            yield from doubles(spot.child(name) if name in declared else spot.entry(name), inner)


def _in_list(spot: Spot, schema: JsonObject) -> Iterator[Refusal]:
    match schema.get("x-kubernetes-list-type"):
        case "set":
            yield from _repeated(spot, items(spot.value))
        case "map":
            yield from _in_keyed_list(spot, texts(schema.get("x-kubernetes-list-map-keys")))
    if inner := sub(schema, "items"):
        for item in spot.items():
            yield from doubles(item, inner)


def _in_keyed_list(spot: Spot, keys: Sequence[str]) -> Iterator[Refusal]:
    bad = [item for item in spot.items() if item.value is not None and not isinstance(item.value, dict)]
    if bad:
        yield bad[0].invalid("must be an object for an array of list-type map")
        return
    yield from _repeated(
        spot, [{key: item[key] for key in keys if key in item} for item in map(mapping, items(spot.value))]
    )


def _repeated(spot: Spot, identities: Sequence[Json]) -> Iterator[Refusal]:
    """Yield the second of the elements that are the same; what only the server can know differs from everything."""
    for place, identity in enumerate(identities):
        earlier = sum(equal(identity, other) for other in identities[:place])
        if earlier == 1 and not _has_unknown(identity):
            yield Spot(identity, step=f"[{place}]", up=spot).duplicate()


def _has_unknown(identity: Json) -> bool:
    values = identity.values() if isinstance(identity, dict) else [identity]
    return any(isinstance(value, Unknown) for value in values)
