"""Definitions in the ``crds`` directory of a chart, which Helm only installs once."""

from kubectl_applylint.core.paths import fields
from kubectl_applylint.core.state import live_object
from kubectl_applylint.core.values import MISSING, equal
from kubectl_applylint.lint.model import Hit, Hits, Params, Subject
from kubectl_applylint.tools.helm.release import is_in_crds


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield the name once if the manifest is in ``crds/`` and differs from the earlier revision."""
    base = live_object(subject.base)
    if base is not MISSING and not equal(base, subject.manifest) and is_in_crds(subject.document.file):
        yield Hit(fields("metadata", "name"))
