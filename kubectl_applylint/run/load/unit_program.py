"""The record of a program that applies units instead of kubectl: the steps in which it differs.

Each program has its record, ``UNIT_PROGRAM``, in the module ``unit`` of its package in ``tools``. It is imported when
a run needs that program.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
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
"""The documents of the earlier and of the later revision."""


def _no_items(*_: object) -> Iterator[Any]:
    return iter(())


def _no_objects(source: LiveSource, policy: P, refs: Sequence[ObjectRef]) -> Objects:
    return Objects((), ())


def _same_input(given: Input, policy: P) -> Input:
    return given


def _same_names(given: Input) -> Input:
    return given


def _same_cluster(cluster: ClusterModel, found: Reading, source: LiveSource) -> ClusterModel:
    return cluster


def _no_command(found: U, unit: Unit) -> str:
    return ""


def _no_holder(unit: U, document: Document) -> Holder | None:
    return None


def _changes_nothing(unit: U) -> bool:
    return False


def _no_removal(unit: U) -> U | None:
    return None


@dataclass(frozen=True, slots=True)
class UnitProgram(Generic[U, P]):
    """A program that represents a unit as ``U``, and whose policy is ``P``."""

    unit_of: Callable[[Applier, AskedApplier, Unit, str], U | None]
    """Returns the program's representation of a unit in a namespace; ``None`` if another program applies the unit."""
    compared: Callable[[Applier, tuple[U, U], ReadingPair, LiveSource, bool], ReadingPair]
    """Returns both revisions as they are applied; the result of the earlier one is treated as the program's record.

    The representations of the unit are those before and after a change. The last argument is whether the unit is new.
    """
    recorded: Callable[[Applier, U, LiveSource, Reading], Reading]
    """Returns one revision as it is applied, with the program's record in a cluster or snapshot."""
    contents: str = "manifests"
    """The contents of the directories that it applies."""
    none_applied: str = ""
    """The reason why it applies no unit, with placeholders ``{none}`` and ``{one}``; empty if it can apply any unit."""
    command: Callable[[U, Unit], str] = _no_command
    """Returns the command with which a user applies a unit; empty for that of the unit's tool."""
    remembered: Callable[[P], Iterable[ObjectRef]] = _no_items
    """Returns the objects that the program has recorded and may delete."""
    deletable: Callable[[LiveSource, P, Sequence[ObjectRef]], Objects] = _no_objects
    """Returns the live objects besides those of the unit that it may delete."""
    looked_up: Callable[[ClusterModel, Reading, LiveSource], ClusterModel] = _same_cluster
    """Returns the cluster with the states of the objects that it renames."""
    not_read: Callable[[Input, P], Input] = _same_input
    """Returns the input without the documents that it reads as its configuration, so they do not count as skipped."""
    named: Callable[[Input], Input] = _same_names
    """Returns the input with names for the objects that the program names."""
    applies_generated: bool = False
    """Whether it tries to apply objects that have only a ``generateName``; the other programs leave them out."""
    notes: Callable[[P, LiveSource], Iterator[str]] = _no_items
    """Returns the notes on a prediction against a cluster or snapshot."""
    on_rejection: Callable[[P], Iterator[str]] = _no_items
    """Returns the notes on what the program does if an object is rejected."""
    removed: Callable[[U], U | None] = _no_removal
    """Returns the unit after the tool's object is deleted as well; ``None`` if the applied objects stay."""
    left_out: Callable[[Sequence[tuple[U, Sequence[Document]]], LiveSource | None], Iterator[str]] = _no_items
    """Returns the settings of units that are not predicted; the source is ``None`` without a cluster or snapshot."""
    changes_objects: Callable[[U], bool] = _changes_nothing
    """Returns whether settings that are not predicted change the objects of a unit."""
    holder: Callable[[U, Document], Holder | None] = _no_holder
    """Returns the holder of an object; ``None`` if it is unknown, or if the program leaves objects of other holders."""


@cache
def unit_program(applier: Applier) -> UnitProgram[Any, Any]:
    """Return the record of one of ``TOOL_APPLIERS``."""
    found: UnitProgram[Any, Any] = import_module(f"kubectl_applylint.tools.{applier.package}.unit").UNIT_PROGRAM
    return found
