"""The units of Flux that had an object before a change, do not have it any more, and delete it."""

from collections.abc import Callable, Sequence
from functools import cache, partial

from kubectl_applylint.appliers.request import Applier
from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.state import ObjectRef
from kubectl_applylint.engine.cluster_diff import FormerUnit
from kubectl_applylint.run.discover.revisions import Revisions
from kubectl_applylint.run.sides.unit_objects import whole_input
from kubectl_applylint.units.model import Unit
from kubectl_applylint.units.pairs import Pair


def former_unit_finder(
    found: Revisions, pairs: Sequence[Pair]
) -> Callable[[Unit], Callable[[ObjectRef], FormerUnit | None]]:
    """Return a function that returns for a unit a function that finds the former unit of an object.

    ``pairs`` are the units that the change touches; those of the same cluster are searched.
    """
    lost = cache(partial(_lost_documents, found))
    return lambda unit: partial(_former_unit, lost, _pairs_of_cluster(unit, pairs))


def _pairs_of_cluster(unit: Unit, pairs: Sequence[Pair]) -> Sequence[Pair]:
    own = unit.applied
    every = [pair for pair in pairs if pair[0] and pair[0].key != unit.key and _deletes(pair[0])] if own.cluster else []
    place = (own.cluster, own.target)
    return [pair for pair in every if pair[0] and (pair[0].applied.cluster, pair[0].applied.target) == place]


def _deletes(unit: Unit) -> bool:
    """Return whether the objects that leave a unit are deleted."""
    applied = unit.applied
    return applied.tool == Applier.FLUX and applied.prune is True and not applied.is_suspended


def _former_unit(
    lost: Callable[[Pair], Sequence[Document]], pairs: Sequence[Pair], ref: ObjectRef
) -> FormerUnit | None:
    former = (
        FormerUnit(pair[0].shown, pair[0].applied.program or Applier.FLUX, document)
        for pair in pairs
        for document in lost(pair)
        if pair[0] and document.ref.identity == ref.identity
    )
    return next(former, None)


def _lost_documents(found: Revisions, pair: Pair) -> Sequence[Document]:
    """Return the documents of a unit before the change that it does not have after it."""
    pairs = zip(found.sides_of(pair), pair, strict=True)
    earlier, later = (whole_input(side, unit).documents if unit else () for side, unit in pairs)
    kept = {one.ref.identity for one in later}
    return [one for one in earlier if one.ref.identity not in kept]
