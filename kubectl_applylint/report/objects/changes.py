"""Which changes of an object a reader has to see: those that neither the file nor the verdict say already.

Server defaults, values that only the live object has, and what appliers note for themselves are shown on demand.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from kubectl_applylint.core.outcome import Change, Outcome, Verdict, Why, plain
from kubectl_applylint.core.paths import ByKey, Field, Path, PathStep, fields, get, leaves
from kubectl_applylint.core.values import MISSING, Json

_NOTES: Final = (Why.ANNOTATED, Why.NOTED, Why.REMEMBERED)


def visible_changes(outcome: Outcome, *, verbose: bool = False) -> list[Change]:
    """Return the changes that say more than the verdict and the file; what is new as a whole is one change."""
    if verbose:
        return list(outcome.changes)
    is_created = is_new(outcome)
    return list(_as_wholes([change for change in outcome.changes if _matters(change, is_created)], outcome))


def is_new(outcome: Outcome) -> bool:
    """Tell whether the object does not exist before the apply, as far as anybody knows."""
    if outcome.verdict is Verdict.CREATED or (outcome.refused and outcome.result is None):
        return True
    return any(change.path == fields("kind") and change.before is MISSING for change in outcome.changes)


def _matters(change: Change, is_created: bool) -> bool:
    why = change.provenance.why
    if why in _NOTES or why is Why.KEPT or (why is Why.SHARED and _is_merge_key(change.path)):
        return False
    if is_created:
        return why not in (Why.SET, Why.DEFAULTED)
    return why is not Why.DEFAULTED or bool(change.provenance.detail) or _is_consequence(change)


def _is_consequence(change: Change) -> bool:
    """Tell whether the server gives a field of ``spec`` another value than it had, which no file asks for."""
    return change.path[:1] == fields("spec") and MISSING not in (change.before, change.after)


def _is_merge_key(path: Path) -> bool:
    """Whether the path leads to the field by which the list element around it is known, so that it names itself."""
    match path[-2:]:
        case (ByKey(keys), Field(name)):
            return name in dict(keys)
        case _:
            return False


def _as_wholes(changes: Sequence[Change], outcome: Outcome) -> Iterator[Change]:
    """Yield the changes, those that make a whole part of the object new as one."""
    wholes: dict[Path, list[Change]] = {}
    # Of an object that is new nearly all is left out, and to count what has grown takes longer than all else.
    grown = _grown(outcome) if any(change.before is MISSING for change in changes) else Counter[Path]()
    for change in changes:
        wholes.setdefault(_whole_of(change, grown, outcome) if change.before is MISSING else change.path, []).append(
            change
        )
    for path, parts in wholes.items():
        yield _join_changes(path, parts) if len(parts) > 1 or path != parts[0].path else parts[0]


def _grown(outcome: Outcome) -> Counter[Path]:
    """Return the number of new leaves below each place."""
    grown: Counter[Path] = Counter()
    for change in outcome.changes:
        if change.before is MISSING and change.after is not MISSING:
            size = _size(change.after)
            grown.update({change.path[:end]: size for end in range(2, len(change.path))})
    return grown


def _size(value: Json) -> int:
    return sum(1 for _ in leaves(plain(value)))


def _whole_of(change: Change, grown: Counter[Path], outcome: Outcome) -> Path:
    """Return the widest place around a new field at which nothing was before."""
    for end in range(2, len(change.path)):
        path = change.path[:end]
        if grown[path] > 1 and grown[path] == _size(get(outcome.after, path)):
            return path
    return change.path


def _join_changes(path: Path, parts: Sequence[Change]) -> Change:
    """Return one change for parts of what is new; the merge key of an element stands in the path already."""
    named = [part for part in parts if not (_is_merge_key(part.path) and part.path[:-1] == path)] or parts
    if len(named) == 1:
        return named[0]
    return replace(parts[0], path=path, after=_built([(part.path[len(path) :], part.after) for part in named]))


def _built(parts: Sequence[tuple[Path, Json]]) -> Json:
    if len(parts) == 1 and not parts[0][0]:
        return parts[0][1]
    inner: dict[PathStep, list[tuple[Path, Json]]] = {}
    for path, value in parts:
        inner.setdefault(path[0], []).append((path[1:], value))
    if all(isinstance(step, Field) for step in inner):
        return {step.name: _built(values) for step, values in inner.items() if isinstance(step, Field)}
    return [_built(values) for values in inner.values()]
