"""One unit of a repository in a report."""

from kubectl_applylint.appliers.request import program_name
from kubectl_applylint.core.holes import Hole
from kubectl_applylint.core.problem import Compared
from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.state import ObjectRef


@dataclass(frozen=True, slots=True)
class UnitReport:
    """One unit of a repository that a run examines.

    ``root`` is its path in the repository, ``.`` for the root; ``target`` the cluster, empty if unknown; ``origin`` why
    it is a unit, ``reason`` why not all of it was compared, ``accepted`` why that is accepted; ``applies`` the number
    of its own outcomes in the report, which come in the order of the units. ``declared_by`` is the object that declares
    it, at the ``location`` (``file:line``); ``cluster`` the root through which it is reached; ``source`` the source of
    its manifests if that is not the repository; nothing of an ``is_suspended`` unit is applied.
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
    declared_by: ObjectRef | None = None
    location: str = ""
    cluster: str = ""
    source: str = ""
    is_suspended: bool = False
    program: str = ""
    """The program of the tool that applies it, if it does not have the name of the tool."""

    @property
    def applied_by(self) -> str:
        """The name of the program that applies it, for users."""
        return program_name(self.program or self.tool)
