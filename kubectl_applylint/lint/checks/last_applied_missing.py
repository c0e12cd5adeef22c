"""Live objects without the annotation in which kubectl stores the last manifest."""

from kubectl_applylint.appliers.kubectl_client import was_applied
from kubectl_applylint.core.state import Absent, Present, last_applied
from kubectl_applylint.lint.model import Hit, Hits, Params, Subject


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield the object once if it is live without the annotation, or with an empty one.

    ``params["lost"]``: whether it has other traces of client-side apply, so that it had the annotation before.
    """
    live = subject.state.live
    if isinstance(live, Present) and last_applied(live) == Absent() and was_applied(live.object) is params["lost"]:
        yield Hit(())
