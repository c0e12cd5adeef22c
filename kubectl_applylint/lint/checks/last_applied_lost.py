"""Live objects that client-side apply has written, and whose last-applied annotation is gone."""

from kubectl_applylint.appliers.kubectl_client import was_applied
from kubectl_applylint.core.state import Absent, Present, last_applied
from kubectl_applylint.lint.model import Hit, Hits, Params, Subject


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield the object once if it has traces of client-side apply but no annotation, or an empty one."""
    live = subject.state.live
    if isinstance(live, Present) and last_applied(live) == Absent() and was_applied(live.object):
        yield Hit(())
