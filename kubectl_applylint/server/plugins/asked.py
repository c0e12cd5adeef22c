"""A write as admission plugins look at it, and what they say of it."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from kubectl_applylint.core.outcome import Refusal
from kubectl_applylint.core.state import UNSEEN, Surroundings
from kubectl_applylint.core.values import JsonObject, dig
from kubectl_applylint.schema.types import Kind

FORBIDDEN: Final = 403
NOT_FOUND: Final = 404
INVALID: Final = 422


@dataclass(frozen=True, slots=True)
class Asked:
    """A write of one object: what would be stored, what is, and what is known of other objects.

    ``new`` has its defaults, ``old`` is ``None`` where the object is created; ``minor`` is that of the server (1.36).
    """

    new: JsonObject
    old: JsonObject | None
    kind: Kind
    minor: int
    surroundings: Surroundings = UNSEEN

    @property
    def creating(self) -> bool:
        """Whether the object is created."""
        return self.old is None

    @property
    def group(self) -> str:
        """The API group of the object, empty for the core group."""
        return self.kind.api_version.rpartition("/")[0]

    @property
    def namespace(self) -> str:
        """The namespace of the object, empty for kinds outside of namespaces."""
        return _text(self.new, "namespace") if self.kind.namespaced else ""

    @property
    def name(self) -> str:
        """The name of the object."""
        return _text(self.new, "name")

    def is_a(self, group: str, *kinds: str) -> bool:
        """Return whether the object is of one of these kinds, whatever its version."""
        return self.group == group and self.kind.name in kinds

    def forbids(self, words: str) -> str:
        """Return the message of a server that refuses the write for a reason."""
        resource = f"{self.kind.resource}.{self.group}" if self.group else self.kind.resource
        return f'{resource} "{self.name}" is forbidden: {words}'


def _text(item: JsonObject, name: str) -> str:
    value = dig(item, "metadata", name)
    return value if isinstance(value, str) else ""


@dataclass(frozen=True, slots=True)
class Denial:
    """A plugin refuses the write: with this HTTP status, for these reasons."""

    status: int
    causes: tuple[Refusal, ...]


def forbidden(asked: Asked, words: str, *, field: str = "", reason: str = "Forbidden") -> Denial:
    """Return the usual refusal of a plugin."""
    return Denial(FORBIDDEN, (Refusal(field, reason, asked.forbids(words)),))


@dataclass(frozen=True, slots=True)
class Opinion:
    """What plugins think of a write: why it is refused, what the server warns of, and what is left open."""

    denial: Denial | None = None
    warnings: tuple[str, ...] = ()
    open: tuple[str, ...] = ()
    """What nobody but the server can tell, in words for people."""


CONTENT: Final = Opinion()
"""Nothing is to be said."""


def combined(opinions: Iterable[Opinion]) -> Opinion:
    """Return one opinion for all: the first refusal counts, after it the server asks no further."""
    said: list[Opinion] = []
    for opinion in opinions:
        said.append(opinion)
        if opinion.denial is not None:
            break
    return Opinion(
        said[-1].denial if said else None,
        tuple(words for opinion in said for words in opinion.warnings),
        tuple(words for opinion in said for words in opinion.open),
    )
