"""The values for the template of the page: plain, frozen, and not escaped yet."""

from collections.abc import Mapping

from kubectl_applylint.core.records import dataclass
from kubectl_applylint.report.fix_blocks import FixBlock


@dataclass(frozen=True, slots=True)
class CellLine:
    """A line of one side; ``kind`` is ``gone``, ``come``, ``gap`` (omitted equal lines), or empty."""

    text: str
    kind: str = ""


@dataclass(frozen=True, slots=True)
class SideRow:
    """One part that differs: its path below the change, and both sides, empty if absent."""

    path: str
    sign: str
    before: tuple[CellLine, ...]
    after: tuple[CellLine, ...]


@dataclass(frozen=True, slots=True)
class ChangeView:
    """One changed field, its cause, and its owners afterwards; without rows the path is sufficient."""

    path: str
    why: str
    owners: tuple[str, ...]
    rows: tuple[SideRow, ...]
    more: str = ""
    """A text about omitted rows."""


@dataclass(frozen=True, slots=True)
class OwnedLines:
    """Adjacent lines of an object that the same managers own."""

    owners: tuple[str, ...]
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ObjectView:
    """One object of a plan."""

    key: str
    """The filter that it belongs to."""
    role: str
    """Its color."""
    verdict: str
    name: str
    extras: tuple[str, ...]
    places: tuple[str, ...]
    weight: int
    """The number of units with it."""
    reasons: tuple[str, ...]
    remedy: str
    changes: tuple[ChangeView, ...]
    would_change: bool
    """Whether these are the changes that the apply would have made if it had not been rejected."""
    effects: tuple[str, ...]
    owned: tuple[OwnedLines, ...]
    """The object after the apply; empty if there is nothing to show or no room on the page."""
    is_open: bool = False

    @property
    def has_news(self) -> bool:
        """Whether there are details above the object's lines."""
        return bool(self.reasons or self.remedy or self.changes or self.effects)

    @property
    def has_body(self) -> bool:
        """Whether there are details besides the object's heading."""
        return self.has_news or bool(self.owned)


@dataclass(frozen=True, slots=True)
class FindingView:
    """One finding, at all of its places."""

    key: str
    rule: str
    summary: str
    message: str
    name: str
    place: str
    others: tuple[str, ...]
    """Its other places."""
    excerpt: tuple[str, ...]
    related: tuple[str, ...]
    fixes: tuple[FixBlock, ...]
    """The lines to copy, each alternative by itself."""
    remarks: tuple[str, ...]
    """When it applies, and how certain it is."""
    is_open: bool = False


@dataclass(frozen=True, slots=True)
class SectionView:
    """Units with the same effects; ``anchors`` are the numbers of the units in the picture."""

    title: str
    anchors: tuple[int, ...]
    depends: tuple[str, ...]
    """The dependencies of the units, in words."""
    objects: tuple[ObjectView, ...] = ()
    findings: tuple[FindingView, ...] = ()
    noise: tuple[ObjectView, ...] = ()
    """The objects in which only chart labels, checksums and CA bundles change, folded into one line."""
    noise_kinds: str = ""
    """The number of these objects of each kind."""


@dataclass(frozen=True, slots=True)
class FilterView:
    """A verdict or a severity, with its number of occurrences."""

    key: str
    role: str
    words: str
    number: int


@dataclass(frozen=True, slots=True)
class Box:
    """A unit in the picture."""

    anchor: int
    x: int
    y: int
    role: str
    name: str
    """The name, cut to fit into the box."""
    title: str
    words: str


@dataclass(frozen=True, slots=True)
class Arrow:
    """A line from a unit to one that it depends on; ``path`` are the commands of an SVG path."""

    path: str
    title: str


@dataclass(frozen=True, slots=True)
class Picture:
    """Units and their dependencies, in units of the SVG."""

    width: int
    height: int
    boxes: tuple[Box, ...]
    arrows: tuple[Arrow, ...]
    left_out: int = 0
    """The number of units that do not fit."""


@dataclass(frozen=True, slots=True)
class PageView:
    """The whole page."""

    command: str
    version: str
    """The version of the program."""
    summary: str
    ending: str
    notes: tuple[str, ...]
    """What it was compared with, doubts and problems, one line each."""
    filters: tuple[FilterView, ...]
    sections: tuple[SectionView, ...]
    legend: Mapping[str, int]
    """The managers of all objects, each with the number of its color."""
    picture: Picture | None
    is_cut: bool = False
    """Whether objects are not shown in full because there are too many."""

    @property
    def anchors(self) -> frozenset[int]:
        """The units that have a section."""
        return frozenset(anchor for section in self.sections for anchor in section.anchors)
