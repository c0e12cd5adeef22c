"""Finds the objects of a run in other units of the same target, and whether one program owns both."""

from collections.abc import Iterator, Sequence
from typing import Final

from kubectl_applylint.appliers.flags import Flags
from kubectl_applylint.appliers.request import Applier
from kubectl_applylint.appliers.unit_applier import UnitApplier
from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.problem import UnreadableError
from kubectl_applylint.core.records import replace
from kubectl_applylint.lint.model import Holder, OtherUnit
from kubectl_applylint.lint.subjects import place
from kubectl_applylint.run.compare.live_source import LiveSource, UnitDocuments
from kubectl_applylint.run.load.reading import Reading
from kubectl_applylint.run.load.unit_program import unit_program
from kubectl_applylint.run.load.unit_tools import applier_of
from kubectl_applylint.units.model import Unit

_HELMS: Final = frozenset({Applier.HELM3, Applier.HELM4})


def other_units(source: LiveSource, now: Reading, flags: Flags) -> tuple[OtherUnit, ...]:
    """Return the documents of other units of the same target with the name of an object of the run."""
    return tuple(found for each in source.same_target(now.here) for found in _objects_of_unit(each, source, now, flags))


def _objects_of_unit(each: UnitDocuments, source: LiveSource, now: Reading, flags: Flags) -> Iterator[OtherUnit]:
    unit = each.unit
    namespace = unit.applied.namespace or source.namespace
    other = _applier_of(flags, unit, namespace)
    for document in each.documents:
        placed = place(document, now.schema, namespace)
        if unit.applied.tool == Applier.FLUX and unit.applied.namespace and placed.ref.namespace not in ("", namespace):
            continue  # Flux puts it into that namespace, whatever its own is.
        yield OtherUnit(unit.shown, placed, competing_holder(flags.unit_applier, other, now.here, placed))


def _applier_of(flags: Flags, unit: Unit, namespace: str) -> UnitApplier | None:
    try:
        return applier_of(flags, unit, namespace)
    except UnreadableError:  # It is a problem of the run of that unit.
        return None


def competing_holder(
    own: UnitApplier | None, other: UnitApplier | None, here: Sequence[Document], placed: Document
) -> Holder | None:
    """Return the holder of an object in another unit if the same program applies both units for different holders."""
    if own is None or other is None or not _is_same_program(own.applier, other.applier):
        return None
    holder_of = unit_program(own.applier).holder
    holders = {holder_of(own.unit, document) for document in here if document.ref.identity == placed.ref.identity}
    theirs = holder_of(other.unit, placed)
    is_contested = bool(holders) and None not in holders and theirs not in holders
    if theirs is None or not is_contested:
        return None
    return replace(theirs, is_exclusive=theirs.is_exclusive or any(one.is_exclusive for one in holders if one))


def _is_same_program(one: Applier, other: Applier) -> bool:
    return one is other or _HELMS.issuperset((one, other))
