"""Positions of rendered objects in the files that they come from."""

from typing import Final

from kubectl_applylint.core.location import Positions, Span
from kubectl_applylint.core.paths import Field, Path, get
from kubectl_applylint.core.records import dataclass, field
from kubectl_applylint.core.values import MISSING, JsonObject, equal, mapping

_TOP: Final = Span(1, 1, 1, 1)


@dataclass(frozen=True, slots=True)
class FilePositions:
    """Positions of an object whose source is known as a file only."""

    def key(self, path: Path) -> Span | None:
        """Return ``None``: the position of keys is unknown."""
        return None

    def value(self, path: Path) -> Span | None:
        """Return the top of the file for the object itself."""
        return None if path else _TOP


@dataclass(frozen=True, slots=True)
class SourcePositions:
    """Positions of a rendered object in its source file, for values that kustomize left unchanged."""

    rendered: JsonObject = field(repr=False)
    source: JsonObject = field(repr=False)
    positions: Positions = field(repr=False)

    def key(self, path: Path) -> Span | None:
        """Return the position of the key in the source, if its value is unchanged."""
        return self.positions.key(path) if self._is_kept(path) else None

    def value(self, path: Path) -> Span | None:
        """Return the position of the value in the source, if it is unchanged."""
        return self.positions.value(path) if self._is_kept(path) else None

    def _is_kept(self, path: Path) -> bool:
        """Return whether the source has the value at ``path``; maps and lists may have other contents."""
        here, there = get(self.rendered, path), get(self.source, path)
        if here is MISSING or there is MISSING or not _is_same_element(self.rendered, self.source, path):
            return False
        return equal(here, there) or (type(here) is type(there) and isinstance(here, dict | list))


def _is_same_element(rendered: JsonObject, source: JsonObject, path: Path) -> bool:
    """Return whether ``path`` leads through the same list elements in both: a patch may insert others before them."""
    for length, step in enumerate(path, 1):
        if not isinstance(step, Field):
            here, there = get(rendered, path[:length]), get(source, path[:length])
            names = (mapping(here).get("name", MISSING), mapping(there).get("name", MISSING))
            if not equal(here, there) and (names[0] is MISSING or names[0] != names[1]):
                return False
    return True
