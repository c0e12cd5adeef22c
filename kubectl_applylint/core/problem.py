"""What could not be read, rendered or asked for: told to people, and never taken for absent."""

from enum import StrEnum

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.records import dataclass, field


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that could not be read, asked or computed. ``where`` is ``file:line:column``, a file or an object."""

    where: str
    message: str
    advice: str = ""
    document: Document | None = field(default=None, repr=False, compare=False)
    """The object that kubectl leaves out because of it, where it is one."""
    is_refused: bool = field(default=False, compare=False)
    """Whether it was read whole, and kubectl refuses what it says."""
    reason: str = field(default="", compare=False)
    """What it has in common with others, which are reported together with it; empty where it stands alone."""
    frames: tuple[str, ...] = field(default=(), compare=False)
    """The traceback, if it is a fault of the program."""
    subject: str = field(default="", compare=False)
    """The object whose applies are not examined, ``KIND/NAMESPACE/NAME``; empty for a problem of something else."""


class Compared(StrEnum):
    """How much of a unit a run has examined."""

    YES = "yes"
    PARTLY = "partly"
    NO = "no"


class Unreadable(Exception):
    """Something that a run cannot do without could not be read; ``problem`` says what."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        super().__init__(f"{problem.where}: {problem.message}")
