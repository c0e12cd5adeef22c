"""Manifests with their defaults, for the checks about defaulted fields."""

from collections.abc import Mapping

from kubectl_applylint.core.paths import Path
from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.lint.checks._lists import with_merge_keys
from kubectl_applylint.lint.model import Subject
from kubectl_applylint.server.defaults.explain import Default, with_defaults
from kubectl_applylint.server.faults import DecodeError


@dataclass(frozen=True, slots=True)
class DefaultedObject:
    """An object with its defaults, and those derived from other fields, by path with merge keys."""

    object: JsonObject
    derived: Mapping[Path, Default]


def defaulted_object(manifest: Json, subject: Subject) -> DefaultedObject:
    """Return a manifest of the subject's kind with its defaults; empty if a server could not decode it.

    It is computed once for all cases of a subject.
    """
    key = (defaulted_object, id(manifest))
    if key not in subject.shared_results:
        # The manifest is kept alive, so that its id is not reused.
        subject.shared_results[key] = (manifest, _defaulted_object(manifest, subject))
    found: DefaultedObject = subject.shared_results[key][1]
    return found


def _defaulted_object(manifest: Json, subject: Subject) -> DefaultedObject:
    if subject.kind is None or subject.kind.custom or not isinstance(manifest, dict):
        return DefaultedObject({}, {})
    try:
        found = with_defaults(manifest, subject.kind, subject.schema.version)
    except DecodeError:
        return DefaultedObject({}, {})
    root = subject.kind.root
    derived = {
        with_merge_keys(found.object, root, default.path): default for default in found.defaults if default.sources
    }
    return DefaultedObject(found.object, derived)
