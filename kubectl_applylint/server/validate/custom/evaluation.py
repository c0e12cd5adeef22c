"""What an expression of a custom resource speaks of, and what it comes to."""

from typing import Final, TypeAlias

from kubectl_applylint.core.records import dataclass, field
from kubectl_applylint.core.values import Json, JsonObject, Missing


@dataclass(frozen=True, slots=True)
class Value:
    """What an expression comes to, and what that cost the server."""

    value: Json
    cost: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Failed:
    """The server fails to evaluate the expression, too, and refuses the object in these words."""

    words: str
    cost: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Undecided:
    """Nobody but the server can evaluate the expression."""

    why: str


EXCEEDED: Final = "operation cancelled: actual cost limit exceeded"
"""The words of an expression that costs more than the server allows."""
PER_OBJECT: Final = 10_000_000
"""The most that all expressions about one object may cost (``RuntimeCELCostBudget``)."""


class UnsupportedError(Exception):
    """An expression has something that is not computed here."""


Evaluation: TypeAlias = Value | Failed | Undecided


@dataclass(frozen=True, slots=True)
class EvaluatedValue:
    """What an expression speaks of: a value, what was stored in its place, and the schema of both.

    ``optional`` tells whether ``oldSelf`` may lack in the expression; ``minor`` is that of the server.
    """

    new: Json
    old: Json | Missing
    schema: JsonObject
    optional: bool = False
