"""Duplicate keys in a mapping of the text."""

from kubectl_applylint.core.paths import render
from kubectl_applylint.lint.model import Hit, Hits, Params, Subject


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield each key that is repeated with another value. Facts: ``key``, ``line`` (of the first one)."""
    for path, line in subject.document.repeated():
        yield Hit(path, {"key": render(path[-1:]), "line": line})
