"""Validation of the pod failure policy and the success policy of Jobs.

Mirrors ``validatePodFailurePolicy`` and ``validateSuccessPolicy``.
"""

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from kubectl_applylint.server.validate import dsl as v

_ACTIONS: Final = ("Count", "FailIndex", "FailJob", "Ignore")
_STATES: Final = ("False", "True", "Unknown")
_OPERATORS: Final = ("In", "NotIn")
_MOST_RULES: Final = 20
_MOST_CODES: Final = 255
_MOST_CONDITIONS: Final = 20
_LONGEST_INDEXES: Final = 64 * 1024


def policies(fld: v.FieldContext) -> v.FieldErrors:
    """Require that the policies of a Job fit its other fields; ``fld`` is the spec of a Job."""
    names = {each.text("name") for kind in ("containers", "initContainers") for each in _containers(fld, kind)}
    for rule in fld.at("podFailurePolicy", "rules").items():
        yield from _action(rule, per_index=fld.sets("backoffLimitPerIndex"))
        container = rule.at("onExitCodes", "containerName")
        if container.there and container.text() not in names:
            words = "must be one of the container or initContainer names in the pod template"
            yield container.invalid(words)
    success = fld.child("successPolicy")
    if success.there and fld.text("completionMode") != "Indexed":
        yield success.invalid("requires indexed completion mode")
    elif success.there:
        yield from _success(success, fld.number("completions"))


def _containers(fld: v.FieldContext, kind: str) -> Iterator[v.FieldContext]:
    yield from fld.at("template", "spec", kind).items()


def _action(rule: v.FieldContext, *, per_index: bool) -> v.FieldErrors:
    action = rule.child("action")
    if not action.text():
        return (action.required(_valid_values(_ACTIONS)),)
    if action.value == "FailIndex":
        return () if per_index else (action.invalid("requires the backoffLimitPerIndex to be set"),)
    return () if action.value in _ACTIONS else (action.not_supported(_ACTIONS),)


def _valid_values(values: tuple[str, ...]) -> str:
    quoted = " ".join(f'"{value}"' for value in values)
    return f"valid values: [{quoted}]"


def _one_requirement(rule: v.FieldContext) -> v.FieldErrors:
    codes, conditions = rule.sets("onExitCodes"), rule.has("onPodConditions")
    if codes and conditions:
        return (rule.invalid("specifying both OnExitCodes and OnPodConditions is not supported"),)
    if not codes and not conditions:
        return (rule.invalid("specifying one of OnExitCodes and OnPodConditions is required"),)
    return ()


def _condition(pattern: v.FieldContext) -> v.FieldErrors:
    kind, status = pattern.child("type"), pattern.child("status")
    yield from (kind.invalid(fault, kind.text()) for fault in v.qualified_name(kind.text()))
    if not status.text():
        yield status.required(_valid_values(_STATES))
    elif status.value not in _STATES:
        yield status.not_supported(_STATES)


def _exit_codes(fld: v.FieldContext) -> v.FieldErrors:
    """Validate the exit codes of a rule of the pod failure policy."""
    operator, values = fld.child("operator"), fld.child("values")
    if not operator.text():
        yield operator.required(_valid_values(_OPERATORS))
    elif operator.value not in _OPERATORS:
        yield operator.not_supported(_OPERATORS)
    codes = [item.number() for item in values.items()]
    if not codes:
        yield values.invalid("at least one value is required", [])
    for place, item in enumerate(values.items()):
        if operator.value == "In" and item.value == 0:
            yield item.invalid("must not be 0 for the In operator")
        if codes[place] in codes[:place]:
            yield item.duplicate()
    if codes != sorted(codes):
        yield values.invalid("must be ordered")


def _success(policy: v.FieldContext, completions: int) -> v.FieldErrors:
    rules = policy.child("rules")
    if rules.empty:
        yield rules.required("at least one rules must be specified when the successPolicy is specified")
    for rule in rules.items():
        yield from _success_rule(rule, completions)


def _success_rule(rule: v.FieldContext, completions: int) -> v.FieldErrors:
    """Validate a rule of the success policy."""
    count, indexes = rule.child("succeededCount"), rule.child("succeededIndexes")
    if not count.there and not indexes.there:
        yield rule.required("at least one of succeededCount or succeededIndexes must be specified")
    total, fault = _count_indexes(indexes.text(), completions)
    if fault:
        yield indexes.invalid(f"error parsing succeededIndexes: {fault}")
    if count.number() > completions:
        words = f"must be less than or equal to {completions} (the number of specified completions)"
        yield count.invalid(words)
    if count.there and indexes.there and count.number() > total:
        of_indexes = "(the number of indexes in the specified succeededIndexes field)"
        yield count.invalid(f"must be less than or equal to {total} {of_indexes}")


def _count_indexes(text: str, completions: int) -> tuple[int, str]:
    """Return the number of indexes in a list like ``1,3-5``, and its error, if any."""
    total, last = 0, -1
    for interval in text.split(",") if text else ():
        limits = interval.split("-")
        if fault := _range_fault(limits, last, completions):
            return 0, fault
        total, last = total + int(limits[-1]) - int(limits[0]) + 1, int(limits[-1])
    return total, ""


_MAX_INDEX_DIGITS: Final = 18
"""The maximum number of digits of an index; Go reads no number of more than 64 bits."""


def _range_fault(limits: list[str], last: int, completions: int) -> str:
    """Return the error of a range of indexes, or an empty text."""
    if len(limits) > 2:
        return f'the fragment "{"-".join(limits)}" has more than two parts separated by "-"'
    for limit in limits:
        if not (limit.isascii() and limit.isdigit()) or len(limit) > _MAX_INDEX_DIGITS:
            return f'cannot convert string to integer for index: "{limit}"'
        if int(limit) >= completions:
            return f'too large index: "{limit}"'
    order = [last, *map(int, limits)]
    falling = next(((one, two) for one, two in pairwise(order) if one >= two), None)
    return f"non-increasing order, previous: {falling[0]}, current: {falling[1]}" if falling else ""


POLICIES: Final[v.Table] = {
    "podFailurePolicy.rules": [v.no_more_than(_MOST_RULES)],
    "podFailurePolicy.rules[*]": [_one_requirement],
    "podFailurePolicy.rules[*].onExitCodes": [_exit_codes],
    "podFailurePolicy.rules[*].onExitCodes.values": [v.no_more_than(_MOST_CODES)],
    "podFailurePolicy.rules[*].onPodConditions": [v.no_more_than(_MOST_CONDITIONS)],
    "podFailurePolicy.rules[*].onPodConditions[*]": [_condition],
    "successPolicy.rules": [v.no_more_than(_MOST_RULES)],
    "successPolicy.rules[*].succeededIndexes": [v.no_longer_than(_LONGEST_INDEXES)],
    "successPolicy.rules[*].succeededCount": [v.at_least(0)],
}
"""The constraints of the policies of a Job."""
