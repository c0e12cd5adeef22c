"""Fields that left the manifest and that the server fills in with another value."""

from collections.abc import Iterator, Mapping

from kubectl_applylint.core.outcome import Change, Why
from kubectl_applylint.core.paths import get
from kubectl_applylint.core.state import Unknown, last_applied, present
from kubectl_applylint.core.values import MISSING, Json
from kubectl_applylint.lint.model import Hit, Scenario, Subject

_GONE: tuple[Json, ...] = (MISSING, None, "", [], {})


def check(subject: Subject, *, params: Mapping[str, Json]) -> Iterator[Hit]:
    """Yield each field that the last apply wrote, that the manifest lacks, and that gets its default again.

    Keeps quiet where the apply is refused. Facts: before,
    after.
    """
    outcome, applied = subject.foretell(Scenario.APPLY), present(last_applied(subject.state.live))
    for change in () if outcome.refused else outcome.changes:
        left = get(applied, change.path) is not MISSING and get(subject.manifest, change.path) is MISSING
        if left and _is_reset(change):
            yield Hit(change.path, {"before": change.before, "after": change.after})


def _is_reset(change: Change) -> bool:
    known = not isinstance(change.after, Unknown) and change.before is not MISSING
    return known and change.after not in _GONE and change.cause.why is Why.DEFAULTED
