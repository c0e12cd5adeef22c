"""Live entries of atomic lists that the apply replaces as a whole."""

from kubectl_applylint.core.outcome import Why
from kubectl_applylint.core.paths import get
from kubectl_applylint.core.state import last_applied, live_object
from kubectl_applylint.core.values import Json, items
from kubectl_applylint.lint.checks._lists import covers, entry_name
from kubectl_applylint.lint.model import Hit, Hits, Params, Scenario, Subject


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield each list of a built-in kind that loses live entries of neither the manifest nor the last apply.

    Lists that were never applied are skipped: they contain defaults or belong to others. Facts: entries, count.
    """
    outcome, applied = subject.predict(Scenario.APPLY), live_object(last_applied(subject.state.live))
    if outcome.refused or subject.kind is None or not subject.kind.strategic:
        return
    for change in outcome.changes:
        lists = (change.before, change.after, get(applied, change.path))
        foreign = _foreign_entries(*map(items, lists)) if change.provenance.why is Why.REPLACED else []
        if foreign:
            yield Hit(change.path, {"entries": ", ".join(map(entry_name, foreign)), "count": len(foreign)})


def _foreign_entries(before: list[Json], after: list[Json], applied: list[Json]) -> list[Json]:
    """Return the removed entries that were never applied, none if nothing was."""
    return [entry for entry in before if applied and not any(covers(entry, item) for item in (*after, *applied))]
