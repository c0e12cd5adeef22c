"""Objects of Flux that wait for each other: their ``dependsOn`` leads back to themselves."""

from collections.abc import Iterator, Mapping

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.paths import Path
from kubectl_applylint.core.state import ObjectRef
from kubectl_applylint.core.values import Json
from kubectl_applylint.lint.checks._dependencies import dependencies
from kubectl_applylint.lint.model import Hit, Hits, Params, Subject


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield the first entry of ``dependsOn`` from which a way through the objects of the run leads back.

    Entries with ``readyExpr`` do not count, as the expression may be true before the object is ready; neither do
    suspended objects. Facts: circle (the objects in their order, from the first by name, with that one at the end).
    """
    for path, dependency in _awaited_objects(subject.document):
        way = _way_back(subject, dependency)
        if way:
            names = [f"{one.namespace}/{one.name}" for one in way]
            first = names.index(min(names))
            facts: Mapping[str, Json] = {"circle": " → ".join((*names[first:], *names[:first], names[first]))}
            yield Hit(path, facts)
            return


def _awaited_objects(document: Document) -> Iterator[tuple[Path, ObjectRef]]:
    """Yield what an object waits for until it is ready, each with the path of its entry."""
    return ((one.path, one.ref) for one in dependencies(document) if not one.has_expression)


def _way_back(subject: Subject, start: ObjectRef) -> tuple[ObjectRef, ...]:
    """Return the objects of a shortest way from ``start`` to the subject, empty if there is none."""
    ways: list[tuple[ObjectRef, ...]] = [(start,)]
    seen = {start.identity}
    for way in ways:  # It grows by the ways that are one step longer.
        if way[-1].identity == subject.ref.identity:
            return way
        further = [ref for peer in subject.peers.at(way[-1]) for _, ref in _awaited_objects(peer)]
        ways += [(*way, ref) for ref in further if ref.identity not in seen]
        seen |= {ref.identity for ref in further}
    return ()
