"""Units of a side that declares units in something that cannot be rendered, but can be on the other side.

If a build fails, Argo CD and Flux leave the objects that they have applied last, and with them the Applications and
Kustomizations among these. So they are those of the other side of a comparison.
"""

from collections.abc import Callable, Collection, Hashable, Mapping
from functools import cache
from typing import TypeAlias, TypeVar

from kubectl_applylint.core.records import dataclass, replace
from kubectl_applylint.run.sides.side import Side
from kubectl_applylint.sources.text.manifests import Input
from kubectl_applylint.units.finder import FoundUnits
from kubectl_applylint.units.model import Unit

T = TypeVar("T")
Find: TypeAlias = Callable[[Side], FoundUnits]
"""Returns the units of a side."""
Keep: TypeAlias = Callable[[Side, Find], FoundUnits]
"""Returns the units of a side that the function finds, or cached ones."""


@dataclass(frozen=True, slots=True)
class FoundSide:
    """One side of a comparison with its units."""

    side: Side
    units: FoundUnits
    failed: frozenset[Hashable]
    """The folders and units that could not be rendered while the units were looked for."""
    find: Find


def find_units(side: Side, find: Find, keep: Keep = lambda side, find: find(side)) -> FoundSide:
    """Return a side with the units that ``find`` returns; ``keep`` calls it, or returns cached ones.

    Units are only cached if nothing that they depend on has failed.
    """
    failed: set[Hashable] = set()
    units = keep(side, lambda one: find(_with_failures(one, failed)))
    return FoundSide(side, units, frozenset(failed), find)


def units_of_both(before: FoundSide, after: FoundSide, differ: Collection[str]) -> tuple[FoundUnits, FoundUnits]:
    """Return the units of both sides, with what one side declares if only the other cannot be rendered.

    ``differ`` are the changed files. Whether the earlier side had the objects of these is not known, so they are new.
    """
    return _with_renders_of(before, after, differ), _with_renders_of(after, before)


def _with_failures(side: Side, failed: set[Hashable]) -> Side:
    """Return a side that adds to ``failed`` the folders and units that it cannot render at all."""

    def noting(render: Callable[[T], Input], name_of: Callable[[T], Hashable]) -> Callable[[T], Input]:
        def call(rendered: T) -> Input:
            found = render(rendered)
            failed.update([name_of(rendered)] if _is_failure(found) else ())
            return found

        return call

    return replace(
        side,
        render=noting(side.render, str),
        charts=noting(side.charts, _root),
        releases=noting(side.releases, _key),
        builds=noting(side.builds, _key),
    )


def _with_renders_of(one: FoundSide, other: FoundSide, without: Collection[str] = ()) -> FoundUnits:
    """Return the units of a side; what fails there alone is rendered from the files of the other side.

    The objects in the files ``without`` are left out.
    """
    if not one.failed - other.failed:
        return one.units
    units = {_key(unit): unit for unit in other.units.units}
    files = {unit.root: unit.files for unit in other.units.units}
    left_out = frozenset(map(other.side.label, without))
    labels = cache(lambda: {other.side.label(path): one.side.label(path) for path in other.side.paths})

    def first(
        render: Callable[[T], Input], others: Callable[[T], Input], other_of: Callable[[T], T]
    ) -> Callable[[T], Input]:
        def call(rendered: T) -> Input:
            found = render(rendered)
            return _relabel(others(other_of(rendered)), labels(), left_out) if _is_failure(found) else found

        return call

    def unit_of(unit: Unit) -> Unit:
        return units.get(_key(unit), unit)

    def chart_of(unit: Unit) -> Unit:
        return replace(unit, files=files.get(unit.root, unit.files))

    side, others = one.side, other.side
    return one.find(
        replace(
            side,
            render=first(side.render, others.render, str),
            charts=first(side.charts, others.charts, chart_of),
            releases=first(side.releases, others.releases, unit_of),
            builds=first(side.builds, others.builds, unit_of),
        )
    )


def _is_failure(found: Input) -> bool:
    return bool(found.problems) and not found.documents


def _root(unit: Unit) -> Hashable:
    return "chart", unit.root


def _key(unit: Unit) -> Hashable:
    return unit.key


def _relabel(found: Input, labels: Mapping[str, str], left_out: Collection[str]) -> Input:
    """Return objects with other names of their files, without those in the files ``left_out``."""
    kept = (one for one in found.documents if one.file not in left_out)
    return replace(found, documents=tuple(replace(one, file=labels.get(one.file, one.file)) for one in kept))
