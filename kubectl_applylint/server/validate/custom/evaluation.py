"""What an expression of a custom resource speaks of, and what it comes to."""

from dataclasses import dataclass
from typing import TypeAlias

from kubectl_applylint.values import Json, JsonObject, Missing


@dataclass(frozen=True, slots=True)
class Value:
    """What an expression comes to."""

    value: Json


@dataclass(frozen=True, slots=True)
class Failed:
    """The server fails to evaluate the expression, too, and refuses the object in these words."""

    words: str


@dataclass(frozen=True, slots=True)
class Undecided:
    """Nobody but the server can evaluate the expression."""

    why: str


Evaluation: TypeAlias = Value | Failed | Undecided


@dataclass(frozen=True, slots=True)
class Subject:
    """What an expression speaks of: a value, what was stored in its place, and the schema of both.

    ``optional`` tells whether ``oldSelf`` may lack in the expression; ``minor`` is that of the server.
    """

    new: Json
    old: Json | Missing
    schema: JsonObject
    optional: bool = False
