"""Pairs the units of two revisions."""

import posixpath
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from kubectl_applylint.core.records import replace
from kubectl_applylint.core.state import ref_of
from kubectl_applylint.tools.argocd.declarations import ARGO_TOOL
from kubectl_applylint.units.model import Form, Unit, object_root

Pair: TypeAlias = tuple[Unit | None, Unit | None]
"""A unit before and after a change; ``None`` if it does not exist."""


def paired_units(before: Iterable[Unit], after: Iterable[Unit]) -> Iterator[Pair]:
    """Yield the units of two revisions in pairs, sorted by key.

    Of several units with one key, as Applications of one name in two folders, those in the same file are a pair, and
    each is in the cluster of its folder.
    """
    earlier, later = tuple(before), tuple(after)
    was, now = (_by_key(_as_applications(*each)) for each in ((earlier, later), (later, earlier)))
    for key in sorted(was.keys() | now.keys()):
        pairs = [*_pairs_of_key(was.get(key, ()), now.get(key, ()))]
        yield from map(_with_clusters, pairs) if len(pairs) > 1 else pairs


def _by_key(units: Iterable[Unit]) -> Mapping[tuple[str, ...], Sequence[Unit]]:
    found: dict[tuple[str, ...], list[Unit]] = defaultdict(list)
    for unit in units:
        found[unit.key].append(unit)
    return found


def _pairs_of_key(before: Sequence[Unit], after: Sequence[Unit]) -> Iterator[Pair]:
    """Yield units with one key in pairs: those in the same file, then the others in their order."""
    if len(before) < 2 and len(after) < 2:
        yield (next(iter(before), None), next(iter(after), None))
        return
    if not any(unit.applied.declared_by for unit in (*before, *after)):
        yield (before[-1] if before else None, after[-1] if after else None)
        return
    was, now = ({_file(unit): unit for unit in units} for units in (before, after))
    yield from ((was[file], now[file]) for file in sorted(was.keys() & now.keys()))
    gone, new = (
        [units[file] for file in sorted(units.keys() - both.keys())] for units, both in ((was, now), (now, was))
    )
    for number in range(max(len(gone), len(new))):
        yield (gone[number] if number < len(gone) else None, new[number] if number < len(new) else None)


def _file(unit: Unit) -> str:
    """Return the declaring file of a unit, without the revision that it is read from."""
    return unit.applied.reason.file.rpartition(":")[2]


def _with_clusters(pair: Pair) -> Pair:
    """Return a pair in the cluster of the folder of its declaring file, if it is in none."""
    named = next(unit for unit in reversed(pair) if unit)
    cluster = named.applied.cluster or posixpath.dirname(_file(named)) or "."
    before, after = (replace(unit, applied=replace(unit.applied, cluster=cluster)) if unit else None for unit in pair)
    return before, after


def _as_applications(units: Sequence[Unit], others: Sequence[Unit]) -> Iterator[Unit]:
    """Yield units; the paths of an Application that the ``others`` build as one unit are one unit as well."""
    built = {unit.key for unit in others if unit.form is Form.RELEASE and unit.applied.tool == ARGO_TOOL}
    found: dict[tuple[str, ...], Unit] = {}
    for unit in units:
        whole = application_unit(unit) if built else None
        if whole is None or whole.key not in built:
            yield unit
        else:
            known = found.get(whole.key, whole)
            found[whole.key] = replace(known, files=known.files | whole.files)
    yield from found.values()


def application_unit(unit: Unit) -> Unit | None:
    """Return the unit of the Application that applies a path as it is, ``None`` for other units."""
    item = unit.applied.tool_object
    if unit.applied.tool != ARGO_TOOL or item is None or unit.applied.declared_by:
        return None
    ref = ref_of(item)
    return Unit(object_root(ref), Form.RELEASE, unit.files, replace(unit.applied, declared_by=ref))
