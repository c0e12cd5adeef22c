"""Last-applied annotations in another API version with other field names."""

from kubectl_applylint.core.paths import Path, get, leaves, render
from kubectl_applylint.core.state import last_applied, live_object
from kubectl_applylint.core.values import MISSING, mapping
from kubectl_applylint.lint.model import Hit, Hits, Params, Subject
from kubectl_applylint.schema.lookup import at


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield an object of a built-in kind once if it was applied with fields that its version does not have.

    Facts: before, after (the versions), fields.
    """
    applied, kind = mapping(live_object(last_applied(subject.state.live))), subject.kind
    before = applied.get("apiVersion")
    if kind is None or kind.custom or before in (None, subject.ref.api_version):
        return
    unknown = [path for path, _ in leaves(applied) if at(kind.root, path) is None and _is_gone(path, subject)]
    if unknown:
        fields = ", ".join(dict.fromkeys(map(render, unknown)))
        yield Hit((), {"before": before, "after": subject.ref.api_version, "fields": fields})


def _is_gone(path: Path, subject: Subject) -> bool:
    """Return whether the manifest does not have a field."""
    return get(subject.manifest, path) is MISSING
