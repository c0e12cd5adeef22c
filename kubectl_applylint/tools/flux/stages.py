"""The stages of a reconciliation by Flux: which objects are checked, applied and left out when it fails.

Mirrors ``ApplyAllStaged`` and ``ApplyAll`` of ``github.com/fluxcd/pkg/ssa`` 0.77: of each stage all objects are checked
before the first one is applied, and the first failure ends the reconciliation.
"""

from collections.abc import Iterable
from functools import partial
from typing import Final

from kubectl_applylint.core.outcome import Outcome, PredictionError, Verdict
from kubectl_applylint.core.records import dataclass, field, replace
from kubectl_applylint.core.state import Identity, ObjectRef, State
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.engine.predictions import attempt, outcome_or_raise
from kubectl_applylint.engine.process import SetParts, is_rejected, is_unready
from kubectl_applylint.engine.set_refusals import not_reached, rejected_outcome
from kubectl_applylint.server.write import APPLY_PATCH
from kubectl_applylint.tools.flux.order import stage

NAME: Final = "Flux"


@dataclass(frozen=True, slots=True)
class _Stop:
    """Where Flux stops: at the object at ``position``, while it checks a stage or applies it."""

    position: int
    is_check: bool = False


@dataclass(frozen=True, slots=True)
class Stages:
    """One reconciliation of a set in the order of Flux."""

    parts: SetParts
    checks: dict[int, Outcome | PredictionError] = field(default_factory=dict, repr=False, compare=False)
    """What the checks have come to, as far as that was asked for."""

    def cut_short(self, position: int) -> Outcome | None:
        """Return what becomes of an object that Flux does not apply because it stops before, else ``None``."""
        stop = self._stop_before(position)
        if stop is None:
            return None
        if stop.position == position:
            return _without_apply(outcome_or_raise(self._check_outcome(position)))
        at, item, state = self.parts.documents[stop.position].ref, *self._at_stage(position)
        if position in self._stage_of(stop.position) and (position < stop.position or not stop.is_check):
            return _unapplied_outcome(self.parts.check(item, state), at)
        return rejected_outcome(self.parts.predict(item, state), state, not_reached(at, NAME), status=None)

    def gone_before(self, position: int) -> frozenset[Identity]:
        """Return nothing: Flux prunes when all has been applied."""
        return frozenset()

    def deletions(self, prunable: Iterable[ObjectRef]) -> tuple[ObjectRef, ...]:
        """Return what is deleted: everything, or nothing where anything fails."""
        if any(is_rejected(self.parts.told(place)) for place in range(len(self.parts.documents))):
            return ()
        return tuple(prunable)

    def beside(self, pruned: Iterable[ObjectRef]) -> Iterable[Outcome]:
        """Return nothing: Flux writes what it applies."""
        return ()

    def _stop_before(self, position: int) -> _Stop | None:
        """Return where Flux stops before it has applied an object, ``None`` where it comes so far."""
        own = self._stage_of(position)
        for before in range(own.start):
            if is_rejected(self.parts.told(before)) or is_unready(self.parts.told(before)):
                return _Stop(before)
        for place in own:
            if is_rejected(self._check_outcome(place)):
                return _Stop(place, is_check=True)
        return next(
            (_Stop(before) for before in range(own.start, position) if is_rejected(self.parts.told(before))), None
        )

    def _stage_of(self, position: int) -> range:
        """Return the positions of the objects that are in one stage with that at ``position``."""
        number = stage(self.parts.documents[position].ref)
        own = [place for place, document in enumerate(self.parts.documents) if stage(document.ref) == number]
        return range(own[0], own[-1] + 1)

    def _at_stage(self, position: int) -> tuple[JsonObject, State]:
        """Return an object, and the state in which its stage finds it."""
        return self.parts.documents[position].object, self.parts.state_at(position, self._stage_of(position).start)

    def _check_outcome(self, position: int) -> Outcome | PredictionError:
        if position not in self.checks:
            self.checks[position] = attempt(partial(self._check, position))
        return self.checks[position]

    def _check(self, position: int) -> Outcome:
        """Return what the check of an object comes to; one that fails only when it is applied passes."""
        item, state = self._at_stage(position)
        outcome = self.parts.predict(item, state)
        if is_sent(outcome) and outcome.refused:
            return self.parts.check(item, state)
        return self.parts.among_others(position, outcome, state, self._stage_of(position).start)


def is_sent(outcome: Outcome) -> bool:
    """Return whether the apply itself was sent, and not only what comes before."""
    return any(write.content_type == APPLY_PATCH for write in outcome.requests)


def _without_apply(outcome: Outcome) -> Outcome:
    """Return the outcome of an object that fails its check: without the apply."""
    sent = tuple(write for write in outcome.requests if write.content_type != APPLY_PATCH)
    return replace(outcome, requests=sent)


def _unapplied_outcome(checked: Outcome, stop: ObjectRef) -> Outcome:
    """Return what becomes of an object that was checked and is not applied, because Flux stops at another one."""
    cause = not_reached(stop, NAME)
    return replace(checked, verdict=Verdict.REJECTED, status=None, causes=(cause,), conflicts=(), error="")
