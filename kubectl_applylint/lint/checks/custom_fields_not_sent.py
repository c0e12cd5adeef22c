"""Fields of custom resources that keep another value because the applier does not send them."""

from kubectl_applylint.core.paths import Index, Path, get, leaves
from kubectl_applylint.core.state import live_object
from kubectl_applylint.core.values import MISSING, equal
from kubectl_applylint.lint.model import Hit, Hits, Params, Scenario, Subject


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield each field, lists as a whole, that differs from the manifest after a successful apply.

    Only differences that the live object already has count, not those that the server makes. Built-in kinds are
    skipped.
    Facts: live, wanted.
    """
    if subject.kind is not None and not subject.kind.custom:
        return
    outcome, live = subject.predict(Scenario.APPLY), live_object(subject.state.live)
    if outcome.refused or outcome.result is None or live is MISSING:
        return
    fresh = subject.predict(Scenario.FRESH).result
    for path in dict.fromkeys(_outermost_list(path) for path, _ in leaves(subject.manifest)):
        wanted, there, after = (get(side, path) for side in (subject.manifest, live, outcome.result))
        is_same = equal(wanted, after) or equal(get(fresh, path), after)
        if wanted not in (None, {}, []) and not is_same and equal(there, after):
            yield Hit(path, {"live": "nothing" if there is MISSING else there, "wanted": wanted})


def _outermost_list(path: Path) -> Path:
    """Return the list that a path leads into, or the path itself."""
    position = next((at for at, step in enumerate(path) if isinstance(step, Index)), len(path))
    return path[:position]
