"""What sources of objects of Flux and Argo CD do not have, by the answers in the store."""

from collections.abc import Callable, Iterable, Iterator
from functools import cache, partial

from kubectl_applylint.core.documents import Document
from kubectl_applylint.engine.cluster_diff import AbsentSource
from kubectl_applylint.run.sides.side import Side
from kubectl_applylint.sources.store.store_place import may_have_absences
from kubectl_applylint.tools.argocd.declarations import ARGO_GROUP
from kubectl_applylint.tools.flux.declarations import is_release, is_source


def absent_source_finder(side: Side) -> Callable[[Document, Iterable[Document]], Iterable[AbsentSource]]:
    """Return a function that returns which sources do not have what an object names.

    The object that has the URL is one of the others that are given, or one in the files of the side.
    """
    if not may_have_absences():
        return lambda document, others: ()
    return partial(_find, cache(partial(_finder, side)))


def _find(
    finder: Callable[[], Callable[[Document, Iterable[Document]], Iterable[AbsentSource]]],
    document: Document,
    others: Iterable[Document],
) -> Iterator[AbsentSource]:
    if is_release(document) or is_source(document) or document.ref.group == ARGO_GROUP:
        yield from finder()(document, others)


def _finder(side: Side) -> Callable[[Document, Iterable[Document]], Iterable[AbsentSource]]:
    from kubectl_applylint.run.sides.named_objects import NamedObjects  # noqa: PLC0415  40 ms, for few stores only
    from kubectl_applylint.run.sides.named_sources import absences  # noqa: PLC0415  40 ms, as above
    from kubectl_applylint.run.sides.release_units import source_objects  # noqa: PLC0415  40 ms, as above
    from kubectl_applylint.sources.store.store import recent_absence  # noqa: PLC0415  40 ms, as above

    objects = NamedObjects(side)
    return lambda document, others: absences(document, [*others, *source_objects(document, objects)], recent_absence)
