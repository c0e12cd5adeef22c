"""The class of a change for reviewers and check runs, from the report of ``plan`` or ``check``."""

from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Final

from kubectl_applylint.core.change_classes import ChangeClass, Conclusion
from kubectl_applylint.core.outcome import Change, Outcome, Verdict
from kubectl_applylint.core.paths import Field, PathStep
from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.values import MISSING
from kubectl_applylint.lint.model import Report, Severity
from kubectl_applylint.report.objects.change_lines import parts_of
from kubectl_applylint.report.objects.changes import is_chart_metadata, visible_changes
from kubectl_applylint.report.order import Impact, impact

_TAG: Final = regex(r"(?::[^/:@]+)?(?:@.*)?\Z")
"""The tag and the digest of an image."""
_VERSION: Final = regex(r"v?(?P<minor>\d+\.\d+)\.\d+\S*")
_OCI_TAG: Final = ("spec", "ref", "tag")
_ROUTINE_IMPACTS: Final = (Impact.RESTARTED, Impact.CONFIGURED, Impact.SERVERSIDE_APPLIED)


_CONCLUSIONS: Final = {ChangeClass.ROUTINE: Conclusion.SUCCESS, ChangeClass.ATTENTION: Conclusion.NEUTRAL}


def conclusion(change: ChangeClass, configured: Mapping[str, str]) -> Conclusion:
    """Return the conclusion for the class of a change; those of ``routine`` and ``attention`` may be ``configured``."""
    found = configured.get(change) if change in _CONCLUSIONS else None
    return Conclusion(found) if found else _CONCLUSIONS.get(change, Conclusion.FAILURE)


def change_class(report: Report, command: str) -> ChangeClass | None:
    """Return the class of the change that a report of a command is about.

    As in exit codes, incomplete comes before rejected. A check that finds nothing has none: it has no outcomes.
    """
    severities = {finding.severity for finding in report.findings}
    if report.problems:
        return ChangeClass.INCOMPLETE
    if Severity.ERROR in severities or any(outcome.refused for _, outcome in report.outcomes):
        return ChangeClass.REJECTED
    if Severity.WARNING in severities:
        return ChangeClass.ATTENTION
    if command != "plan":
        return None
    is_routine = all(is_routine_outcome(one) for _, one in report.outcomes)
    return ChangeClass.ROUTINE if is_routine else ChangeClass.ATTENTION


def is_routine_outcome(outcome: Outcome) -> bool:
    """Return whether an apply changes nothing of an object, or only what a routine change does."""
    if outcome.verdict is Verdict.UNCHANGED:
        return True
    is_remarkable = outcome.warnings or outcome.renamed_from or any(one.lost for one in outcome.owner_changes)
    is_plain = impact(outcome) in _ROUTINE_IMPACTS and not is_remarkable
    parts = chain.from_iterable(map(_parts, visible_changes(outcome)))
    return is_plain and all(_is_routine_part(part, outcome.ref.kind) for part in parts)


def _parts(change: Change) -> Iterator[Change]:
    """Yield the parts of a change, which may be of a whole list in a kind without a definition."""
    for part in parts_of(change, whole=True)[0]:
        sides = (part.before, part.after) if part.moved is None else (MISSING, MISSING)
        yield Change((*change.path, *part.path), *sides, change.provenance)


def _is_routine_part(change: Change, kind: str) -> bool:
    if not isinstance(change.before, str) or not isinstance(change.after, str):
        return False
    names = tuple(_name(step) for step in change.path)
    if is_chart_metadata(change) or names[-3:-1] == ("metadata", "labels"):
        return True
    if names[-1] == "image":
        return _TAG.sub("", change.before, count=1) == _TAG.sub("", change.after, count=1)
    if kind == "HelmRelease" and names[:2] == ("spec", "values"):
        return names[-2:] in (("image", "tag"), ("image", "digest"))
    is_version = names == ("spec", "chart", "spec", "version") or (kind == "OCIRepository" and names == _OCI_TAG)
    return is_version and _minor(change.before) == _minor(change.after) != ""


def _name(step: PathStep) -> str:
    return step.name if isinstance(step, Field) else ""


def _minor(version: str) -> str:
    found = _VERSION.fullmatch(version.partition("@")[0])
    return found["minor"] if found else ""
