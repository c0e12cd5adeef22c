"""Selects the rules for an object, once for all objects with the same traits."""

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from kubectl_applylint.appliers.request import TOOL_APPLIERS, Applier
from kubectl_applylint.core.records import dataclass, field
from kubectl_applylint.core.state import Unknown
from kubectl_applylint.lint.checks import REJECTIONS
from kubectl_applylint.lint.model import Need, Params, Rule, Subject

_LAST_APPLIED_FAMILY: Final = "last-applied"
"""The family of rules about the annotation that kubectl apply writes."""
_PROGRAMS: Final = frozenset(TOOL_APPLIERS)


class PlannedRule(NamedTuple):
    """A rule with the way in which it examines objects with the same traits."""

    rule: Rule
    looks: bool
    """Whether its check runs. A rule without this only claims the errors that it explains."""
    params: Params
    """The parameters of its check; ``errors`` are the error patterns that the rule explains."""
    needs: int
    """The index of its needs in ``Turns.needs``."""
    is_of_errors: bool
    """Whether it examines only errors of an apply that it explains, as every tenth rule does."""
    required: frozenset[Need]
    """Its needs as a set."""
    looks_at_state: bool
    """Whether it needs the live object, so that a drift makes a difference."""


@dataclass(frozen=True, slots=True)
class PlannedRules:
    """The rules for objects with the same traits, in their order."""

    each: Sequence[PlannedRule]
    needs: Sequence[tuple[Need, ...]]
    """The distinct needs of the rules, so that each is checked once for an object."""
    _relevant: dict[tuple[object, ...], Sequence[PlannedRule]] = field(default_factory=dict, repr=False, compare=False)

    def relevant(self, ready: Sequence[Unknown | bool], may_be_rejected: Callable[[], bool]) -> Sequence[PlannedRule]:
        """Return the planned rules that may have a result for an object; most objects share one answer.

        ``ready`` states for each of ``needs`` whether it is met, or why that is unknown. ``may_be_rejected`` returns
        whether
        there may be an error to explain; it is called only if a rule is about errors.
        """
        is_rejected = any(planned.is_of_errors for planned in self.each) and may_be_rejected()
        key = (is_rejected, *(None if isinstance(one, Unknown) else one for one in ready))
        if key not in self._relevant:
            self._relevant[key] = [
                planned for planned in self.each if _is_relevant(planned, ready[planned.needs], is_rejected)
            ]
        return self._relevant[key]


def _is_relevant(planned: PlannedRule, ready: Unknown | bool, is_rejected: bool) -> bool:
    """Return whether a rule may have a result for an object."""
    return not planned.looks or (bool(ready) and not (planned.is_of_errors and ready is True and not is_rejected))


