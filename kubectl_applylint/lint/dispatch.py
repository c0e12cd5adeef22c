"""Which rules look at an object, told once for all objects of its sort."""

from collections.abc import Sequence
from typing import Final, TypeAlias

from kubectl_applylint.appliers.request import Applier
from kubectl_applylint.core.records import dataclass, field
from kubectl_applylint.lint.model import Need, Rule, Subject

Turns: TypeAlias = Sequence[tuple[Rule, bool]]
"""Rules in their order, each with whether it looks at the object. One that does not only takes the causes of a
rejection that it explains."""

_OF_ANNOTATION: Final = "last-applied"
"""The family of rules about the annotation that kubectl apply writes."""


@dataclass(frozen=True, slots=True)
class Sort:
    """All that decides which rules concern an object."""

    names: tuple[str, ...]
    """What rules may call its kind: ``Service`` a built-in one, ``Service.serving.knative.dev`` any."""
    applier: Applier | None
    """What applies it; ``None`` where that is neither kubectl nor Metacontroller."""
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
        if self.applier not in rule.appliers and (rule.appliers or self.is_former_child):
            return False
        return not rule.kinds or any(name in rule.kinds for name in self.names)

    def explains(self, rule: Rule) -> bool:
        """Tell whether a rule is about the annotation of an object that another tool than kubectl applies."""
        return self.applier is None and rule.family == _OF_ANNOTATION


@dataclass(frozen=True, slots=True)
class Dispatch:
    """The rules of a run. Those that are ``silent`` show nothing; what they explain or refine no other rule tells."""

    rules: Sequence[Rule]
    silent: Sequence[Rule] = ()
    _turns: dict[Sort, Turns] = field(default_factory=dict, repr=False, compare=False)

    def turns(self, subject: Subject) -> Turns:
        """Return the rules that have something to do with an object, those first that explain a rejection best."""
        sort = sort_of(subject)
        if sort not in self._turns:
            ordered = sorted((*self.rules, *self.silent), key=lambda rule: rule.order)
            told = ((rule, sort.concerns(rule)) for rule in ordered)
            self._turns[sort] = [(rule, looks) for rule, looks in told if looks or sort.explains(rule)]
        return self._turns[sort]


def sort_of(subject: Subject) -> Sort:
    """Return the sort of an object."""
    ref, kind, flags = subject.ref, subject.kind, subject.flags
    full = f"{ref.kind}.{ref.group}"
    is_of_kubectl = not flags.is_unit or bool(flags.unit_arguments)
    return Sort(
        names=(full,) if kind is None or kind.custom else (full, ref.kind),
        applier=flags.applier if is_of_kubectl else None,
        is_unapplied=subject.unapplied is not None,
        is_former_child=subject.unapplied is not None and flags.sync is not None,
    )
