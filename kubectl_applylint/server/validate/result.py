"""The result of validating a custom resource: errors, and rules that only the server can evaluate."""

from kubectl_applylint.core.outcome import FieldError
from kubectl_applylint.core.records import dataclass


@dataclass(frozen=True, slots=True)
class Open:
    """A rule that could not be evaluated: its path, its text, and the reason."""

    field: str
    rule: str
    why: str


@dataclass(frozen=True, slots=True)
class ValidationResult:
    """The errors of a custom resource, and the rules that could not be evaluated."""

    refusals: tuple[FieldError, ...] = ()
    open: tuple[Open, ...] = ()
