"""Selectors and labels of Jobs, which the server generates."""

from typing import Final

from kubectl_applylint.core.paths import Field, Path, fields, get
from kubectl_applylint.core.state import live_object
from kubectl_applylint.core.values import MISSING, dig, equal, mapping
from kubectl_applylint.lint.checks._selectors import after_apply, is_empty
from kubectl_applylint.lint.fixes.field_edits import RemoveField
from kubectl_applylint.lint.model import Hit, Hits, Params, Subject

_GENERATED: Final = frozenset(
    ("controller-uid", "job-name", "batch.kubernetes.io/controller-uid", "batch.kubernetes.io/job-name")
)
"""The labels that the server sets on the pods of a Job."""
_UID_LABELS: Final = fields("controller-uid", "batch.kubernetes.io/controller-uid")
_SELECTOR: Final = fields("spec", "selector")
_LABELS: Final = fields("spec", "template", "metadata", "labels")


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield ``spec.selector``, or else a label of the pods, once if a Job has any without ``manualSelector: true``.

    Skipped if the live Job has the same value.
    """
    if dig(after_apply(subject), "spec", "manualSelector") is True:
        return
    own = mapping(get(subject.manifest, _LABELS)).keys() & _GENERATED
    removed = (_SELECTOR, *((*_LABELS, Field(name)) for name in sorted(own)))
    if _is_set(subject, _SELECTOR):
        yield Hit(_SELECTOR, edits=tuple(map(RemoveField, removed)))
        return
    uids = [path for path in removed[1:] if path[-1] in _UID_LABELS and _is_set(subject, path)]
    if uids:
        yield Hit(uids[0], edits=tuple(map(RemoveField, removed[1:])))


def _is_set(subject: Subject, path: Path) -> bool:
    """Return whether the manifest has a field with another value than the live Job."""
    written = get(subject.manifest, path)
    if written is MISSING or (path == _SELECTOR and is_empty(written)):
        return False
    return not equal(get(after_apply(subject), path), get(live_object(subject.state.live), path))
