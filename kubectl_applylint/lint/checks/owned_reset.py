"""Fields that a server-side apply alone has owned, and that go back to their defaults as it drops them."""

from collections.abc import Iterator, Mapping

from kubectl_applylint.core.outcome import Change, Why
from kubectl_applylint.core.paths import get, parse
from kubectl_applylint.core.state import Unknown
from kubectl_applylint.core.values import MISSING, Json
from kubectl_applylint.lint.checks._owners import writers
from kubectl_applylint.lint.model import Hit, Scenario, Subject


def check(subject: Subject, *, params: Mapping[str, Json]) -> Iterator[Hit]:
    """Yield each field that the manifest lacks, that its manager owns, and that gets its default again.

    ``params["only"]`` are the paths that it is about, if not all. Facts: before, after, manager.
    """
    outcome, manager = subject.foretell(Scenario.APPLY), subject.flags.manager
    only = [parse(text) for text in params.get("only", ())]
    for change in () if outcome.refused else outcome.changes:
        is_meant = not only or change.path in only
        if is_meant and _is_reset(change, subject) and manager in writers(subject, change.path):
            yield Hit(change.path, {"before": change.before, "after": change.after, "manager": manager})


def _is_reset(change: Change, subject: Subject) -> bool:
    known = (
        change.before not in (MISSING, None) and not isinstance(change.after, Unknown) and change.after is not MISSING
    )
    return known and change.cause.why is Why.DEFAULTED and get(subject.manifest, change.path) is MISSING
