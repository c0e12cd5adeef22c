"""One unit of a repository in a report."""

from kubectl_applylint.core.holes import Hole
from kubectl_applylint.core.problem import Compared
from kubectl_applylint.core.records import dataclass


@dataclass(frozen=True, slots=True)
class UnitReport:
    """One unit of a repository that a run examines.

    ``root`` is its path in the repository, ``.`` for the root; ``target`` the cluster, empty if unknown; ``origin`` why
    it is a unit, ``reason`` why not all of it was compared, ``accepted`` why that is accepted; ``applies`` the number
    of
    its own outcomes in the report, which come in the order of the units.
    """

    root: str
    form: str
    tool: str
    namespace: str = ""
    target: str = ""
    origin: str = ""
    compared: Compared = Compared.YES
    reason: str = ""
    accepted: str = ""
    applies: int = 0
    checked: int = 0
    holes: tuple[Hole, ...] = ()
    """The parts that were not rendered."""
