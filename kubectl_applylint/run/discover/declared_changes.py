"""Reports changed objects that declare applies whose manifests are not rendered here.

For example a HelmRelease with a chart of a registry, an Application with a remote source, or a changed OCIRepository:
the effect of the change on the applied objects is unknown, which is a problem of the change.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Final

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.paths import fields
from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.state import Identity, namespaced_name
from kubectl_applylint.core.values import Json, JsonObject, dig, equal, mapping, text_at
from kubectl_applylint.run.discover.other_revisions import unread_problem
from kubectl_applylint.run.sides.side import UNEXAMINED_ADVICE, Side
from kubectl_applylint.units.model import Unit
from kubectl_applylint.units.reading import reason

_SOURCES: Final = frozenset({"GitRepository", "OCIRepository", "HelmRepository", "HelmChart", "Bucket"})
"""The kinds of sources of Flux."""
_SOURCE_GROUP: Final = "source.toolkit.fluxcd.io"
_RELEASE: Final = ("helm.toolkit.fluxcd.io", "HelmRelease")
"""The kind whose objects are units of their own unless their chart is in the repository."""
_UNITS: Final = (_RELEASE, ("argoproj.io", "Application"), ("argoproj.io", "ApplicationSet"))
"""The kinds whose objects are units wherever they are rendered."""
_HARMLESS: Final = frozenset(
    {"interval", "timeout", "retryInterval", "maxHistory", "dependsOn", "revisionHistoryLimit"}
)
"""The fields of a ``spec`` that do not change the applied objects."""
_EXAMINED: Final[Mapping[tuple[str, str], frozenset[str]]] = {
    ("argoproj.io", "Application"): frozenset(
        {
            *("project", "syncPolicy", "destination", "ignoreDifferences", "info"),
            *("source", "sources", "sourceHydrator"),
        }
    ),
    ("argoproj.io", "ApplicationSet"): frozenset(
        {
            *("generators", "template", "syncPolicy", "strategy", "goTemplate", "goTemplateOptions", "templatePatch"),
            *("preservedFields", "ignoreApplicationDifferences"),
        }
    ),
    ("fluxcd.controlplane.io", "FluxInstance"): frozenset(),
}
"""The kinds that declare applies, and the fields of their ``spec`` with which the declared unit is examined."""
_UNFOLLOWED: Final[Mapping[str, tuple[str, str]]] = {
    "verify": ("signatures are not checked here", "check that of the artifact with the program that signs it"),
    "recurseSubmodules": ("files of submodules are not read here", "check the objects in them"),
    "provider": ("whether Flux can log in is not known here", "check that its service account may read the source"),
}
"""The fields of the ``spec`` of a source whose changes are not followed: the effect, and what to do."""


def unexamined_applies(
    before: Mapping[Identity, Document], after: Mapping[Identity, Document], declared: Collection[str]
) -> Iterator[Problem]:
    """Yield a problem for each new, removed or changed object whose applies are not examined, or not completely.

    ``declared`` are the objects whose units are examined, as ``units.reading.reason`` formats them.
    """
    yield from unfollowed_changes(before, after)
    for name in dict.fromkeys((*before, *after)):
        was, now = before.get(name), after.get(name)
        document = now or was
        if document and _is_unexamined(was, now, declared):
            title = reason(document, ()).text
            verb = "changed" if was and now else "is new" if now else "is removed"
            message = f"{title} {verb}, and the objects that it applies are not rendered"
            yield Problem(str(document.locate(())), message, UNEXAMINED_ADVICE, subject=_subject(document))


def unfollowed_changes(before: Mapping[Identity, Document], after: Mapping[Identity, Document]) -> Iterator[Problem]:
    """Yield a problem for each setting of a source that differs and whose effect is not known here."""
    for name in before.keys() & after.keys():
        was, now = before[name], after[name]
        if now.ref.group != _SOURCE_GROUP or now.ref.kind not in _SOURCES:
            continue
        for key, (effect, advice) in _UNFOLLOWED.items():
            if not equal(was.object.get("spec", {}).get(key), now.object.get("spec", {}).get(key)):
                message = f"{reason(now, ()).text}: {key} changed, and {effect}"
                where = str(now.locate(fields("spec", key)))
                yield Problem(where, message, f"{advice}, or accept it with incomplete: in the configuration")


def _subject(document: Document) -> str:
    return f"{document.ref.kind}/{document.ref.namespaced_name}"


def _is_unexamined(was: Document | None, now: Document | None, declared: Collection[str]) -> bool:
    document = now or was
    if document is None:
        return False
    if document.ref.group == _SOURCE_GROUP and document.ref.kind in _SOURCES:
        return bool(was and now) and not equal(*(_spec(one, _HARMLESS) for one in (was, now)))
    examined = _EXAMINED.get((document.ref.group, document.ref.kind))
    if examined is None:
        return False
    if reason(document, ()).text not in declared:
        if (document.ref.group, document.ref.kind) in _UNITS:
            return False
        return not (was and now) or not equal(*(_spec(one, _HARMLESS) for one in (was, now)))
    return bool(was and now) and not equal(*(_spec(one, _HARMLESS | examined) for one in (was, now)))


def followed_sources(units: Collection[Unit]) -> frozenset[str]:
    """Return the sources whose files are known to all units that read them, and the repositories that they include."""
    read, unread = (
        {
            name
            for unit in units
            if bool(unit.applied.gap) is has_gap and not unit.applied.is_suspended
            for name in _source_names(unit)
        }
        for has_gap in (False, True)
    )
    return frozenset(read - unread)


def reported_sources(earlier: Iterable[Unit], later: Iterable[Unit]) -> Iterator[str]:
    """Yield the sources that changed with a unit whose files the store does not have: its problem names them."""
    before = {unit.key: unit for unit in earlier}
    for unit in later:
        applied, was = unit.applied, before.get(unit.key, unit)
        is_unread = (applied.gap and (applied.fetched_source or applied.revision)) or unread_problem(was)
        if is_unread and not applied.is_suspended and was.applied.inputs_key != applied.inputs_key:
            yield from _source_names(unit)


def _source_names(unit: Unit) -> Iterator[str]:
    item = unit.applied.tool_object or {}
    reference = dig(item, "spec", "sourceRef")
    home = text_at(reference, "namespace") or text_at(item, "metadata", "namespace")
    kind = text_at(reference, "kind") or "GitRepository"
    yield f"{kind} {namespaced_name(home, text_at(reference, 'name'))}"
    yield from (name for one in unit.applied.includes for name in one.names)


def is_read_by_release(side: Side, subject: str) -> bool:
    """Return whether a source, ``KIND/NAMESPACE/NAME`` or ``KIND/NAME``, is named in a file with a HelmRelease.

    Releases are examined with their sources.
    """
    kind, name = subject.partition("/")[0], subject.rpartition("/")[2]
    if kind not in _SOURCES:
        return False
    texts = side.contents(side.mentioning([name])).values()
    return any(b"HelmRelease" in text for text in texts)


def without_harmless_fields(item: JsonObject | None) -> JsonObject:
    """Return the ``spec`` of a declaring object without the fields that do not change the applied objects."""
    return {key: value for key, value in mapping((item or {}).get("spec")).items() if key not in _HARMLESS}


def _spec(document: Document | None, without: Collection[str]) -> Json:
    """Return the ``spec`` of an object without some fields, and without some fields of its fields (``a.b``)."""
    spec = mapping(document.object.get("spec")) if document else {}
    nested = {name.partition(".")[0] for name in without if "." in name}
    return {
        key: {inner: one for inner, one in mapping(value).items() if f"{key}.{inner}" not in without}
        if key in nested
        else value
        for key, value in spec.items()
        if key not in without
    }


def by_identity(documents: Iterable[Document]) -> Mapping[Identity, Document]:
    """Return documents by the identities of their objects; the last one of duplicates."""
    return {document.ref.identity: document for document in documents}
