"""Assumptions behind findings in units: facts that the files do not contain."""

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Final

from kubectl_applylint.core.outcome import Level
from kubectl_applylint.core.records import replace
from kubectl_applylint.core.state import Present, Unknown
from kubectl_applylint.core.values import dig, objects_at, text_at
from kubectl_applylint.lint.checks import REJECTIONS
from kubectl_applylint.lint.model import Finding, Rule, Scenario, Severity, Subject

_UNKNOWN_FIELD: Final = ("field not declared in schema", "unknown field")
"""What a server-side apply, and a server, report of a field that they do not know."""


class Assumption(StrEnum):
    """An assumption behind a rejection in a unit; a finding that depends on one is a warning."""

    CLIENT_SIDE = "client-side"
    """The use of kubectl is inferred from the layout; the apply may be server-side."""
    NO_WEBHOOK = "no-webhook"
    """A mutating webhook of the repository may change the object."""
    OWN_VALUES = "own-values"
    """A chart is rendered with its own values alone."""
    ALL_PARTS = "all-parts"
    """A part of the unit that is not rendered may change the object: a patch whose file is missing, a component."""
    KNOWN_KIND = "known-kind"
    """Only the layout says that the object is applied; with no definition, it may be a file of another tool."""
    DEFAULT_GATES = "default-gates"
    """The API server may enable a feature that a manifest is written for."""


def assumption_of(subject: Subject, rule: Rule) -> str:
    """Return the text of the first assumption of a rule that a subject depends on, or an empty text."""
    return next((_WORDS[each] for each in rule.assumes if _HOLDS[each](subject)), "")


def conditional_finding(finding: Finding, condition: str) -> Finding:
    """Return a finding under a condition, which is at most a warning; an empty condition always holds."""
    if not condition:
        return finding
    severity = Severity.WARNING if finding.severity is Severity.ERROR else finding.severity
    return replace(finding, severity=severity, message=f"{condition}: {finding.message}")


def possible_finding(finding: Finding, subject: Subject, rule: Rule) -> Finding:
    """Return a finding about a rejection, which is at most a warning if it rests on a bundled definition alone."""
    outcome = subject.predict(Scenario.APPLY) if rule.check == REJECTIONS else None
    if outcome is None or not outcome.possible_errors:
        return finding
    condition = f"may be rejected (bundled definition of {outcome.bundled_definition})"
    return replace(conditional_finding(finding, condition), confidence=Level.LOW.value)


def _is_client_side_assumed(subject: Subject) -> bool:
    """Return whether client-side apply is inferred from the layout and the live object is unknown.

    A manifest that cannot be applied client-side is then applied server-side, or not at all if the object is not new.
    """
    return subject.flags.is_tool_assumed and isinstance(subject.state.live, Unknown)


def _may_be_mutated(subject: Subject) -> bool:
    """Return whether a mutating webhook of the repository may change a custom resource."""
    is_custom = subject.kind is not None and subject.kind.custom
    return is_custom and subject.ref.group in subject.flags.mutated_groups


def _are_values_assumed(subject: Subject) -> bool:
    """Return whether the chart of the unit is rendered with its own values alone, which may decide about the object.

    Values hardly decide about a field that the schema does not have.
    """
    return subject.flags.has_own_values_only and not _has_unknown_field(subject)


def _may_be_changed(subject: Subject) -> bool:
    """Return whether a part of the unit that is not rendered may change the object; it hardly removes a field."""
    return subject.flags.has_missing_changes and not _has_unknown_field(subject)


def _has_unknown_field(subject: Subject) -> bool:
    causes = subject.predict(Scenario.APPLY).causes
    return any(words in cause.message for words in _UNKNOWN_FIELD for cause in causes)


def _is_kind_assumed(subject: Subject) -> bool:
    """Return whether a file of the layout may be the input of another tool in the form of an object."""
    return subject.flags.is_tool_assumed and subject.kind is None


def _may_scale_to_zero(subject: Subject) -> bool:
    """Return whether an autoscaler is written to scale to zero, as it is possible with HPAScaleToZero."""
    spec = subject.manifest.get("spec")
    types = {text_at(metric, "type") for metric in objects_at(spec, "metrics")}
    is_live = isinstance(subject.state.live, Present)
    is_zero = dig(spec, "minReplicas") == 0 and not types.isdisjoint(("External", "Object"))
    return subject.ref.kind == "HorizontalPodAutoscaler" and is_zero and not is_live


_HOLDS: Final[Mapping[str, Callable[[Subject], bool]]] = {
    Assumption.CLIENT_SIDE: _is_client_side_assumed,
    Assumption.NO_WEBHOOK: _may_be_mutated,
    Assumption.OWN_VALUES: _are_values_assumed,
    Assumption.ALL_PARTS: _may_be_changed,
    Assumption.KNOWN_KIND: _is_kind_assumed,
    Assumption.DEFAULT_GATES: _may_scale_to_zero,
}
_WORDS: Final[Mapping[str, str]] = {
    Assumption.CLIENT_SIDE: "if it is applied client-side",
    Assumption.NO_WEBHOOK: "if no mutating webhook changes it",
    Assumption.OWN_VALUES: "if the chart is installed with its own values alone",
    Assumption.ALL_PARTS: "if the parts that were not rendered do not change it",
    Assumption.KNOWN_KIND: "if it is applied to a cluster that has its kind",
    Assumption.DEFAULT_GATES: "if the feature gate HPAScaleToZero is not enabled",
}
