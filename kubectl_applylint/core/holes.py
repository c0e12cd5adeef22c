"""Holes: parts of a unit that are not rendered here, and how they differ between two revisions."""

from collections import Counter
from collections.abc import Iterator, Sequence
from enum import StrEnum

from kubectl_applylint.core.records import dataclass, field, replace


class HoleChange(StrEnum):
    """How a hole differs from the earlier revision, as a predicate."""

    NONE = ""
    NEW = "is new"
    GONE = "is removed"
    DIFFERENT = "has changed"


@dataclass(frozen=True, slots=True)
class Hole:
    """A part of a unit that is not rendered.

    ``path`` is where it is written (``file:line:column``), ``what`` names it with the reason. ``identity`` is a digest
    of the text that causes it and of the files that it reads.
    """

    path: str
    what: str
    identity: str
    digest: str = field(default="", repr=False)
    """A digest of all that its objects depend on, also of values of Secrets: it is compared, never printed or kept."""
    is_missing: bool = field(default=False, repr=False)
    """Whether a file is not in the repository, so that the apply fails unless something creates it before."""
    is_refused: bool = field(default=False, repr=False)
    """Whether kustomize rejects the whole kustomization, so that mending it hides no object."""
    changes_others: bool = field(default=False, repr=False)
    """Whether it may change objects that were rendered, as a patch or a component does."""
    values_of: str = field(default="", repr=False)
    """The Secret that it is a value of (``Secret flux-system/settings``); empty for a part with objects of its own."""
    change: HoleChange = HoleChange.NONE

    @property
    def is_value(self) -> bool:
        """Whether it is a value in rendered objects, and no part with objects of its own."""
        return bool(self.values_of)

    @property
    def is_changed(self) -> bool:
        """Whether the earlier revision has not the same hole, so that a part of a change is not compared."""
        return self.change is not HoleChange.NONE


def compare_holes(was: Sequence[Hole], now: Sequence[Hole]) -> tuple[Hole, ...]:
    """Return the holes of two revisions of a unit with their changes, those that only the earlier one has last.

    A mended hole is left out.
    """
    earlier = Counter((one.identity, one.digest) for one in was)
    later = Counter((one.identity, one.digest) for one in now)
    gone, come = [*_rest(was, later)], [*_rest(now, earlier)]
    changes = {id(one): _change(one, gone) for one in come}
    kept = (replace(one, change=changes.get(id(one), HoleChange.NONE)) for one in now)
    removed = (replace(one, change=HoleChange.GONE) for one in gone if not one.is_refused)
    return tuple(replace(one, digest="") for one in (*kept, *removed))


def _rest(holes: Sequence[Hole], others: Counter[tuple[str, str]]) -> Iterator[Hole]:
    """Yield the holes that are not among the others; equal ones are counted."""
    left = Counter(others)
    for one in holes:
        key = (one.identity, one.digest)
        if left[key]:
            left[key] -= 1
        else:
            yield one


def _change(hole: Hole, gone: list[Hole]) -> HoleChange:
    """Return whether a hole is new or replaces an earlier one of the same field, which is removed from ``gone``."""
    same = sorted(gone, key=lambda one: one.what != hole.what)
    earlier = next((one for one in same if _field(one) == _field(hole)), None)
    if earlier is None:
        return HoleChange.NEW
    gone.remove(earlier)
    return HoleChange.DIFFERENT


def _field(hole: Hole) -> str:
    return hole.what.partition("[")[0]
