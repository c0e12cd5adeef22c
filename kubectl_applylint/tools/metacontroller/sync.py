"""The syncs of Metacontroller until nothing more changes: where they stop, and how far a rolling update gets.

Mirrors the behaviour of ``pkg/controller/composite`` of Metacontroller: ``syncParentObject`` claims the children, calls
the hook, checks the labels of wanted children, and then deletes, creates and updates.
"""

from collections.abc import Iterable, Iterator
from functools import partial
from typing import Final

from kubectl_applylint.core.outcome import Confidence, FieldError, Level, Outcome, Verdict, Write
from kubectl_applylint.core.records import dataclass, field, replace
from kubectl_applylint.core.state import Identity, ObjectRef, Present, State, ref_of
from kubectl_applylint.engine.joined import join_outcomes
from kubectl_applylint.engine.predictions import attempt, outcome_or_raise
from kubectl_applylint.engine.process import SetParts
from kubectl_applylint.engine.set_refusals import rejected_outcome
from kubectl_applylint.tools.metacontroller.children import Sync
from kubectl_applylint.tools.metacontroller.rolling import (
    LOST_REVISION,
    Member,
    Siblings,
    final_children,
    looks_as_wanted,
)

_LOST: Final = "it is deleted to be updated, and does not come back"
_ABSENT: Final = (
    "an earlier revision of the parent has claimed several children, and none of them exists: if they were not deleted,"
    " its syncs stop, every time"
)


@dataclass(frozen=True, slots=True)
class ChildrenSync:
    """The syncs for one answer of a hook."""

    policy: Sync
    parts: SetParts
    _ends: list[Siblings] = field(default_factory=list, repr=False, compare=False)

    @property
    def end(self) -> Siblings:
        """The children after the syncs."""
        if not self._ends:
            self._ends.append(final_children(self.policy, self.parts))
        return self._ends[0]

    @property
    def is_plain(self) -> bool:
        """Whether the children are independent of each other."""
        return not self.end.stop and not any(member.is_rolling for member in self.end.members)

    def cut_short(self, position: int) -> Outcome | None:
        """Return the outcome of a child that depends on others, or ``None`` if it is independent.

        Raises ``PredictionError`` if one of the syncs cannot be predicted.
        """
        if self.is_plain:
            return None
        member, state = self.end.members[position], self.parts.state_at(position, position)
        if self.end.are_all_absent and (self.end.stop or ref_of(member.wanted) in self.end.obscure):
            return self._absent_outcome(member, state)
        return self._with_doubts(member, self._outcome(member, position, state))

    def _absent_outcome(self, member: Member, state: State) -> Outcome:
        """Return the outcome of a child if none of them exists: earlier syncs may all have stopped."""
        doubt = Confidence(Level.LOW, (_ABSENT,))
        if not self.end.stop:
            return Outcome(ref_of(member.wanted), Verdict.UNKNOWN, confidence=doubt)
        untouched = _stopped_outcome(self.parts.predict(member.wanted, state), (), member, state, self.end.stop)
        return replace(untouched, confidence=doubt)

    def _with_doubts(self, member: Member, outcome: Outcome) -> Outcome:
        """Return an outcome with less confidence if the manifests of other children are not known."""
        others = [ref for ref in self.end.obscure if ref != outcome.ref] if member.is_rolling else []
        if not others or outcome.confidence.level is Level.LOW:
            return outcome
        reasons = (*outcome.confidence.reasons, *map(_revision_doubt, others))
        return replace(outcome, confidence=replace(outcome.confidence, level=Level.MEDIUM, reasons=reasons))

    def _outcome(self, member: Member, position: int, state: State) -> Outcome:
        """Return the outcome of a child after the syncs."""
        found = [outcome_or_raise(each) for each in member.found]
        live = state.live.object if isinstance(state.live, Present) else None
        if self.end.stop and (self.end.stop == LOST_REVISION or not member.is_done(self.policy)):
            wanted = self.parts.predict(member.wanted, state)
            return _stopped_outcome(
                wanted, join_outcomes(found, live).requests if found else (), member, state, self.end.stop
            )
        if not found:
            return _unknown_outcome(member, state)
        outcome = self.parts.among_others(position, join_outcomes(found, live), state, position)
        holder = _blocking_sibling(self.policy, self.end, member)
        return replace(outcome, warnings=(*outcome.warnings, _wait_warning(holder))) if holder else outcome

    def deleted_before(self, position: int) -> frozenset[Identity]:
        """Return the objects that are deleted before a child is created: all deletions."""
        wanted, cluster = [document.ref for document in self.parts.documents], self.parts.cluster
        targets = self.policy.targets(cluster.objects, wanted, simulated=cluster.simulated)
        return frozenset(ref.identity for ref in self.deletions(targets))

    def deletions(self, prunable: Iterable[ObjectRef]) -> tuple[ObjectRef, ...]:
        """Return the objects to delete: all, unless every sync stops before."""
        return tuple(prunable) if self.end.is_managed else ()

    def beside(self, pruned: Iterable[ObjectRef]) -> Iterator[Outcome]:
        """Yield the outcomes of unwanted objects that stay, because the parent adopts or releases them."""
        given = {document.ref.identity for document in self.parts.documents} | {ref.identity for ref in pruned}
        for item in self.parts.cluster.objects:
            ref = ref_of(item)
            if ref.identity in given or not (self.policy.releases(item) or self.policy.adopts(item)):
                continue
            state = replace(self.parts.cluster.state(ref), live=Present(item))
            claimed = [attempt(partial(self.parts.check, item, state))]
            yield from (found for found in claimed if isinstance(found, Outcome))


def _stopped_outcome(wanted: Outcome, requests: tuple[Write, ...], member: Member, state: State, why: str) -> Outcome:
    """Return the outcome of a child that syncs no longer change because each of them stops.

    ``wanted`` is the outcome without the stop; ``requests`` were sent before it.
    """
    left = member.state if requests else state
    is_lost = bool(requests) and requests[-1].method == "DELETE"
    stopped = rejected_outcome(wanted, left, FieldError("", "", why), status=None)
    return replace(stopped, requests=requests, warnings=(_LOST,) if is_lost else ())


def _unknown_outcome(member: Member, state: State) -> Outcome:
    """Return the outcome of a child whose earlier revision wants something unknown."""
    live = state.live.object if isinstance(state.live, Present) else None
    doubt = Confidence(Level.LOW, (_revision_doubt(ref_of(member.wanted)),))
    verdict = Verdict.CREATED if live is None else Verdict.CONFIGURED
    return Outcome(ref_of(member.wanted), verdict, result=live, confidence=doubt)


def _revision_doubt(ref: ObjectRef) -> str:
    """Return the doubt about a child that an earlier revision claims."""
    return f"an earlier revision of the parent has claimed {ref}, and no object records what that wants"


def _blocking_sibling(policy: Sync, family: Siblings, member: Member) -> Member | None:
    """Return the child that another one waits for forever, or ``None``."""
    if member.is_latest or family.stop:
        return None
    fronts = (each for each in family.members if each.is_in_front)
    return next((each for each in fronts if not looks_as_wanted(policy, each)), None)


def _wait_warning(holder: Member) -> str:
    """Return the warning about a child that waits forever."""
    last = holder.found[-1] if holder.found else None
    is_refused = holder.live is None or (isinstance(last, Outcome) and last.refused)
    why = "is rejected" if is_refused else "never looks as wanted"
    return f"it stays as the hook wanted it before: the rolling update waits for {ref_of(holder.wanted)}, which {why}"
