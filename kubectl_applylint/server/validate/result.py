"""What validation says of a custom resource: why it is refused, and what only the server can tell."""

from kubectl_applylint.core.outcome import FieldError
from kubectl_applylint.core.records import dataclass


@dataclass(frozen=True, slots=True)
class Open:
    """A rule that could not be evaluated: where it holds, its text, and why it could not."""

    field: str
    rule: str
    why: str


@dataclass(frozen=True, slots=True)
class ValidationResult:
    """Why a custom resource is refused, and the rules that could not be evaluated."""

    refusals: tuple[FieldError, ...] = ()
    open: tuple[Open, ...] = ()
