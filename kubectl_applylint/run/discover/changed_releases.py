"""The releases of Helm that a change of a unit touches: a HelmRelease changed, or the source of its chart."""

from collections.abc import Iterator, Mapping, Sequence

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.values import equal
from kubectl_applylint.run.discover.declared_changes import without_harmless_fields
from kubectl_applylint.run.discover.unit_changes import Pair, Revisions, manifests
from kubectl_applylint.run.sides import renders
from kubectl_applylint.run.sides.side import Side
from kubectl_applylint.tools.flux.declarations import is_source, release_units
from kubectl_applylint.units.model import Unit


def changed_releases(found: Revisions, pair: Pair) -> Iterator[Pair]:
    """Yield the releases of a unit, before and after the change, whose HelmRelease or source of the chart changed.

    Releases of charts in the repository are units of the files, and are left out.
    """
    before, after = (_documents(side, unit) for side, unit in zip(found.sides, pair, strict=True))
    moved = _changed_sources(before, after)
    known = [{unit.key for unit in units if unit.applied.declared_by} for units in found.units]
    earlier, later = (
        {one.key: one for one in release_units(documents, unit.applied.cluster if unit else "") if one.key not in keys}
        for documents, unit, keys in zip((before, after), pair, known, strict=True)
    )
    for key in dict.fromkeys((*earlier, *later)):
        was, now = earlier.get(key), later.get(key)
        if not (was and now) or was.applied.source in moved or not _is_same(was, now):
            yield (was, now)


def _is_same(was: Unit, now: Unit) -> bool:
    specs = (without_harmless_fields(unit.applied.tool_object) for unit in (was, now))
    return equal(*specs)


def _documents(side: Side, unit: Unit | None) -> Sequence[Document]:
    """Return all objects of a unit."""
    if unit is None:
        return ()
    if renders.is_rendered(unit):
        return renders.render_unit(side, unit).documents
    return side.read(manifests(side, sorted(unit.files))).documents


def _changed_sources(before: Sequence[Document], after: Sequence[Document]) -> frozenset[str]:
    """Return the sources that differ, as ``Applied.source`` names them."""
    earlier, later = (_sources(documents) for documents in (before, after))
    return frozenset(
        name
        for name in earlier.keys() | later.keys()
        if not equal(*(without_harmless_fields(one[name].object if name in one else None) for one in (earlier, later)))
    )


def _sources(documents: Sequence[Document]) -> Mapping[str, Document]:
    return {f"{one.ref.kind} {one.ref.namespace}/{one.ref.name}": one for one in documents if is_source(one)}
