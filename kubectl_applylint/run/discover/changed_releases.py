"""The releases of Helm that a change of a unit touches: a HelmRelease changed, or the source of its chart."""

from collections.abc import Collection, Iterator, Sequence
from typing import Final

from kubectl_applylint.core.state import ObjectRef
from kubectl_applylint.core.values import equal
from kubectl_applylint.run.discover.declared_changes import without_harmless_fields
from kubectl_applylint.run.discover.moved_applications import has_harmless_change
from kubectl_applylint.run.discover.revisions import Revisions
from kubectl_applylint.run.sides.named_objects import NamedObjects
from kubectl_applylint.run.sides.release_units import nested_release_units
from kubectl_applylint.run.sides.side import Side
from kubectl_applylint.run.sides.unit_objects import manifests, whole_input
from kubectl_applylint.sources.files.files import EXTENSIONS
from kubectl_applylint.tools.flux.declarations import SOURCE_GROUP
from kubectl_applylint.units.model import Unit
from kubectl_applylint.units.pairs import Pair

_VALUES: Final = (("", "ConfigMap"), ("", "Secret"))
"""The group and kind of objects that HelmReleases read values from."""
_RELEASE: Final = b"HelmRelease"
_VALUES_FROM: Final = b"valuesFrom"


def changed_releases(found: Revisions, pairs: Sequence[Pair]) -> Iterator[Pair]:
    """Yield the releases of units, before and after the change, that render from something else than before.

    Releases of charts in the repository are units of the files, and are left out.
    """
    known = [{unit.key for unit in units if unit.applied.declared_by} for units in found.units]
    objects = [NamedObjects(side, units) for side, units in zip(found.sides, found.units, strict=True)]
    for pair in pairs:
        earlier, later = (
            {one.key: one for one in _releases(side, unit, names, found.checkout.remotes) if one.key not in keys}
            for side, unit, names, keys in zip(found.sides, pair, objects, known, strict=True)
        )
        for key in dict.fromkeys((*earlier, *later)):
            was, now = earlier.get(key), later.get(key)
            if not (was and now) or not _is_same(was, now) or has_harmless_change(was, now):
                yield (was, now)


def reached_pairs(found: Revisions, known: Collection[Pair]) -> Iterator[Pair]:
    """Yield the units without changes, beside the ``known`` pairs, whose HelmReleases may read a changed object.

    That is a source, a ConfigMap or a Secret in a file that differs.
    """
    objects = [ref for side in found.sides for ref in _changed_inputs(side, found.differ)]
    sources = {ref.name for ref in objects if ref.group == SOURCE_GROUP}
    values = {ref.name for ref in objects if ref.group != SOURCE_GROUP}
    reading = _mentioning(found.after, sources, _RELEASE) | _mentioning(found.after, values, _RELEASE, _VALUES_FROM)
    before = {unit.key: unit for unit in found.units[0]}
    for unit in found.units[1]:
        earlier = before.get(unit.key)
        if earlier and (earlier, unit) not in known and not unit.files.isdisjoint(reading):
            yield (earlier, unit)


def _mentioning(side: Side, names: Collection[str], *words: bytes) -> frozenset[str]:
    """Return the files that mention one of some names, and have all of these words."""
    texts = side.contents(side.mentioning(sorted(names))) if names else {}
    return frozenset(path for path, text in texts.items() if all(word in text for word in words))


def _changed_inputs(side: Side, differ: Collection[str]) -> Iterator[ObjectRef]:
    """Yield the sources, ConfigMaps and Secrets in files that differ."""
    paths = [path for path in sorted(side.paths.intersection(differ)) if path.endswith(EXTENSIONS)]
    for document in side.read(manifests(side, paths)).documents if paths else ():
        ref = document.ref
        if ref.name and (ref.group == SOURCE_GROUP or (ref.group, ref.kind) in _VALUES):
            yield ref


def _releases(side: Side, unit: Unit | None, objects: NamedObjects, remotes: Collection[str]) -> Sequence[Unit]:
    if unit is None:
        return ()
    return nested_release_units(side, whole_input(side, unit).documents, unit.declaring_cluster, objects, remotes)


def _is_same(was: Unit, now: Unit) -> bool:
    specs = (without_harmless_fields(unit.applied.tool_object) for unit in (was, now))
    return equal(*specs) and _inputs(was) == _inputs(now)


def _inputs(unit: Unit) -> tuple[object, ...]:
    """Return what a release or a ResourceSet is rendered from, besides the object."""
    return unit.applied.release.key, unit.applied.inputs, unit.applied.source_identity
