"""What the holes of a unit mean for its report: notes, problems, and objects that may be removed."""

from collections.abc import Collection, Iterable, Iterator
from typing import Final

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.holes import Hole, HoleChange, compare_holes
from kubectl_applylint.core.outcome import Confidence, Level, Outcome, Verdict
from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.records import replace
from kubectl_applylint.core.state import ObjectRef
from kubectl_applylint.engine.placeholders import is_unfinished
from kubectl_applylint.lint.model import Report
from kubectl_applylint.run.compare.live_source import LiveSource
from kubectl_applylint.sources.text.manifests import Input

_MOST_NAMED: Final = 3
"""The most holes that a note names."""
_NOT_RENDERED: Final = "resources were not rendered"
_WITHOUT_VALUES: Final = "rendered without values that are not known"
_ADVICE: Final = "render both revisions elsewhere and compare them, or accept it with incomplete: in the configuration"
_ACCEPT: Final = "render it elsewhere, or accept it with incomplete: in the configuration"
_CREATE: Final = "correct it, or create the file before the check"
_DOUBT: Final = "parts of the unit were not rendered, and may contain it"


def holes_between(source: LiveSource, given: Input) -> tuple[Hole, ...]:
    """Return the holes of the given manifests, compared with those of the earlier ones if these come from files."""
    if source.base and not source.uses_last_applied:
        return compare_holes(source.base.given.holes, given.holes)
    return tuple(replace(one, digest="") for one in given.holes)


def hole_problems(holes: Iterable[Hole], *, is_compared: bool) -> Iterator[Problem]:
    """Yield a problem for each changed hole; without a comparison for each kustomization that names missing files."""
    missing: dict[str, list[Hole]] = {}
    for one in holes:
        if one.is_changed:
            reason = f"values of {one.values_of} differ" if one.is_value else ""
            advice = _CREATE if one.is_missing and one.change is not HoleChange.GONE else _ADVICE
            words = f"not compared, as it {one.change}: {one.what}"
            yield Problem(one.path, words, advice, reason=reason, is_hole=True)
        elif one.is_missing and not is_compared:
            missing.setdefault(one.path.partition(":")[0], []).append(one)
    for first, *others in missing.values():
        more = f" (and {len(others)} more)" if others else ""
        yield Problem(first.path, f"not rendered: {first.what}{more}", _CREATE)


def rendering_problems(holes: Iterable[Hole]) -> Iterator[Problem]:
    """Yield a problem for each hole that is no change, for a run that prints what is rendered."""
    for one in holes:
        if not (one.is_changed or one.is_value):
            yield Problem(one.path, f"not rendered: {one.what}", _CREATE if one.is_missing else _ACCEPT)


def hole_notes(holes: Iterable[Hole], parts: int, *, is_compared: bool) -> Iterator[str]:
    """Yield one line about the holes that are no problem; ``parts`` is the number of all parts."""
    shown = (one for one in holes if not one.is_value)
    left = [one for one in shown if not [*hole_problems([one], is_compared=is_compared)]]
    if left:
        more = len(left) - _MOST_NAMED
        words = "; ".join(one.what for one in left[:_MOST_NAMED]) + (f"; and {more} more" if more > 0 else "")
        # A release has no parts that are not rendered, but values that are not known.
        what = f"{len(left)} of {parts} {_NOT_RENDERED}" if parts else _WITHOUT_VALUES
        yield f"{left[0].path}: {what}: {words}"


def is_about_holes(note: str) -> bool:
    """Return whether a note is one of ``hole_notes``."""
    return _NOT_RENDERED in note or _WITHOUT_VALUES in note


def with_doubtful_removals(report: Report, holes: tuple[Hole, ...], given: Iterable[Document]) -> Report:
    """Return a report with holes: objects that are not among the ``given`` ones may be in a hole.

    A hole that is a value contains no objects, but may be part of the name of a ``given`` one.
    """
    names = {_name(document.ref) for document in given}
    unfinished = {(group, kind) for group, kind, name in names if is_unfinished(name)}
    is_partial = not all(one.is_value for one in holes)
    outcomes = (
        (document, _doubtful_removal(outcome, names) if is_partial or _kind(outcome.ref) in unfinished else outcome)
        for document, outcome in report.outcomes
    )
    return replace(report, outcomes=tuple(outcomes), holes=holes)


def _doubtful_removal(outcome: Outcome, names: Collection[tuple[str, str, str]]) -> Outcome:
    if outcome.verdict not in (Verdict.PRUNED, Verdict.KEPT) or _name(outcome.ref) in names:
        return outcome
    doubt = Confidence(Level.MEDIUM, (_DOUBT,))
    return replace(outcome, verdict=Verdict.MAY_BE_REMOVED, requests=(), warnings=(), confidence=doubt)


def _name(ref: ObjectRef) -> tuple[str, str, str]:
    return (*_kind(ref), ref.name)


def _kind(ref: ObjectRef) -> tuple[str, str]:
    return (ref.group, ref.kind)
