"""Which rules look at an object, told once for all objects of its sort."""

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from kubectl_applylint.appliers.request import TOOL_APPLIERS, Applier
from kubectl_applylint.core.records import dataclass, field
from kubectl_applylint.core.state import Unknown
from kubectl_applylint.lint.model import Need, Params, Rule, Subject

_OF_REJECTIONS: Final = "rejections"
"""The check that looks at nothing but the errors of an apply."""
_OF_ANNOTATION: Final = "last-applied"
"""The family of rules about the annotation that kubectl apply writes."""
_PROGRAMS: Final = frozenset(TOOL_APPLIERS)


class RuleTurn(NamedTuple):
    """When a rule has its turn to look at an object."""

    rule: Rule
    looks: bool
    """Whether it looks at the object. One that does not only takes the causes of a rejection that it explains."""
    params: Params
    """What its check is given: its parameters, and as ``errors`` those that it explains."""
    needs: int
    """Which of ``Turns.needs`` it has."""
    is_of_errors: bool
    """Whether it looks at nothing but errors of an apply that it explains; every tenth rule does."""


@dataclass(frozen=True, slots=True)
class Turns:
    """The rules that have something to do with objects of one sort, in their order."""

    each: Sequence[RuleTurn]
    needs: Sequence[tuple[Need, ...]]
    """All that rules need, so that it is found out once for an object whether it is there."""
    _relevant: dict[tuple[object, ...], Sequence[RuleTurn]] = field(default_factory=dict, repr=False, compare=False)

    def relevant(self, ready: Sequence[Unknown | bool], may_be_rejected: Callable[[], bool]) -> Sequence[RuleTurn]:
        """Return the turns in which there may be something to tell of an object; most objects have the same.

        ``ready`` tells of each of the ``needs`` whether it is there, or why that is unknown; ``may_be_rejected``,
        asked only if a rule is about errors, whether there may be one to explain.
        """
        is_rejected = any(turn.is_of_errors for turn in self.each) and may_be_rejected()
        key = (is_rejected, *(None if isinstance(one, Unknown) else one for one in ready))
        if key not in self._relevant:
            self._relevant[key] = [turn for turn in self.each if _is_relevant(turn, ready[turn.needs], is_rejected)]
        return self._relevant[key]


def _is_relevant(turn: RuleTurn, ready: Unknown | bool, is_rejected: bool) -> bool:
    return not turn.looks or (bool(ready) and not (turn.is_of_errors and ready is True and not is_rejected))


@dataclass(frozen=True, slots=True)
class Sort:
    """All that decides which rules concern an object."""

    names: tuple[str, ...]
    """What rules may call its kind: ``Service`` a built-in one, ``Service.serving.knative.dev`` any."""
    program: Applier
    """What is predicted to apply it."""
    is_by_program: bool
    """Whether that is another program than kubectl and Metacontroller."""
    is_of_kubectl: bool
    """Whether kubectl really applies it, and no other tool its unit."""
    unit_tool: str
    """The tool that applies the unit where that is predicted as if it were kubectl, else empty."""
    is_unapplied: bool
    """Whether the run does not apply it."""
    is_former_child: bool
    """Whether no hook of Metacontroller wants it any more."""

    def concerns(self, rule: Rule) -> bool:
        """Tell whether a rule looks at objects of this sort.

        A rule without a check only explains errors that have happened. Objects that the run does not apply are looked
        at by the rules that need ``unapplied`` alone; these are about files and prunes, and of children only if they
        name Metacontroller.
        """
        if not rule.check or (Need.UNAPPLIED in rule.needs) is not self.is_unapplied:
            return False
        if not self._is_applied_as(rule):
            return False
        return not rule.kinds or any(name in rule.kinds for name in self.names)

    def _is_applied_as(self, rule: Rule) -> bool:
        """Tell whether a rule is about objects that are applied as this one.

        Where it is predicted what another program than kubectl does, rules that name no applier are about its outcomes,
        too, but for those that read an annotation which only kubectl and Argo CD write. Units of other programs that
        are predicted as applied by kubectl have the rules about these units, and those about kubectl that are about
        other programs as well.
        """
        if self.is_by_program:
            is_remembered = self.program is Applier.ARGOCD or Need.LAST_APPLIED not in rule.needs
            return self.program in rule.appliers or (not rule.appliers and is_remembered)
        if self.unit_tool in rule.units:
            return True
        is_meant = self.is_of_kubectl or not _PROGRAMS.isdisjoint(rule.appliers)
        return (self.program in rule.appliers and is_meant) or not (rule.appliers or self.is_former_child)

    def explains(self, rule: Rule) -> bool:
        """Tell whether a rule is about the annotation of an object that another tool than kubectl applies."""
        return not self.is_of_kubectl and rule.family == _OF_ANNOTATION


@dataclass(frozen=True, slots=True)
class Dispatch:
    """The rules of a run. Those that are ``silent`` show nothing; what they explain or refine no other rule tells."""

    rules: Sequence[Rule]
    silent: Sequence[Rule] = ()
    _turns: dict[Sort, Turns] = field(default_factory=dict, repr=False, compare=False)

    def turns(self, subject: Subject) -> Turns:
        """Return the rules that have something to do with an object, those first that explain a rejection best."""
        sort = sort_of(subject)
        found = self._turns.get(sort)
        if found is None:
            ordered = sorted((*self.rules, *self.silent), key=lambda rule: rule.order)
            told = ((rule, sort.concerns(rule)) for rule in ordered)
            found = self._turns[sort] = _turns([(rule, looks) for rule, looks in told if looks or sort.explains(rule)])
        return found


def _turns(rules: Sequence[tuple[Rule, bool]]) -> Turns:
    needs = list(dict.fromkeys(rule.needs for rule, _ in rules))
    return Turns([_turn(rule, looks, needs.index(rule.needs)) for rule, looks in rules], needs)


def _turn(rule: Rule, looks: bool, needs: int) -> RuleTurn:
    is_of_errors = rule.check == _OF_REJECTIONS and bool(rule.errors)
    return RuleTurn(rule, looks, {**rule.params, "errors": rule.errors}, needs, is_of_errors)


def sort_of(subject: Subject) -> Sort:
    """Return the sort of an object."""
    ref, kind, flags = subject.ref, subject.kind, subject.flags
    full, is_by_program = f"{ref.kind}.{ref.group}", flags.unit_applier is not None
    return Sort(
        names=(full,) if kind is None or kind.custom else (full, ref.kind),
        program=flags.program,
        is_by_program=is_by_program,
        is_of_kubectl=not is_by_program and (not flags.is_unit or bool(flags.unit_arguments)),
        unit_tool="" if is_by_program else flags.unit_tool,
        is_unapplied=subject.unapplied is not None,
        is_former_child=subject.unapplied is not None and flags.sync is not None,
    )
