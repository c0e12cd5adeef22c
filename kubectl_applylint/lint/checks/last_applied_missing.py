"""Live objects that client-side apply knows nothing about."""

from kubectl_applylint.appliers.kubectl_client import was_applied
from kubectl_applylint.core.state import Absent, Present, last_applied
from kubectl_applylint.lint.model import Hit, Hits, Params, Subject


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield the object once if it is live without the annotation in which kubectl keeps the last manifest.

    Keeps quiet where there are other traces of client-side apply: then the annotation was lost.
    """
    live = subject.state.live
    if isinstance(live, Present) and last_applied(live) == Absent() and not was_applied(live.object):
        yield Hit(())
