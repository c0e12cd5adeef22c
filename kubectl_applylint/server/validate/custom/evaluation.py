"""The subjects of custom resource expressions and the results of evaluating them."""

from typing import Final, TypeAlias

from kubectl_applylint.core.records import dataclass, field
from kubectl_applylint.core.values import Json, JsonObject, Missing


@dataclass(frozen=True, slots=True)
class Value:
    """The value of an expression, and what it cost the server."""

    value: Json
    cost: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Failed:
    """The server fails to evaluate the expression as well, and rejects the object with this message."""

    words: str
    cost: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Undecided:
    """Only the server can evaluate the expression."""

    why: str


EXCEEDED: Final = "operation cancelled: actual cost limit exceeded"
"""The message for an expression that costs more than the server allows."""
PER_OBJECT: Final = 10_000_000
"""The most that all expressions about one object may cost (``RuntimeCELCostBudget``)."""


class UnsupportedError(Exception):
    """An expression has a part that is not supported here."""


Evaluation: TypeAlias = Value | Failed | Undecided


@dataclass(frozen=True, slots=True)
class EvaluatedValue:
    """The subject of an expression: a value, the stored one in its place, and the schema of both.

    ``optional`` is whether ``oldSelf`` is optional in the expression; ``minor`` is that of the server.
    """

    new: Json
    old: Json | Missing
    schema: JsonObject
    optional: bool = False
