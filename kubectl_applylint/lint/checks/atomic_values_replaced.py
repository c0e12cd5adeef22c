"""Atomic lists and maps that an apply takes over, which drops the entries of other managers."""

from kubectl_applylint.core.paths import as_written_in, get
from kubectl_applylint.core.state import Present
from kubectl_applylint.core.values import Json, equal
from kubectl_applylint.lint.checks._owners import own_managers
from kubectl_applylint.lint.model import Hit, Hits, Params, Scenario, Subject
from kubectl_applylint.merge.typed import MergeForm, form_of
from kubectl_applylint.schema.lookup import at


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield each atomic list or map that the apply takes from another manager and that loses entries.

    Facts: owners (the former ones), dropped (the number of lost entries).
    """
    live, own, outcome = subject.state.live, own_managers(subject), subject.predict(Scenario.APPLY)
    if not isinstance(live, Present) or subject.kind is None or outcome.refused:
        return
    for change in outcome.owner_changes:
        losers = [owner for owner in change.lost if owner not in own]
        node = at(subject.kind.root, change.path)
        if losers and own.intersection(change.gained) and node and form_of(node, []) is MergeForm.ATOMIC:
            dropped = _dropped_count(get(live.object, change.path), get(outcome.result, change.path))
            if dropped:
                owners = ", ".join(map(str, losers))
                yield Hit(as_written_in(subject.manifest, change.path), {"owners": owners, "dropped": dropped})


def _dropped_count(before: Json, after: Json) -> int:
    """Return how many entries of a list or map no longer exist."""
    if isinstance(before, list) and isinstance(after, list):
        return sum(not any(equal(item, other) for other in after) for item in before)
    return len(before.keys() - after.keys()) if isinstance(before, dict) and isinstance(after, dict) else 0
