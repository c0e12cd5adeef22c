"""Fields that nobody wrote into a manifest and over which the apply is refused."""

from collections.abc import Iterator

from kubectl_applylint.core.outcome import FieldError
from kubectl_applylint.core.paths import Field, Path, get, parse
from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.state import last_applied, live_object
from kubectl_applylint.core.values import MISSING, Json, equal, mapping
from kubectl_applylint.lint.checks._lists import with_merge_keys
from kubectl_applylint.lint.model import Hit, Hits, Params, Scenario, Subject

_EITHER_OR = regex("may not be specified when|may not specify more than|both set|mutually exclusive")
"""Words of the server that speak of a field beside the one that it names."""

_TWINS = "FieldValueDuplicate"
"""Of two entries that are the same somewhere one has to go, which no null does."""


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield each field of the live object that neither the manifest nor the last apply has, if the apply fails by it.

    That is so where a new object would not be refused, and where the refusal names the field, or says that a field does
    not go with those beside it, and where no other rule explains it. Facts: message (the server's).
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
        for place in _meant(refusal, outcome.intended):
            path = with_merge_keys(outcome.intended, subject.kind.root, place)
            values = [get(side, path) for side in with_it]
            left = MISSING not in values and equal(*values) and all(get(side, path) is MISSING for side in without)
            if left and seen.isdisjoint((path, path[:-1])):
                seen.add(path)
                yield Hit(path, {"message": refusal.message}, explains=(refusal,))


def _meant(refusal: FieldError, intended: Json) -> Iterator[Path]:
    """Yield the places that a refusal may be about; those that are not there are not meant."""
    try:
        place = parse(refusal.field)
    except ValueError:
        return
    yield place
    if _EITHER_OR.search(refusal.message):
        yield from ((*place[:-1], Field(key)) for key in mapping(get(intended, place[:-1])))
        yield from ((*place, Field(key)) for key in mapping(get(intended, place)))
