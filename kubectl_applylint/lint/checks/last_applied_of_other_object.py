"""Last-applied annotations copied from another object."""

from kubectl_applylint.core.paths import fields
from kubectl_applylint.core.state import LAST_APPLIED, last_applied, live_object, ref_of
from kubectl_applylint.core.values import mapping
from kubectl_applylint.lint.model import Hit, Hits, Params, Subject


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield the annotation once if it names another object. Facts: other (``deployment.apps/web in shop``).

    The API group is not compared: kinds have moved between groups.
    """
    other, own = ref_of(mapping(live_object(last_applied(subject.state.live)))), subject.ref
    is_elsewhere = bool(other.namespace) and other.namespace != own.namespace
    if other.name and other.kind and ((other.kind, other.name) != (own.kind, own.name) or is_elsewhere):
        place = f" in {other.namespace}" if other.namespace else ""
        yield Hit(fields("metadata", "annotations", LAST_APPLIED), {"other": f"{other}{place}"})
