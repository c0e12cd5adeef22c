"""Derived defaults that stay although their source field changes."""

from kubectl_applylint.core.paths import Path, get, outermost_missing, render
from kubectl_applylint.core.state import last_applied, live_object
from kubectl_applylint.core.values import MISSING, Json, JsonObject, equal, mapping
from kubectl_applylint.lint.checks._defaults import defaulted_object
from kubectl_applylint.lint.checks._lists import is_in_scope, with_merge_keys
from kubectl_applylint.lint.fixes.field_edits import SetValue
from kubectl_applylint.lint.model import Hit, Hits, Params, Scenario, Subject
from kubectl_applylint.server.defaults.explain import Default


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield each field outside the manifest whose old default stays and that a new object would not have.

    ``params["anew"]``: ``value`` for fields with another default in a new object, ``nothing`` for the outermost blocks
    that it does not have. ``params["only"]`` or ``params["except"]`` name fields, ``params["values"]`` the defaults
    that count. Skipped if the apply is rejected. Facts: value, ``anew``, source (the field that the default is derived
    from), now (its value in the manifest).
    """
    applied, seen = live_object(last_applied(subject.state.live)), set[Path]()
    for path, default, fresh in subject.once(_stale_defaults):
        if not is_in_scope(path, params):
            continue
        renewed = get(fresh, path)
        place = path if renewed is not MISSING else outermost_missing(fresh, path)
        is_meant = default.value in params.get("values", [default.value])
        if is_meant and (renewed is MISSING) is (params["anew"] == "nothing") and place not in seen:
            seen.add(place)
            source = _source(default, applied, subject)
            value, now = get(live_object(subject.state.live), place), get(subject.manifest, source)
            facts = {"value": value, "anew": None if renewed is MISSING else renewed, "source": render(source)}
            edits = () if renewed is MISSING else (SetValue(place, renewed),)
            yield Hit(place, {**facts, "now": None if now is MISSING else now}, edits=edits)


def _stale_defaults(subject: Subject) -> tuple[tuple[Path, Default, JsonObject], ...]:
    """Return the old defaults that stay and that a new object would not have, each with that new object."""
    outcome, applied = subject.predict(Scenario.APPLY), live_object(last_applied(subject.state.live))
    if outcome.refused or applied is MISSING or _is_unchanged(applied, subject.manifest):
        return ()
    sides, fresh = (live_object(subject.state.live), outcome.result), defaulted_object(subject.manifest, subject).object
    return tuple(
        (path, default, fresh)
        for path, default in defaulted_object(applied, subject).derived.items()
        if all(equal(get(side, path), default.value) for side in sides)
        and not equal(get(fresh, path), default.value)
        and get(subject.manifest, path) is MISSING
    )


def _is_unchanged(applied: Json, manifest: Json) -> bool:
    """Return whether two manifests get the same defaults because they are equal, as most are."""
    return equal(_without_implied_fields(applied), _without_implied_fields(manifest))


def _without_implied_fields(manifest: Json) -> Json:
    """Return a manifest without the namespace and the empty maps of its metadata."""
    metadata = {
        key: value for key, value in mapping(manifest.get("metadata")).items() if key != "namespace" and value != {}
    }
    return {**manifest, "metadata": metadata}


def _source(default: Default, applied: Json, subject: Subject) -> Path:
    """Return the field that a default is derived from; of several the first one that changes."""
    assert subject.kind is not None
    sources = [with_merge_keys(applied, subject.kind.root, source) for source in default.sources]
    changed = (s for s in sources if not equal(get(applied, s), get(subject.manifest, s)))
    return next(changed, sources[0])
