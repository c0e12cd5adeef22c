"""What of a run is different where another program than kubectl applies a unit, by one record a program.

Each has its record, ``UNIT_PROGRAM``, in the module ``unit`` of its package in ``tools``. It is imported when a run is
about that program.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module
from typing import Any, Generic, TypeAlias, TypeVar

from kubectl_applylint.appliers.flags import ProgramPolicy
from kubectl_applylint.appliers.request import Applier
from kubectl_applylint.appliers.unit_applier import AskedApplier
from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.state import ObjectRef
from kubectl_applylint.engine.cluster_model import ClusterModel
from kubectl_applylint.lint.model import Holder
from kubectl_applylint.run.compare.live_source import LiveSource
from kubectl_applylint.run.load.reading import Reading
from kubectl_applylint.sources.cluster.read_results import Objects
from kubectl_applylint.sources.text.manifests import Input
from kubectl_applylint.units.model import Unit

U = TypeVar("U")
P = TypeVar("P", bound=ProgramPolicy)
ReadingPair: TypeAlias = tuple[Reading, Reading]
"""What was read of the earlier and of the later revision."""


def _no_items(*_: object) -> Iterator[Any]:
    return iter(())


def _no_objects(source: LiveSource, policy: P, refs: Sequence[ObjectRef]) -> Objects:
    return Objects((), ())


def _same_input(given: Input, policy: P) -> Input:
    return given


def _same_cluster(cluster: ClusterModel, found: Reading, source: LiveSource) -> ClusterModel:
    return cluster


def _no_command(found: U, unit: Unit) -> str:
    return ""


def _no_holder(unit: U, document: Document) -> Holder | None:
    return None


def _no_removal(unit: U) -> U | None:
    return None


@dataclass(frozen=True, slots=True)
class UnitProgram(Generic[U, P]):
    """A program for which a unit is ``U``, and which goes by ``P``."""

    unit_of: Callable[[Applier, AskedApplier, Unit, str], U | None]
    """What a unit is for it, in a namespace; ``None`` where another program applies the unit."""
    compared: Callable[[Applier, U, ReadingPair, LiveSource, bool], ReadingPair]
    """What was read, as it is applied; what the earlier revision makes stands for what the program has recorded.

    The last argument tells whether the whole unit is new.
    """
    recorded: Callable[[Applier, U, LiveSource, Reading], Reading]
    """The same of one revision, with what a cluster or a snapshot has recorded."""
    assumed: Mapping[Applier, str]
    """What a plan of a change assumes, as it compares with no cluster and no snapshot."""
    none_applied: str = ""
    """Why it applies none of the units; ``{none}`` and ``{one}`` stand for words. Empty where it can apply any unit."""
    command: Callable[[U, Unit], str] = _no_command
    """What a person types for it to apply a unit; empty where the tool of the unit tells."""
    remembered: Callable[[P], Iterable[ObjectRef]] = _no_items
    """The objects that it remembers, and may delete."""
    deletable: Callable[[LiveSource, P, Sequence[ObjectRef]], Objects] = _no_objects
    """Other live objects than those of the unit that it may delete."""
    looked_up: Callable[[ClusterModel, Reading, LiveSource], ClusterModel] = _same_cluster
    """The cluster with what is known of objects that it has given other names."""
    not_read: Callable[[Input, P], Input] = _same_input
    """What was given, without what it reads for itself: that is not left out."""
    notes: Callable[[P, LiveSource], Iterator[str]] = _no_items
    """What people have to know of a prediction against a cluster or a snapshot."""
    removed: Callable[[U], U | None] = _no_removal
    """What a unit is for it whose object of the tool is deleted, too; ``None`` where what it has applied stays."""
    left_out: Callable[[Sequence[tuple[U, Sequence[Document]]], LiveSource | None], Iterator[str]] = _no_items
    """What units ask for that is not predicted, of all that it applies; ``None`` without a cluster or a snapshot."""
    holder: Callable[[U, Document], Holder | None] = _no_holder
    """Whose an object is for it; ``None`` where it leaves one that another has, or where that is not known."""


@cache
def unit_program(applier: Applier) -> UnitProgram[Any, Any]:
    """Return the record of one of ``TOOL_APPLIERS``."""
    found: UnitProgram[Any, Any] = import_module(f"kubectl_applylint.tools.{applier.package}.unit").UNIT_PROGRAM
    return found
