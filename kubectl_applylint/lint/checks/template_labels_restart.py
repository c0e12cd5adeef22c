"""Pods that restart because of labels and annotations alone."""

from kubectl_applylint.core.paths import fields
from kubectl_applylint.core.state import live_object
from kubectl_applylint.core.values import MISSING, Json, dig, equal, mapping
from kubectl_applylint.lint.model import Hit, Hits, Params, Scenario, Subject
from kubectl_applylint.lint.relations import TEMPLATE


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield the labels or annotations of the template once if they alone restart the pods.

    Skipped if one of those that differ has a word of ``params["meant"]`` in its name: these exist to restart pods.
    Facts: ``names``.
    """
    outcome = subject.predict(Scenario.APPLY)
    if outcome.refused or not outcome.restarts:
        return
    before, after = (dig(side, *TEMPLATE) for side in (live_object(subject.state.live), outcome.result))
    changed = {part: _differing(before, after, part) for part in ("labels", "annotations")}
    names = [name for part in changed.values() for name in part]
    is_meant = any(word in name.lower() for name in names for word in params["meant"])
    if names and not is_meant and equal(mapping(before).get("spec"), mapping(after).get("spec")):
        part = next(part for part in changed if changed[part])
        yield Hit(fields(*TEMPLATE, "metadata", part), {"names": ", ".join(names)})


def _differing(before: Json, after: Json, part: str) -> list[str]:
    """Return the names of the labels or annotations that differ."""
    old, new = (mapping(dig(side, "metadata", part)) for side in (before, after))
    return sorted(name for name in {**old, **new} if not equal(old.get(name, MISSING), new.get(name, MISSING)))
