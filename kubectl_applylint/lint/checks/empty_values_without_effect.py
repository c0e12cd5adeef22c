"""Empty maps and lists of the manifest that do not empty the live ones."""

from kubectl_applylint.core.gotext import encode
from kubectl_applylint.core.outcome import plain
from kubectl_applylint.core.paths import get, leaves, render
from kubectl_applylint.core.state import live_object
from kubectl_applylint.core.values import MISSING, equal
from kubectl_applylint.lint.checks._lists import is_in_scope, with_merge_keys
from kubectl_applylint.lint.model import Hit, Hits, Params, Scenario, Subject


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield each empty map or list below which live values stay that a new object would not have.

    ``params["except"]`` names excluded fields. Skipped if the apply is rejected or the kind is unknown. Facts: kept
    (the
    first three values with their fields).
    """
    outcome, live = subject.predict(Scenario.APPLY), live_object(subject.state.live)
    if outcome.refused or subject.kind is None:
        return
    for place in [place for place, value in leaves(subject.manifest) if value in ({}, [])]:
        path = with_merge_keys(subject.manifest, subject.kind.root, place)
        if not is_in_scope(path, params) or get(live, path) in (MISSING, None, {}, []):
            continue
        fresh = subject.predict(Scenario.FRESH).result
        inner = [(leaf, old) for leaf, old in leaves(get(live, path), path) if equal(get(outcome.result, leaf), old)]
        kept = [f"{render(leaf)} {encode(plain(old))}" for leaf, old in inner if not equal(get(fresh, leaf), old)]
        if kept:
            yield Hit(path, {"kept": ", ".join([*kept[:3], *(["…"] if kept[3:] else [])])})
