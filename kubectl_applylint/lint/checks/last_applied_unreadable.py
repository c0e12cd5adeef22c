"""Last-applied annotations without a valid manifest."""

from kubectl_applylint.core.paths import fields
from kubectl_applylint.core.state import LAST_APPLIED, Unknown, last_applied
from kubectl_applylint.lint.model import Hit, Hits, Params, Subject


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield the annotation once if it cannot be read. Facts: fault."""
    applied = last_applied(subject.state.live)
    if isinstance(applied, Unknown):
        yield Hit(fields("metadata", "annotations", LAST_APPLIED), {"fault": applied.reason})
