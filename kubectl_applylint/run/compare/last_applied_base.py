"""The last-applied annotations of live objects, as documents or as the earlier manifests of a change."""

from collections.abc import Collection, Iterator, Sequence

from kubectl_applylint.appliers.flags import Flags
from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.records import replace
from kubectl_applylint.core.state import Absent, Identity, Knowledge, ObjectRef, Present, Unknown, last_applied, ref_of
from kubectl_applylint.core.values import JsonObject, mapping
from kubectl_applylint.lint.unapplied import live_document, unwritten_document
from kubectl_applylint.run.compare.base import Base
from kubectl_applylint.run.compare.live_source import LiveSource
from kubectl_applylint.run.notes import unserved_kinds
from kubectl_applylint.schema.types import Gvk
from kubectl_applylint.sources.cluster.read_results import Objects
from kubectl_applylint.sources.text.manifests import Input


def with_last_applied_base(
    source: LiveSource, placed: Sequence[Document], defined: Collection[Gvk], flags: Flags
) -> LiveSource:
    """Return the live source with the last-applied annotations of the objects as earlier manifests.

    With pruning, those of all other objects are included. If an object exists without a readable annotation, its
    earlier manifest is unknown.
    """
    refs = [document.ref for document in placed]
    states = source.states(refs, defined)
    there = source.applied("", flags.selector) if flags.policy else Objects((), ())
    own = {ref.identity for ref in refs}
    others = [_as_written(live) for live in there.objects if ref_of(live).identity not in own]
    live = [found.object for found in states.states.values() if isinstance(found, Present)]
    annotated = [document for document in map(_as_written, live) if document.has_manifest]
    origin = f"last-applied of {source.origin}"
    base = Base(
        origin,
        given=Input(tuple(annotated)),
        moved=Input(tuple(document for document in others if document.has_manifest)),
        unknown=dict(_unknown_states(states.states.items())),
    )
    problems = (*source.problems, *unserved_kinds(placed, states.unserved), *states.problems, *there.problems)
    return replace(source, origin=origin, base=base, problems=problems)


def _unknown_states(states: Collection[tuple[ObjectRef, Knowledge]]) -> Iterator[tuple[Identity, Unknown]]:
    for ref, found in states:
        match found, last_applied(found):
            case Unknown(), _:
                yield ref.identity, found
            case Present(), Absent():
                yield ref.identity, Unknown(f"{ref} exists, without a last-applied annotation")
            case Present(), Unknown() as why:
                yield ref.identity, why
            case Present(), Present(manifest) if not _is_manifest_of(_in_version(ref_of(manifest), ref), ref):
                yield ref.identity, Unknown(f"the last-applied annotation of {ref} describes another object")


def last_applied_document(live: JsonObject) -> Document:
    """Return the manifest in an object's annotation as a document, or else one with only its name."""
    ref = ref_of(live)
    match last_applied(Present(live)):
        case Present(manifest) if _is_manifest_of(ref_of(manifest), ref):
            placed = {**mapping(manifest.get("metadata")), **({"namespace": ref.namespace} if ref.namespace else {})}
            return live_document(ref, {**manifest, "metadata": placed}, has_manifest=True)
        case _:
            return unwritten_document(ref)


def _as_written(live: JsonObject) -> Document:
    """Return the manifest in an object's annotation as a document of the version in which it was applied."""
    match last_applied(Present(live)):
        case Present(manifest) if _is_manifest_of(_in_version(ref_of(manifest), ref_of(live)), ref_of(live)):
            found = ref_of(live)
            placed = last_applied_document({**live, "apiVersion": manifest["apiVersion"], "kind": manifest["kind"]})
            return replace(placed, ref=replace(placed.ref, namespace=found.namespace))
        case _:
            return unwritten_document(ref_of(live))


def _in_version(applied: ObjectRef, ref: ObjectRef) -> ObjectRef:
    """Return the ref of an applied manifest in the version of ``ref``, if the kinds are equal."""
    is_same = applied.identity[:2] == ref.identity[:2]
    return replace(applied, api_version=ref.api_version) if is_same else applied


def _is_manifest_of(applied: ObjectRef, ref: ObjectRef) -> bool:
    """Return whether a manifest is that of an object, in that version; a flag may have set its namespace."""
    return replace(applied, namespace=applied.namespace or ref.namespace) == ref
