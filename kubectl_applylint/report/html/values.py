"""What the template of the page is given: plain frozen values, texts as they are, nothing escaped yet."""

from collections.abc import Mapping

from kubectl_applylint.core.records import dataclass
from kubectl_applylint.report.fix_blocks import FixBlock


@dataclass(frozen=True, slots=True)
class CellLine:
    """A line of one side; ``kind`` is ``gone``, ``come``, ``gap`` (lines that are equal and left out), or empty."""

    text: str
    kind: str = ""


@dataclass(frozen=True, slots=True)
class SideRow:
    """One part that differs: where it is below the change, and both sides, empty where there is nothing."""

    path: str
    sign: str
    before: tuple[CellLine, ...]
    after: tuple[CellLine, ...]


@dataclass(frozen=True, slots=True)
class ChangeView:
    """One field that changes, why, and who owns it afterwards; without rows the whole is told by its path."""

    path: str
    why: str
    owners: tuple[str, ...]
    rows: tuple[SideRow, ...]
    more: str = ""
    """What is left out of the rows."""


@dataclass(frozen=True, slots=True)
class OwnedLines:
    """Lines of an object, one below the other, that the same managers own."""

    owners: tuple[str, ...]
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ObjectView:
    """One object of a plan."""

    key: str
    """The filter that it belongs to."""
    role: str
    """What colours it."""
    verdict: str
    name: str
    extras: tuple[str, ...]
    places: tuple[str, ...]
    weight: int
    """How many units it stands for."""
    reasons: tuple[str, ...]
    remedy: str
    changes: tuple[ChangeView, ...]
    would_change: bool
    """Whether the changes are those that the apply would have made, had it not been refused."""
    effects: tuple[str, ...]
    owned: tuple[OwnedLines, ...]
    """The object after the apply; empty where nothing is to show or the page has no room."""
    is_open: bool = False

    @property
    def has_news(self) -> bool:
        """Whether there is something to read of it before its lines."""
        return bool(self.reasons or self.remedy or self.changes or self.effects)

    @property
    def has_body(self) -> bool:
        """Whether there is more to say than its line."""
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
    """Where it is as well."""
    excerpt: tuple[str, ...]
    related: tuple[str, ...]
    fixes: tuple[FixBlock, ...]
    """The lines to copy, each alternative by itself."""
    remarks: tuple[str, ...]
    """When it applies, and how sure it is."""
    is_open: bool = False


@dataclass(frozen=True, slots=True)
class SectionView:
    """Units in which the same happens; ``anchors`` are the numbers of the units in the picture."""

    title: str
    anchors: tuple[int, ...]
    depends: tuple[str, ...]
    """What the units depend on, in words."""
    objects: tuple[ObjectView, ...] = ()
    findings: tuple[FindingView, ...] = ()


@dataclass(frozen=True, slots=True)
class FilterView:
    """A verdict or a severity, and how many there are of it."""

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
    """As much as fits into the box."""
    title: str
    words: str


@dataclass(frozen=True, slots=True)
class Arrow:
    """A line from a unit to the one that it depends on; ``path`` are the commands of an SVG path."""

    path: str
    title: str


@dataclass(frozen=True, slots=True)
class Picture:
    """Units and what depends on what, in units of the SVG."""

    width: int
    height: int
    boxes: tuple[Box, ...]
    arrows: tuple[Arrow, ...]
    left_out: int = 0
    """How many units there is no room for."""


@dataclass(frozen=True, slots=True)
class PageView:
    """The whole page."""

    command: str
    version: str
    """Of the program."""
    summary: str
    ending: str
    notes: tuple[str, ...]
    """What it was compared with, doubts and troubles, a line each."""
    filters: tuple[FilterView, ...]
    sections: tuple[SectionView, ...]
    legend: Mapping[str, int]
    """The managers of all objects, each with the number of its colour."""
    picture: Picture | None
    is_cut: bool = False
    """Whether objects are not shown whole because there are too many."""

    @property
    def anchors(self) -> frozenset[int]:
        """The units that have a section."""
        return frozenset(anchor for section in self.sections for anchor in section.anchors)
