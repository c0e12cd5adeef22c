"""The difference that a run makes to a cluster: objects before and after, renames and deletions."""

from collections.abc import Callable, Collection, Iterable, Mapping
from enum import StrEnum
from typing import Final

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.paths import Path
from kubectl_applylint.core.records import dataclass, field
from kubectl_applylint.core.state import Identity, Knowledge, ObjectRef, Unknown


class Unapplied(StrEnum):
    """What happens to a live object that the run does not apply, with the reason."""

    STAYS = "nothing deletes it"
    OTHER_KIND = "prune skips its kind"
    OTHER_NAMESPACE = "prune skips its namespace"
    OTHER_TOOL = "another tool applies the unit, and deletes what leaves it"
    SPARED = "the program that applies the unit deletes what leaves it, but not this object"
    FAILURE = "prune is skipped after a failure"
    PRUNED = "it is deleted"
    PRUNED_UNSELECTED = "it is deleted although it is in the files"
    """The object is in the files, but does not have the labels that the run selects."""

    @property
    def is_deletion(self) -> bool:
        """Whether the run deletes the object."""
        return self in (Unapplied.PRUNED, Unapplied.PRUNED_UNSELECTED)


def _not_read(ref: ObjectRef) -> Knowledge:
    return Unknown("the other objects were not read")


def _is_accepted(ref: ObjectRef) -> bool:
    return False


@dataclass(frozen=True, slots=True)
class ClusterUnits:
    """What all units of one cluster apply after a change."""

    documents: tuple[Document, ...] = ()
    """The objects of units that are not releases."""
    gap: str = "the other units were not rendered"
    """Why such units may have other objects, empty if they have none."""
    state: Callable[[ObjectRef], Knowledge] = _not_read
    """Returns the manifest of an object; ``Absent`` only if each unit was rendered completely."""


NO_UNITS: Final = ClusterUnits()
"""The units of a cluster that is not known."""


@dataclass(frozen=True, slots=True)
class FormerUnit:
    """A unit that had an object before a change and deletes it: its root, the program, and the earlier document."""

    root: str
    program: str
    document: Document


@dataclass(frozen=True, slots=True)
class AbsentSource:
    """The recorded answer of a source that it does not have what an object names at a path."""

    path: Path
    source: str
    """The displayed source: its URL, and the mirror that has answered."""
    wanted: str
    """What it does not have: ``the version 9.9.9 of the chart web``."""
    asked: str
    """The day of the answer: ``2026-11-27``."""
    hint: str = ""
    """What it has: ``its newest version is 1.2.3``."""


def _no_absent_sources(document: Document, others: Iterable[Document]) -> Iterable[AbsentSource]:
    return ()


def _no_former_unit(ref: ObjectRef) -> FormerUnit | None:
    return None


def _no_units() -> ClusterUnits:
    return NO_UNITS


@dataclass(frozen=True, slots=True)
class ClusterDiff:
    """The state of every object before and after the run, including objects in unchanged files."""

    before: Callable[[ObjectRef], Knowledge] = _not_read
    after: Callable[[ObjectRef], Knowledge] = _not_read
    renamed: Mapping[Identity, ObjectRef] = field(default_factory=dict)
    """The names of objects of the run in the earlier revision."""
    referrers_of: Callable[[str, str], Collection[ObjectRef]] | None = None
    """Returns the objects whose manifests refer to a kind (``Kind.group``); reads each manifest once."""
    pods_with_label: Callable[[str, str], Collection[ObjectRef]] | None = None
    """Returns the objects whose pods have a label with a value; reads each manifest once."""
    is_refused: Callable[[ObjectRef], bool] = _is_accepted
    """Returns whether the apply of an object of the run is rejected."""
    units: Callable[[], ClusterUnits] = _no_units
    """Returns what all units of the cluster apply; renders them on the first call."""
    former_unit: Callable[[ObjectRef], FormerUnit | None] = _no_former_unit
    """Returns the other unit of the cluster that had an object before the change and deletes it."""
    absent_sources: Callable[[Document, Iterable[Document]], Iterable[AbsentSource]] = _no_absent_sources
    """Returns which sources do not have what an object names; the URLs may be in other objects of the run."""

    def successor(self, ref: ObjectRef) -> Identity | None:
        """Return the new name of an object that the change renames."""
        return next((new for new, old in self.renamed.items() if old.identity == ref.identity), None)


NO_DIFF: Final = ClusterDiff()
"""The difference for objects that are checked one by one: nothing else is known."""
