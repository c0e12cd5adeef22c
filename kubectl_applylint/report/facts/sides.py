"""The object before and after an apply, from its outcome: the changes are undone in the later object.

Fields of other managers and everything else that does not change are the same on both sides. Elements that disappear
from a list stand at its end, since changes have no positions.
"""

from collections.abc import Sequence
from typing import TypeAlias

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.outcome import Change, Outcome, Verdict
from kubectl_applylint.core.paths import ByKey, Field, Path, PathStep, child
from kubectl_applylint.core.state import Unknown
from kubectl_applylint.core.values import MISSING, Json, JsonObject, Missing, equal, items, mapping
from kubectl_applylint.report.objects.changes import is_new

Sides: TypeAlias = tuple[JsonObject | None, JsonObject | None]
"""An object before and after; ``None`` where it does not exist."""


def object_sides(document: Document, outcome: Outcome) -> Sides:
    """Return the object before and after an apply, as it would be if the apply were not rejected.

    An object that leaves the files and stays in the cluster is the same on both sides, one of unknown fate has none.
    """
    after = outcome.after
    match outcome.verdict:
        case Verdict.PRUNED:
            return document.object, None
        case Verdict.MAY_BE_REMOVED | Verdict.UNKNOWN:
            return None, None
        case _ if after is None or is_new(outcome):
            return None, after
        case _:
            after = _with_values(after, outcome.changes, is_later=True)
            return _with_values(after, outcome.changes, is_later=False), after


def _with_values(value: JsonObject, changes: Sequence[Change], *, is_later: bool) -> JsonObject:
    """Return an object with the earlier or later value of each change.

    The later values are set, too, because those of masked changes differ from those of the masked object.
    """
    for change in changes:
        if not equal(change.before, change.after):
            value = mapping(_with_value(value, change.path, change.after if is_later else change.before))
    return value


def _with_value(value: Json | Missing, path: Path, wanted: Json | Unknown | Missing) -> Json:
    """Return a value with another one at a path; ``MISSING`` removes it, and maps and lists that become empty."""
    if not path:
        return wanted
    step, inner = path[0], child(value, path[0])
    made = _with_value(inner, path[1:], wanted)
    if made is inner:
        return value
    if isinstance(step, Field):
        held: Json = {name: one for name, one in {**mapping(value), step.name: made}.items() if one is not MISSING}
    else:
        held = _with_element(items(value), step, inner, made)
    return held if held or wanted is not MISSING else MISSING


def _with_element(elements: list[Json], step: PathStep, old: Json | Missing, new: Json | Missing) -> list[Json]:
    """Return the elements of a list with one replaced, removed or added."""
    if old is MISSING:
        keys = dict(step.keys) if isinstance(step, ByKey) else {}
        return [*elements, {**keys, **new} if isinstance(new, dict) else new]
    kept = [new if element is old else element for element in elements]
    return [element for element in kept if element is not MISSING]
