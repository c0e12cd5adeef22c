"""Selects the changes of an object for the reader: those not evident from the file and the verdict.

Server defaults, values that only the live object has, and the appliers' own annotations are shown on request.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from kubectl_applylint.core.outcome import Change, Outcome, Verdict, Why, plain
from kubectl_applylint.core.paths import ByKey, Field, Path, PathStep, fields, get, leaves
from kubectl_applylint.core.records import replace
from kubectl_applylint.core.state import LAST_APPLIED
from kubectl_applylint.core.values import MISSING, Json
from kubectl_applylint.report.order import Impact, impact

_CHART_LABELS: Final = ("helm.sh/chart", "app.kubernetes.io/version")
_PLAIN: Final = (Impact.RESTARTED, Impact.CONFIGURED, Impact.SERVERSIDE_APPLIED)
_NOTES: Final = (Why.ANNOTATED, Why.NOTED, Why.REMEMBERED)
_LAST_APPLIED_PATH: Final = fields("metadata", "annotations", LAST_APPLIED)


def visible_changes(outcome: Outcome, *, verbose: bool = False) -> list[Change]:
    """Return the changes not evident from the verdict and the file; a new whole is one change."""
    if verbose:
        return list(outcome.changes)
    is_created = is_new(outcome)
    return list(_as_wholes([change for change in outcome.changes if _matters(change, is_created)], outcome))


def is_new(outcome: Outcome) -> bool:
    """Return whether the object does not exist before the apply, or is not known to exist."""
    if outcome.verdict is Verdict.CREATED or (outcome.refused and outcome.result is None):
        return True
    return any(change.path == fields("kind") and change.before is MISSING for change in outcome.changes)


def is_chart_metadata(change: Change) -> bool:
    """Return whether a change only replaces a label with the version of a chart, or a checksum in an annotation."""
    if MISSING in (change.before, change.after) or change.before == change.after:
        return False
    match change.path[-3:]:
        case (Field("metadata"), Field("labels"), Field(name)):
            return name in _CHART_LABELS
        case (Field("metadata"), Field("annotations"), Field(name)):
            return name.startswith("checksum/")
        case _:
            return False


def is_noise(change: Change) -> bool:
    """Return whether a change says nothing to a reader: of chart metadata, or of a generated CA bundle."""
    is_bundle = change.path[-1:] == fields("caBundle") and MISSING not in (change.before, change.after)
    return is_bundle or is_chart_metadata(change)


def has_noise_only(outcome: Outcome, visible: Sequence[Change]) -> bool:
    """Return whether all visible changes of an object are noise."""
    is_remarkable = outcome.warnings or outcome.renamed_from or any(one.lost for one in outcome.owner_changes)
    return impact(outcome) in _PLAIN and not is_remarkable and bool(visible) and all(map(is_noise, visible))


def is_of_applier(change: Change) -> bool:
    """Return whether a change is that of an annotation in which an applier records what it applies."""
    return change.provenance.why in _NOTES or change.path == _LAST_APPLIED_PATH


def _matters(change: Change, is_created: bool) -> bool:
    """Return whether a change is not evident from the file and the verdict."""
    why = change.provenance.why
    if is_of_applier(change) or why is Why.KEPT or (why is Why.SHARED and _is_merge_key(change.path)):
        return False
    if is_created:
        return why not in (Why.SET, Why.DEFAULTED)
    return why is not Why.DEFAULTED or bool(change.provenance.detail) or _is_consequence(change)


def _is_consequence(change: Change) -> bool:
    """Return whether the server changes the value of a field of ``spec`` that no file sets."""
    return change.path[:1] == fields("spec") and MISSING not in (change.before, change.after)


def _is_merge_key(path: Path) -> bool:
    """Return whether a path is the key field of a list element, which the path names already."""
    match path[-2:]:
        case (ByKey(keys), Field(name)):
            return name in dict(keys)
        case _:
            return False


def _as_wholes(changes: Sequence[Change], outcome: Outcome) -> Iterator[Change]:
    """Yield the changes, with those that make a whole part of the object new joined."""
    wholes: dict[Path, list[Change]] = {}
    # In a new object nearly everything is left out, and counting new leaves takes longer than all else.
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
    """Return the widest place around a new field that had no value before."""
    for end in range(2, len(change.path)):
        path = change.path[:end]
        if grown[path] > 1 and grown[path] == _size(get(outcome.after, path)):
            return path
    return change.path


def _join_changes(path: Path, parts: Sequence[Change]) -> Change:
    """Return one change for the parts of a new value; the path already contains an element's merge key."""
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
