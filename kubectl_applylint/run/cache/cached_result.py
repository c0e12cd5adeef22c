"""The result of one unit, as it is cached for later runs and sent by worker processes."""

from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.records import dataclass
from kubectl_applylint.lint.model import Report
from kubectl_applylint.run.notes import Gaps
from kubectl_applylint.units.model import Unit


@dataclass(frozen=True, slots=True)
class CachedResult:
    """The findings in one unit, with the notes and names that a report needs."""

    unit: Unit
    report: Report
    notes: tuple[str, ...]
    gaps: Gaps
    problems: tuple[Problem, ...]
    names: frozenset[str]
    """The names in its objects: a credential of another unit with the same text is not masked there."""
    declares: tuple[Unit, ...]
    """The units that its objects declare."""
    masking: frozenset[str]
    """The files with Secrets or credentials, which are read again to mask these in the reports of other units."""
