"""What a run does to the objects around each one: how they were, how they are then, and which leave the files."""

from collections.abc import Callable, Collection, Mapping
from enum import StrEnum
from typing import Final

from kubectl_applylint.core.records import dataclass, field
from kubectl_applylint.core.state import Identity, Knowledge, ObjectRef, Unknown


class Unapplied(StrEnum):
    """What becomes of an object that is there and that the run does not apply, and why."""

    STAYS = "nothing deletes it"
    OTHER_KIND = "prune skips its kind"
    OTHER_NAMESPACE = "prune skips its namespace"
    OTHER_TOOL = "another tool applies the unit, and deletes what leaves it"
    SPARED = "the program that applies the unit deletes what leaves it, but not this object"
    FAILURE = "prune is skipped after a failure"
    PRUNED = "it is deleted"
    PRUNED_UNSELECTED = "it is deleted although the files have it"
    """The files have it without the labels that the run asks for."""

    @property
    def is_deletion(self) -> bool:
        """Whether the run deletes it."""
        return self in (Unapplied.PRUNED, Unapplied.PRUNED_UNSELECTED)


def _unseen(ref: ObjectRef) -> Knowledge:
    return Unknown("the other objects were not read")


def _is_accepted(ref: ObjectRef) -> bool:
    return False


@dataclass(frozen=True, slots=True)
class ClusterDiff:
    """What is known of any object before and after the run, those in files that are as they were included."""

    before: Callable[[ObjectRef], Knowledge] = _unseen
    after: Callable[[ObjectRef], Knowledge] = _unseen
    renamed: Mapping[Identity, ObjectRef] = field(default_factory=dict)
    """What objects of the run were called in the earlier revision."""
    referrers_of: Callable[[str, str], Collection[ObjectRef]] | None = None
    """Gives the objects whose manifests name one of a kind (``Kind.group``); looks at each manifest only once."""
    pods_with_label: Callable[[str, str], Collection[ObjectRef]] | None = None
    """Gives the objects whose pods have a label with a value, by their manifests; looks at each only once."""
    is_refused: Callable[[ObjectRef], bool] = _is_accepted
    """Tells whether the apply of an object of the run is refused."""

    def successor(self, ref: ObjectRef) -> Identity | None:
        """Return the object that an earlier one has become under another name."""
        return next((new for new, old in self.renamed.items() if old.identity == ref.identity), None)


NO_DIFF: Final = ClusterDiff()
"""Where each object is looked at by itself."""