@dataclass(frozen=True, slots=True)
class ObjectTraits:
    """The properties of an object that decide which rules examine it."""

    names: tuple[str, ...]
    """The names of its kind in rules: ``Service`` if built in, ``Service.serving.knative.dev`` always."""
    program: Applier
    """The program whose apply is predicted."""
    is_by_program: bool
    """Whether this program is neither kubectl nor Metacontroller."""
    is_of_kubectl: bool
    """Whether kubectl really applies it, rather than another tool its unit."""
    unit_tool: str
    """The tool that applies the unit if kubectl is predicted in its place, else empty."""
    is_unapplied: bool
    """Whether the run does not apply it."""
    is_former_child: bool
    """Whether it is a child that Metacontroller's hooks no longer return."""

    def concerns(self, rule: Rule) -> bool:
        """Return whether a rule examines objects with these traits.

        A rule without a check only explains printed errors. Objects that the run does not apply are examined only by
        rules
        that need ``unapplied``; these are about files and prunes, and about children only if they name Metacontroller.
        """
        if not rule.check or (Need.UNAPPLIED in rule.needs) is not self.is_unapplied:
            return False
        if not self._is_applied_as(rule):
            return False
        return not rule.kinds or any(name in rule.kinds for name in self.names)

    def _is_applied_as(self, rule: Rule) -> bool:
        """Return whether a rule is about objects that are applied like this one.

        Rules that name no applier are also about the outcomes of other programs than kubectl, except those that read an
        annotation which only kubectl and Argo CD write. Units of other programs that are predicted as applied by
        kubectl
        are examined by the rules about these units, and by those about kubectl that also name other programs.
        """
        if self.is_by_program:
            is_remembered = self.program is Applier.ARGOCD or Need.LAST_APPLIED not in rule.needs
            return self.program in rule.appliers or (not rule.appliers and is_remembered)
        if self.unit_tool in rule.units:
            return True
        is_meant = self.is_of_kubectl or self._is_about_tool(rule)
        return (self.program in rule.appliers and is_meant) or not (rule.appliers or self.is_former_child)

    def _is_about_tool(self, rule: Rule) -> bool:
        """Return whether a rule names the tool of the unit, or any tool if this one cannot be predicted."""
        named = {each.package for each in _PROGRAMS if each in rule.appliers}
        own = {each.package for each in _PROGRAMS if each.package == self.unit_tool or each == self.unit_tool}
        return not named.isdisjoint(own or named)

    def explains(self, rule: Rule) -> bool:
        """Return whether a rule is about kubectl's annotation although another tool applies the object."""
        return not self.is_of_kubectl and rule.family == _LAST_APPLIED_FAMILY


@dataclass(frozen=True, slots=True)
class Dispatch:
    """The rules of a run. ``silent`` rules report nothing, but what they explain or refine stays hidden in others."""

    rules: Sequence[Rule]
    silent: Sequence[Rule] = ()
    _planned: dict[ObjectTraits, PlannedRules] = field(default_factory=dict, repr=False, compare=False)

    def planned_rules(self, subject: Subject) -> PlannedRules:
        """Return the rules for an object, the best explanations of a rejection first."""
        traits = traits_of(subject)
        found = self._planned.get(traits)
        if found is None:
            ordered = sorted((*self.rules, *self.silent), key=lambda rule: rule.order)
            examined = ((rule, traits.concerns(rule)) for rule in ordered)
            found = self._planned[traits] = _planned_rules(
                [(rule, looks) for rule, looks in examined if looks or traits.explains(rule)]
            )
        return found


def _planned_rules(rules: Sequence[tuple[Rule, bool]]) -> PlannedRules:
    """Return the rules for some traits with their distinct needs."""
    needs = list(dict.fromkeys(rule.needs for rule, _ in rules))
    return PlannedRules([_planned_rule(rule, looks, needs.index(rule.needs)) for rule, looks in rules], needs)


def _planned_rule(rule: Rule, looks: bool, needs: int) -> PlannedRule:
    """Return a rule with its parameters and the index of its needs."""
    is_of_errors = rule.check == REJECTIONS and bool(rule.errors)
    return PlannedRule(
        rule,
        looks,
        {**rule.params, "errors": rule.errors},
        needs,
        is_of_errors,
        required=frozenset(rule.needs),
        looks_at_state=Need.LIVE in rule.needs or Need.LAST_APPLIED in rule.needs,
    )


def traits_of(subject: Subject) -> ObjectTraits:
    """Return the traits of an object."""
    ref, kind, flags = subject.ref, subject.kind, subject.flags
    full, is_by_program = f"{ref.kind}.{ref.group}", flags.unit_applier is not None
    return ObjectTraits(
        names=(full,) if kind is None or kind.custom else (full, ref.kind),
        program=flags.program,
        is_by_program=is_by_program,
        is_of_kubectl=not is_by_program and (not flags.is_unit or bool(flags.unit_arguments)),
        unit_tool="" if is_by_program else flags.unit_tool,
        is_unapplied=subject.unapplied is not None,
        is_former_child=subject.unapplied is not None and flags.sync is not None,
    )
