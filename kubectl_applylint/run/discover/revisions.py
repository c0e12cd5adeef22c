"""Both sides of a comparison with their units."""

import posixpath

from kubectl_applylint.core.records import dataclass, field
from kubectl_applylint.run.discover.other_revisions import side_of_unit
from kubectl_applylint.run.sides.side import FindSide, Side
from kubectl_applylint.units.finder import FoundUnits
from kubectl_applylint.units.model import Form, Unit
from kubectl_applylint.units.pairs import Pair
from kubectl_applylint.units.remotes import Checkout


def _no_side(revision: str) -> Side | None:
    return None


@dataclass(frozen=True, slots=True)
class Revisions:
    """Both sides of a comparison, the units of each, and the paths that differ."""

    before: Side
    after: Side
    differ: frozenset[str]
    units: tuple[tuple[Unit, ...], tuple[Unit, ...]] = field(repr=False)
    checkout: Checkout = Checkout()
    """The repository."""
    later: FoundUnits = FoundUnits()
    """The units of the later side."""
    earlier: FoundUnits = FoundUnits()
    names: tuple[str, ...] = ("",)
    """The files and folders that are examined; folders with all files below them."""
    is_whole: bool = False
    """Whether changed units have their unchanged objects as well, to be rendered and not predicted."""

    side_of: FindSide = field(repr=False, default=_no_side)
    """Returns the files of another revision of the repository."""

    @property
    def sides(self) -> tuple[Side, Side]:
        """Both sides, the earlier one first."""
        return (self.before, self.after)

    def sides_of(self, pair: Pair) -> tuple[Side, Side]:
        """Return the sides with the files of the units of a pair."""
        before, after = (side_of_unit(unit, side, self.side_of) for unit, side in zip(pair, self.sides, strict=True))
        return before, after

    def has(self, unit: Unit) -> bool:
        """Return whether a unit is in the files and folders that are examined."""
        return any(name in unit.files or is_in(unit, name) for name in self.names)

    def declares(self, pair: Pair) -> bool:
        """Return whether an object that declares a unit of a pair is in the files and folders that are examined."""
        files = [(side, unit.applied.reason.file) for side, unit in zip(self.sides, pair, strict=True) if unit]
        labels = ((f"{side.label(name)}/", f"{file}/") for side, file in files if file for name in self.names)
        return any(file.startswith(label) for label, file in labels)


def is_in(unit: Unit, folder: str) -> bool:
    """Return whether the root of a unit is a folder or below it, or a file of a release is."""
    home = posixpath.dirname(unit.root) if unit.form is Form.FILE else unit.root
    places = unit.files if unit.form is Form.RELEASE else [f"{home}/"]
    return not folder or any(place.startswith(f"{folder}/") for place in places)
