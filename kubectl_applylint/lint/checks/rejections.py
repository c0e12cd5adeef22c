"""Applies that the server or kubectl rejects."""

from collections.abc import Mapping
from typing import Final

from kubectl_applylint.core.outcome import FieldError
from kubectl_applylint.core.paths import render
from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.state import annotations_of
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.engine.errors import (
    error_text,
    facts_by_field,
    first_line,
    path_of_error,
    places_of_decode_error,
)
from kubectl_applylint.engine.placeholders import is_chart_template, is_encrypted
from kubectl_applylint.lint.checks._lists import with_merge_keys
from kubectl_applylint.lint.checks._refusals import changed_below, value_at
from kubectl_applylint.lint.model import Hit, Hits, Params, Scenario, Subject

_REQUIRED: Final = "FieldValueRequired"
_IS_REQUIRED: Final = "is required"
"""The end of the message of a rule of a definition, as in those of Flux."""
_UNCHECKED: Final = "some validation rules were not checked"
"""What the server adds to other errors."""
_EMPTY_PART: Final = regex(r'Invalid value: "(?:null|[-.][^"]*|[^"]*[-.])?"')
_OF_FLUX: Final = ".toolkit.fluxcd.io"


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield the place of each error that matches the rule's ``errors`` and that no other rule explains.

    With ``params["at"]`` ``changed`` it is the first field that would change in the block that the server names,
    without those below the fields ``but``. The object has an annotation of ``with``, and none of ``without``. In a
    unit, errors of encrypted values and of templates of a chart are left out, and fields of objects of Flux that may
    still be added, and those of a chart that its own values leave empty.
    Facts: the placeholders of ``errors``; said (field and message), field, message; changed (all such fields);
    before, after (the values at the place).
    """
    outcome = subject.predict(Scenario.APPLY)
    if not outcome.causes or not _is_meant(subject, params):
        return
    patterns = [error for error in params["errors"] if not error.follows]
    for cause in dict.fromkeys(outcome.causes):
        if cause in subject.explained or _may_be_completed(subject, cause) or _is_left_to_values(subject, cause):
            continue
        for facts in facts_by_field(patterns, subject.ref.kind, cause) if patterns else [{}]:
            yield _hit(subject, cause, facts, params)


def _is_meant(subject: Subject, params: Params) -> bool:
    """Return whether the rule is about an object."""
    annotations = annotations_of(subject.manifest).keys()
    is_other = "with" in params and annotations.isdisjoint(params["with"])
    is_source = subject.flags.is_unit and _is_source(subject.manifest)
    return not (is_source or is_other or not annotations.isdisjoint(params.get("without", ())))


def _hit(subject: Subject, cause: FieldError, facts: Mapping[str, str], params: Params) -> Hit:
    """Return the hit for one field of an error."""
    outcome, kind = subject.predict(Scenario.APPLY), subject.kind
    written = outcome.after or subject.manifest
    named = path_of_error(facts.get("field", cause.field), written)
    place = next(places_of_decode_error(cause.message, written), named)
    place = with_merge_keys(written, kind.root, place) if kind else place
    changed = changed_below(outcome, place, params.get("but", ()))
    path = changed[0] if changed and params.get("at") == "changed" else place
    words = {"said": error_text(cause), "field": cause.field, "message": first_line(cause.message)}
    sides = {"before": value_at(outcome.result, path), "after": value_at(written, path)}
    return Hit(path, {**words, **sides, "changed": ", ".join(map(render, changed)), **facts})


def _may_be_completed(subject: Subject, cause: FieldError) -> bool:
    """Return whether a Kustomization that is not known may add a missing field to an object of Flux, as by a patch."""
    is_about_missing = cause.reason == _REQUIRED or _UNCHECKED in cause.message or cause.message.endswith(_IS_REQUIRED)
    return subject.flags.may_be_patched and is_about_missing and subject.ref.group.endswith(_OF_FLUX)


def _is_left_to_values(subject: Subject, cause: FieldError) -> bool:
    """Return whether an error is about a value that a chart leaves empty, for the values that it is installed with.

    Of a text that a template builds from several values, such as a name, the first or the last part is then missing.
    """
    if not subject.flags.has_own_values_only:
        return False
    causes = subject.predict(Scenario.APPLY).causes if _UNCHECKED in cause.message else (cause,)
    return all(_UNCHECKED in one.message or _EMPTY_PART.search(one.message) for one in causes)


def _is_source(manifest: JsonObject) -> bool:
    """Return whether a manifest is decrypted or rendered before it is applied."""
    return is_encrypted(manifest) or is_chart_template(manifest)
