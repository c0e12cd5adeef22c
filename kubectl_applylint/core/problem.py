"""What could not be read, rendered or asked for: told to people, and never taken for absent."""

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


class Unreadable(Exception):
    """Something that a run cannot do without could not be read; ``problem`` says what."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        super().__init__(f"{problem.where}: {problem.message}")
