"""Finds objects with the same name in other units of the same target."""

import posixpath
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import partial

from kubectl_applylint.appliers.request import Applier
from kubectl_applylint.appliers.unit_applier import AskedApplier
from kubectl_applylint.core.documents import Document
from kubectl_applylint.run.compare.live_source import SameTarget, UnitDocuments, no_units
from kubectl_applylint.run.load.unit_program import unit_program
from kubectl_applylint.run.sides import renders
from kubectl_applylint.run.sides.side import Side
from kubectl_applylint.sources.files.files import EXTENSIONS
from kubectl_applylint.units.model import Applied, Form, Unit


def same_target(side: Side, unit: Unit, units: Iterable[Unit], later: Collection[Unit] = ()) -> SameTarget:
    """Return a function that finds documents with the names of a unit's objects in other units of the same target.

    Units in ``later`` are left out: they are examined after this one, and each pair is compared once.
    """
    others = [one for one in _same_target_units(unit, units) if one not in later]
    return partial(_find_documents, side, others) if others else no_units


def has_same_target(unit: Unit, units: Iterable[Unit]) -> bool:
    """Return whether another unit is known to be applied to the same target."""
    return any(True for _ in _same_target_units(unit, units))


def _same_target_units(unit: Unit, units: Iterable[Unit]) -> Iterator[Unit]:
    is_known = unit.applied.is_known_target or unit.applied.tool_object is not None
    return (one for one in units if _is_same_target(unit, one)) if is_known else iter(())


def _is_same_target(unit: Unit, other: Unit) -> bool:
    """Return whether another unit is applied to the same target; units in one folder are alternatives and are not."""
    if _folder_of(unit) == _folder_of(other):
        return False
    one, two = unit.applied, other.applied
    if one.is_known_target and two.is_known_target:
        return not set(one.target.split(", ")).isdisjoint(two.target.split(", "))
    return _are_declared_together(one, two) and _is_applied_unmodified(unit) and _is_applied_unmodified(other)


def _are_declared_together(one: Applied, other: Applied) -> bool:
    """Return whether objects of one file declare both units for one target of a cluster: then both are in one cluster.

    For Flux an empty target is its own cluster; for Argo CD it is unknown.
    """
    files = {each.reason.file for each in (one, other) if each.tool_object is not None}
    is_same = (one.tool, one.target, one.cluster) == (other.tool, other.target, other.cluster)
    is_known = one.tool == Applier.FLUX or bool(one.target)
    return is_same and is_known and len(files) == 1 and one.tool_object is not None and other.tool_object is not None


def _is_applied_unmodified(unit: Unit) -> bool:
    """Return whether a tool applies the objects as they are read here; those of a HelmRelease are rendered."""
    if unit.form is Form.RELEASE:
        return True
    applier = Applier(unit.applied.tool)
    program = unit_program(applier)
    found = program.unit_of(applier, AskedApplier(applier), unit, "")
    return found is not None and not program.changes_objects(found)


def _folder_of(unit: Unit) -> str:
    return posixpath.dirname(unit.root) if unit.form is Form.FILE else unit.root


def _find_documents(side: Side, units: Iterable[Unit], documents: Sequence[Document]) -> Iterator[UnitDocuments]:
    names = {document.ref.name for document in documents}
    words = [name.encode() for name in names if name]
    for unit in units:
        if not _contains_name(side, unit, words):
            continue
        every = _documents(side, unit)
        yield UnitDocuments(unit, tuple(document for document in every if document.ref.name in names))


def _contains_name(side: Side, unit: Unit, words: Collection[bytes]) -> bool:
    """Return whether a file of a unit contains one of the names; always for charts, whose templates compose names."""
    if unit.form in (Form.CHART, Form.RELEASE):
        return True
    return any(word in text for text in side.contents(unit.files).values() for word in words)


def _documents(side: Side, unit: Unit) -> Sequence[Document]:
    if not renders.is_rendered(unit):
        return side.read([path for path in sorted(unit.files) if path.endswith(EXTENSIONS)]).documents
    return renders.render_unit(side, unit).documents
