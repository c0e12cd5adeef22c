"""Pairs of new and stored values of custom resources: values are ratcheted if they can be matched.

Mirrors ``CorrelatedObject`` and ``MapList`` of apiserver's ``pkg/cel/common``.
"""

from collections.abc import Sequence

from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.values import MISSING, Json, JsonObject, Missing, equal, items, mapping, texts_at
from kubectl_applylint.server.validate.custom.reading import part, sub


@dataclass(frozen=True, slots=True)
class Pair:
    """A value and the stored one in its place, with their schema."""

    new: Json
    old: Json
    schema: JsonObject

    def key(self, name: str) -> "Pair | None":
        """Return the pair of a field or entry, ``None`` if it is not on both sides or has no schema."""
        if not isinstance(self.new, dict) or not isinstance(self.old, dict):
            return None
        schema = part(self.schema, name)
        if name not in self.new or name not in self.old or not schema:
            return None
        return Pair(self.new[name], self.old[name], schema)

    def index(self, place: int) -> "Pair | None":
        """Return the pair of an element, ``None`` except for elements of keyed lists whose key was stored."""
        if not isinstance(self.new, list) or not isinstance(self.old, list):
            return None
        old, schema = matching(self.schema, self.old, self.new[place]), sub(self.schema, "items")
        return None if old is MISSING or not schema else Pair(self.new[place], old, schema)

    @property
    def same(self) -> bool:
        """Whether nothing changed. A value without a schema, or without a match, counts as changed."""
        match self.new, self.old:
            case list(new), list(old):
                return len(new) == len(old) and self._same_elements(new)
            case dict(new), dict(old):
                return len(new) == len(old) and all((pair := self.key(name)) is not None and pair.same for name in new)
            case _:
                return equal(self.new, self.old)

    def _same_elements(self, elements: Sequence[Json]) -> bool:
        """Return whether a list is unchanged; a keyed list is compared element by element."""
        if self.schema.get("x-kubernetes-list-type") != "map":
            return equal(self.new, self.old)
        return all((pair := self.index(place)) is not None and pair.same for place in range(len(elements)))


def matching(schema: JsonObject, stored: Json, element: Json) -> Json | Missing:
    """Return the element of a stored list that has the keys of ``element``, ``MISSING`` if the list has no keys."""
    keys = texts_at(schema, "x-kubernetes-list-map-keys")
    if schema.get("x-kubernetes-list-type") != "map" or not keys:
        return MISSING
    wanted = _identity(element, keys)
    if wanted is None:
        return MISSING
    return next((each for each in items(stored) if _is_identity(_identity(each, keys), wanted)), MISSING)


def _identity(element: Json, keys: Sequence[str]) -> list[Json] | None:
    values = [mapping(element).get(key) for key in keys]
    return values if all(isinstance(value, (bool, int, float, str)) for value in values) else None


def _is_identity(found: list[Json] | None, wanted: list[Json]) -> bool:
    return found is not None and equal(found, wanted)
