"""Fields that a server-side apply removes although the last client-side apply never wrote them."""

from collections.abc import Iterator, Mapping

from kubectl_applylint.appliers.last_applied import annotation_of, original_of
from kubectl_applylint.core.outcome import Why
from kubectl_applylint.core.paths import get, written
from kubectl_applylint.core.state import Present
from kubectl_applylint.core.values import MISSING, Json
from kubectl_applylint.lint.checks._owners import ANNOTATION_PATH, us
from kubectl_applylint.lint.model import Hit, Scenario, Subject
from kubectl_applylint.merge.errors import MergeError


def check(subject: Subject, *, params: Mapping[str, Json]) -> Iterator[Hit]:
    """Yield each field that is removed because kubectl hands over to its manager more than it ever applied.

    Facts: owners (who is taken for client-side apply).
    """
    live = subject.state.live
    handed = sorted({owner.name for owner in us(subject) if owner.operation == "Update"})
    if not isinstance(live, Present) or not handed:
        return
    try:
        original = original_of(annotation_of(live.object))
    except MergeError:
        return
    for change in subject.foretell(Scenario.APPLY).changes:
        gone = change.cause.why is Why.RELEASED and change.path != ANNOTATION_PATH
        if gone and get(original, written(original, change.path)) is MISSING:
            yield Hit(change.path, {"owners": ", ".join(handed)})
