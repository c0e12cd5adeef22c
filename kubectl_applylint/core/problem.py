"""Problems: what could not be read, rendered or requested. They never mean that an object is absent."""

from enum import StrEnum

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.records import dataclass, field, replace


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that could not be read, requested or computed; ``where`` is ``file:line:column``, a file or object."""

    where: str
    message: str
    advice: str = ""
    document: Document | None = field(default=None, repr=False, compare=False)
    """The object that kubectl skips because of the problem, if any."""
    is_refused: bool = field(default=False, compare=False)
    """Whether the object was read completely and kubectl rejects its content."""
    is_unchanged: bool = field(default=False, compare=False)
    """Whether the earlier revision fails in the same way, so that nothing is applied before and after the change."""
    is_fatal: bool = field(default=False, compare=False)
    """Whether the program that applies the unit applies none of its objects because of the problem."""
    reason: str = field(default="", compare=False)
    """A common cause: problems with the same text are reported together. Empty for a problem that is reported by
    itself."""
    frames: tuple[str, ...] = field(default=(), compare=False)
    """The traceback, if the problem is a defect of the program."""
    is_hole: bool = field(default=False, compare=False)
    """Whether only a part of a unit was not compared."""
    subject: str = field(default="", compare=False)
    """The object whose applies are not examined, ``KIND/NAMESPACE/NAME``; empty for other problems."""


def as_fatal(problem: Problem, effect: str) -> Problem:
    """Return a problem that prevents the apply of its whole unit; ``effect`` ends its message."""
    return replace(problem, message=f"{problem.message}; {effect}", is_fatal=True)


class Compared(StrEnum):
    """How much of a unit a run has examined."""

    YES = "yes"
    PARTLY = "partly"
    NO = "no"


class UnreadableError(Exception):
    """The run cannot continue because of ``problem``."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        super().__init__(f"{problem.where}: {problem.message}")
