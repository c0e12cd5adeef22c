"""What a Secret holds, repeated in the environment variables of other objects: masked there as well.

Only texts that stand in an environment variable of some object of the run count, so that a user name such as
``postgres`` that a Secret holds does not hide every image of that name.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Final, TypeAlias

from kubectl_applylint.model import Finding
from kubectl_applylint.outcome import Change, Outcome, Write
from kubectl_applylint.paths import Field, Path, leaves
from kubectl_applylint.state import LAST_APPLIED
from kubectl_applylint.values import Json, JsonObject

MASK: Final = "********"
"""What stands for a value; one length for all, so that it tells nothing."""
_ENVIRONMENT: Final = Field("env")

Literals: TypeAlias = frozenset[str]
"""Texts that a Secret holds and that an environment variable repeats."""


def literals(objects: Iterable[JsonObject], held: Iterable[str]) -> Literals:
    """Return which of the texts that Secrets hold stand in an environment variable of one of the objects."""
    every = "\0".join(text for item in objects for _, text in variables(item))
    return frozenset(text for text in held if text in every)


def variables(item: JsonObject) -> Iterator[tuple[Path, str]]:
    """Yield every text below a field ``env`` with its path, lists by position."""
    for path, value in leaves(item):
        if _ENVIRONMENT in path and isinstance(value, str):
            yield path, value


def hidden(text: str, known: Literals) -> str:
    """Return a text without the literals."""
    found = sorted((literal for literal in known if literal in text), key=lambda literal: (-len(literal), literal))
    return re.sub("|".join(map(re.escape, found)), MASK, text) if found else text


def hide_in_finding(finding: Finding, known: Literals) -> Finding:
    """Return the finding without the literals in its words."""
    clean = partial(hidden, known=known)
    related = tuple(replace(related, note=clean(related.note)) for related in finding.related)
    return replace(finding, message=clean(finding.message), fix=clean(finding.fix), related=related)


def hide_in_outcome(outcome: Outcome, known: Literals) -> Outcome:
    """Return the outcome without the literals in environment variables, in the annotation and in messages."""
    clean = partial(hidden, known=known)
    return replace(
        outcome,
        requests=tuple(_in_write(write, known) for write in outcome.requests),
        result=_in_object(outcome.result, known),
        intended=_in_object(outcome.intended, known),
        changes=tuple(hide_in_change(change, known) for change in outcome.changes),
        causes=tuple(replace(cause, message=clean(cause.message)) for cause in outcome.causes),
        conflicts=tuple(replace(conflict, message=clean(conflict.message)) for conflict in outcome.conflicts),
        error=clean(outcome.error),
        warnings=tuple(map(clean, outcome.warnings)),
        remedy=clean(outcome.remedy),
    )


def hide_in_change(change: Change, known: Literals) -> Change:
    """Return the change without the literals in its values."""
    inside = _ENVIRONMENT in change.path or Field(LAST_APPLIED) in change.path
    before, after = (_in_value(value, known, inside=inside) for value in (change.before, change.after))
    return replace(change, before=before, after=after)


def hide_in_object(item: JsonObject, known: Literals) -> JsonObject:
    """Return the object without the literals in environment variables and in the annotation."""
    shown: JsonObject = _in_value(item, known) if known else item
    return shown


def _in_object(value: JsonObject | None, known: Literals) -> JsonObject | None:
    return None if value is None else _in_value(value, known)


def _in_write(write: Write, known: Literals) -> Write:
    return replace(write, body=_in_value(write.body, known))


def _in_value(value: Json, known: Literals, *, inside: bool = False) -> Json:
    """Return the value with the literals masked; ``inside`` tells that it stands where there may be some."""
    if isinstance(value, Mapping):
        return {
            key: _in_value(item, known, inside=inside or key in (_ENVIRONMENT.name, LAST_APPLIED))
            for key, item in value.items()
        }
    if isinstance(value, list):
        return [_in_value(item, known, inside=inside) for item in value]
    return hidden(value, known) if inside and isinstance(value, str) else value
