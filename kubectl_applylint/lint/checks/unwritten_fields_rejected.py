"""Fields outside the manifest that make the server reject the apply."""

from collections.abc import Iterator

from kubectl_applylint.core.outcome import FieldError
from kubectl_applylint.core.paths import Field, Path, get, parse
from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.state import last_applied, live_object
from kubectl_applylint.core.values import MISSING, Json, equal, mapping
from kubectl_applylint.lint.checks._lists import with_merge_keys
from kubectl_applylint.lint.model import Hit, Hits, Params, Scenario, Subject

_EITHER_OR = regex("may not be specified when|may not specify more than|both set|mutually exclusive")
"""Messages of the server about a sibling of the field that they name."""

_TWINS = "FieldValueDuplicate"
"""The reason for duplicate entries; one must be removed, which a null does not do."""


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield each live field of neither the manifest nor the last apply that makes the apply fail.

    A new object must be accepted, the error must name the field or state that it excludes a sibling, and no other rule
    may
    explain it. Facts: message (the server's).
    """
    outcome, fresh = subject.predict(Scenario.APPLY), subject.predict(Scenario.FRESH)
    if subject.kind is None or outcome.intended is None or fresh.refused:
        return
    without = (fresh.result, subject.manifest, live_object(last_applied(subject.state.live)))
    with_it = (outcome.intended, live_object(subject.state.live))
    seen: set[Path] = set()
    for refusal in outcome.errors:
        if refusal.reason == _TWINS or refusal in subject.explained:
            continue
        for place in _candidate_paths(refusal, outcome.intended):
            path = with_merge_keys(outcome.intended, subject.kind.root, place)
            values = [get(side, path) for side in with_it]
            left = MISSING not in values and equal(*values) and all(get(side, path) is MISSING for side in without)
            if left and seen.isdisjoint((path, path[:-1])):
                seen.add(path)
                yield Hit(path, {"message": refusal.message}, explains=(refusal,))


def _candidate_paths(refusal: FieldError, intended: Json) -> Iterator[Path]:
    """Yield the paths that an error may be about, existing or not."""
    try:
        place = parse(refusal.field)
    except ValueError:
        return
    yield place
    if _EITHER_OR.search(refusal.message):
        yield from ((*place[:-1], Field(key)) for key in mapping(get(intended, place[:-1])))
        yield from ((*place, Field(key)) for key in mapping(get(intended, place)))
