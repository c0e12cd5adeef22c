"""The objects of other units that are known to be applied to the same target, read as far as they may matter."""

import posixpath
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import partial

from kubectl_applylint.core.documents import Document
from kubectl_applylint.run import renders
from kubectl_applylint.run.live_source import SameTarget, UnitDocuments, no_units
from kubectl_applylint.run.sides import Side
from kubectl_applylint.sources.files import EXTENSIONS
from kubectl_applylint.units.model import Applied, Form, Unit


def same_target(side: Side, unit: Unit, units: Iterable[Unit], later: Collection[Unit] = ()) -> SameTarget:
    """Return what finds the objects of a unit in others of the same target; these are read when somebody asks.

    The ``later`` ones among ``units`` are examined after this one and then meet it, so that each pair meets once.
    """
    if not unit.applied.is_known_target:
        return no_units
    others = [one for one in units if _is_beside(unit, one) and one not in later]
    return partial(_found, side, others) if others else no_units


def _is_beside(unit: Unit, other: Unit) -> bool:
    """Tell whether another unit is applied to the same target; what lies in one folder are alternatives."""
    return _have_same_target(unit.applied, other.applied) and _home(unit) != _home(other)


def _have_same_target(one: Applied, other: Applied) -> bool:
    is_known = one.is_known_target and other.is_known_target
    return is_known and not set(one.target.split(", ")).isdisjoint(other.target.split(", "))


def _home(unit: Unit) -> str:
    return posixpath.dirname(unit.root) if unit.form is Form.FILE else unit.root


def _found(side: Side, units: Iterable[Unit], documents: Sequence[Document]) -> Iterator[UnitDocuments]:
    names = {document.ref.name for document in documents}
    words = [name.encode() for name in names if name]
    for unit in units:
        if not _mentions_one(side, unit, words):
            continue
        every = _documents(side, unit)
        yield UnitDocuments(
            unit.shown, unit.applied.namespace, tuple(document for document in every if document.ref.name in names)
        )


def _mentions_one(side: Side, unit: Unit, words: Collection[bytes]) -> bool:
    """Tell whether a file of a unit has a name in it; a chart makes names of parts, which no file has whole."""
    if unit.form is Form.CHART:
        return True
    return any(word in text for text in side.contents(unit.files).values() for word in words)


def _documents(side: Side, unit: Unit) -> Sequence[Document]:
    if not renders.is_rendered(unit):
        return side.read([path for path in sorted(unit.files) if path.endswith(EXTENSIONS)]).documents
    return (
        () if unit.form is Form.KUSTOMIZATION and side.elsewhere(unit.root) else renders.rendered(side, unit).documents
    )
