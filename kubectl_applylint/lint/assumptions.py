"""What a finding in a unit of a repository depends on that its files do not say."""

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Final

from kubectl_applylint.core.state import Unknown
from kubectl_applylint.lint.model import Rule, Subject


class Assumption(StrEnum):
    """What a rejection in a unit may depend on that the files do not say; without it the finding is a warning."""

    CLIENT_SIDE = "client-side"
    """Only the layout says that kubectl applies the unit, which may be server-side."""
    NO_WEBHOOK = "no-webhook"
    """A mutating webhook of the repository may change the object."""
    OWN_VALUES = "own-values"
    """A chart is rendered with its own values alone."""


def assumption_of(subject: Subject, rule: Rule) -> str:
    """Return the words of the first assumption of a rule that holds for an object, empty if none does."""
    return next((_WORDS[each] for each in rule.assumes if _HOLDS[each](subject)), "")


def _is_client_side_assumed(subject: Subject) -> bool:
    """Return whether only the layout says that kubectl applies an object, and nothing is known of the live one.

    What cannot be applied client-side is applied otherwise, or not at all, if it is not new.
    """
    return subject.flags.is_tool_assumed and isinstance(subject.state.live, Unknown)


def _may_be_mutated(subject: Subject) -> bool:
    is_custom = subject.kind is not None and subject.kind.custom
    return is_custom and subject.ref.group in subject.flags.mutated_groups


def _are_values_assumed(subject: Subject) -> bool:
    return subject.flags.has_own_values_only


_HOLDS: Final[Mapping[str, Callable[[Subject], bool]]] = {
    Assumption.CLIENT_SIDE: _is_client_side_assumed,
    Assumption.NO_WEBHOOK: _may_be_mutated,
    Assumption.OWN_VALUES: _are_values_assumed,
}
_WORDS: Final[Mapping[str, str]] = {
    Assumption.CLIENT_SIDE: "if it is applied client-side",
    Assumption.NO_WEBHOOK: "if no mutating webhook changes it",
    Assumption.OWN_VALUES: "if the chart is installed with its own values alone",
}
