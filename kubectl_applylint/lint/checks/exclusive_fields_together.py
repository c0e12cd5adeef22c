"""Mutually exclusive fields of a manifest."""

from kubectl_applylint.core.paths import get, parse
from kubectl_applylint.core.values import MISSING
from kubectl_applylint.lint.fixes.field_edits import RemoveField
from kubectl_applylint.lint.model import Hit, Hits, Params, Subject


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield the last of ``params["paths"]`` once if the manifest has all of them, empty ones included, nulls not."""
    paths = [parse(path) for path in params["paths"]]
    if all(get(subject.manifest, path) not in (MISSING, None) for path in paths):
        is_empty = not get(subject.manifest, paths[-1])
        yield Hit(paths[-1], edits=(RemoveField(paths[-1]),) if is_empty else ())
