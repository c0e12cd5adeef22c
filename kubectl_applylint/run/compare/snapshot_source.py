"""Live state from a snapshot: a file with the output of ``kubectl get``."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from typing import Final

from kubectl_applylint.appliers.kubectl_client import was_applied
from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.selector import Selector, parse, selects
from kubectl_applylint.core.spelling import nearest
from kubectl_applylint.core.state import Knowledge, ObjectRef, Present, Unknown
from kubectl_applylint.core.values import JsonObject, mapping
from kubectl_applylint.lint.relations import IndexQuery
from kubectl_applylint.lint.unapplied import live_document
from kubectl_applylint.run.compare.live_source import LiveSource, age, no_live_source
from kubectl_applylint.schema import tables
from kubectl_applylint.schema.load import load
from kubectl_applylint.schema.names import SHORT_NAMES, ObjectArgument, is_name_of_kind, names_of
from kubectl_applylint.schema.types import Kind
from kubectl_applylint.server.former import convert_former
from kubectl_applylint.sources.cluster import admission_objects, snapshot
from kubectl_applylint.sources.cluster.read_results import Objects, States
from kubectl_applylint.sources.cluster.snapshot import Snapshot

_MADE: Final = ("Endpoints", "EndpointSlice")
"""Kinds that controllers create without always setting an owner."""


def in_snapshot(file: str) -> LiveSource:
    """Return the live source for a snapshot file; without any state if it cannot be read."""
    found = snapshot.read(file, now=time.time())
    if isinstance(found, Problem):
        return no_live_source("the snapshot could not be read", found)
    return LiveSource(
        origin=found.origin,
        details=age(found.age_seconds),
        definitions=lambda kinds: Objects(found.crds, ()),
        states=lambda refs, defined: States({ref: _live(found, ref) for ref in refs}, ()),
        applied=partial(_applied_in_snapshot, found),
        named=partial(_named_in_snapshot, found),
        cluster_view=admission_objects.in_snapshot(found),
        context_of=partial(_context_in_snapshot, cache(lambda: tuple(_context_objects(found)))),
        of_kinds=lambda words, namespaces: Objects(tuple(found.objects.values()), ()),
        labelled=lambda words, selector, namespaces: _labelled_in_snapshot(found, selector),
        age_seconds=found.age_seconds,
    )


def _live(found: Snapshot, ref: ObjectRef) -> Knowledge:
    """Return the state of an object; one in another version is converted to that of ``ref`` if possible."""
    known = found.live(ref)
    other = found.elsewhere(ref) if isinstance(known, Unknown) else None
    read = (
        convert_former(other, (ref.api_version, ref.kind), load(f"1.{tables.NEWEST}", crds=found.crds))
        if other
        else None
    )
    return known if read is None else Present(read)


def _context_in_snapshot(
    every: Callable[[], Sequence[tuple[str, Document]]], index_query: IndexQuery
) -> Iterator[Document]:
    """Yield the objects of the kinds in the query."""
    return (document for kind, document in every() if kind in index_query)


def _context_objects(found: Snapshot) -> Iterator[tuple[str, Document]]:
    """Yield all objects with their kinds, without those that controllers created."""
    for ref, item in found.objects.items():
        metadata = mapping(item.get("metadata"))
        is_made = bool(metadata.get("ownerReferences")) or ref.kind in _MADE
        if not is_made and "deletionTimestamp" not in metadata:
            yield f"{ref.kind}.{ref.group}", live_document(ref, item, has_manifest=True)


def _applied_in_snapshot(found: Snapshot, namespace: str, selector: str) -> Objects:
    terms = parse(selector)
    return Objects(tuple(_matching_objects(found.objects, namespace, terms)), ())


def _labelled_in_snapshot(found: Snapshot, selector: str) -> Objects:
    terms = parse(selector)
    return Objects(tuple(item for item in found.objects.values() if selects(terms, item)), ())


def _matching_objects(
    objects: Mapping[ObjectRef, JsonObject], namespace: str, selector: Selector
) -> Iterator[JsonObject]:
    for ref in sorted(objects, key=lambda ref: (ref.namespace, ref.kind, ref.group, ref.name)):
        item = objects[ref]
        if namespace in ("", ref.namespace) and was_applied(item) and selects(selector, item):
            yield item


def _named_in_snapshot(found: Snapshot, spelled: ObjectArgument, namespace: str) -> Objects:
    schema = load(f"1.{tables.NEWEST}", crds=found.crds)
    places = ("", namespace)
    refs = [ref for ref in found.objects if ref.name == spelled.name and ref.namespace in places]
    meant = [ref for ref in refs if _matches_word(spelled.word, ref, schema.kind(ref.api_version, ref.kind))]
    if not meant:
        return Objects((), tuple(_misspelling_problems(found, spelled.word)))
    # If kinds of two groups share a name, kubectl prefers the core group.
    return Objects((found.objects[min(meant, key=lambda ref: ref.group != "")],), ())


def _misspelling_problems(found: Snapshot, word: str) -> Iterator[Problem]:
    """Yield a problem if a word is no kind but almost one; unknown kinds may have any name."""
    own = {ref.kind.lower() for ref in found.objects}
    built_in = {kind.lower() for _, kind in tables.kinds(tables.NEWEST)}
    known = {*own, *built_in, *(name.partition(".")[0] for name in SHORT_NAMES), *SHORT_NAMES.values()}
    name, dot, group = word.lower().partition(".")
    close = "" if name in known else nearest(name, known)
    if close:
        yield Problem(found.origin, f"there is no kind {word!r}", f"did you mean {close}{dot}{group}?")


def _matches_word(word: str, ref: ObjectRef, kind: Kind | None) -> bool:
    return is_name_of_kind(word, ref.api_version, ref.kind, names_of(kind) if kind else ())
