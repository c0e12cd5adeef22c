"""Values of a Secret copied in readable form into the last-applied annotation."""

from kubectl_applylint.core.paths import fields
from kubectl_applylint.core.state import LAST_APPLIED, last_applied, live_object
from kubectl_applylint.core.values import dig, mapping
from kubectl_applylint.lint.model import Hit, Hits, Params, Subject


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield the annotation once if it contains values of ``params["fields"]``. Facts: keys (their names)."""
    applied = live_object(last_applied(subject.state.live))
    keys = sorted({key for name in params["fields"] for key, value in mapping(dig(applied, name)).items() if value})
    if keys:
        yield Hit(fields("metadata", "annotations", LAST_APPLIED), {"keys": ", ".join(keys)})
