"""The stages of a Flux reconciliation: which objects are checked, applied, or not reached after a failure.

Mirrors ``ApplyAllStaged`` and ``ApplyAll`` of ``github.com/fluxcd/pkg/ssa`` 0.77: all objects of a stage are checked
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
    """The object at which Flux stops, while it checks or applies a stage."""

    position: int
    is_check: bool = False


@dataclass(frozen=True, slots=True)
class Stages:
    """One reconciliation of objects in apply order."""

    parts: SetParts
    checks: dict[int, Outcome | PredictionError] = field(default_factory=dict, repr=False, compare=False)
    """The outcomes of the checks computed so far, by object index."""

    def cut_short(self, position: int) -> Outcome | None:
        """Return the outcome of an object that Flux does not apply, or ``None`` if it applies it."""
        stop = self._stop_before(position)
        if stop is None:
            return None
        if stop.position == position:
            return _without_apply(outcome_or_raise(self._check_outcome(position)))
        at, item, state = self.parts.documents[stop.position].ref, *self._at_stage(position)
        if position in self._stage_of(stop.position) and (position < stop.position or not stop.is_check):
            return _unapplied_outcome(self.parts.check(item, state), at)
        return rejected_outcome(self.parts.predict(item, state), state, not_reached(at, NAME), status=None)

    def deleted_before(self, position: int) -> frozenset[Identity]:
        """Return nothing: Flux prunes after all objects are applied."""
        return frozenset()

    def deletions(self, prunable: Iterable[ObjectRef]) -> tuple[ObjectRef, ...]:
        """Return the objects to prune: all, or none if any object fails."""
        if any(is_rejected(self.parts.outcome(place)) for place in range(len(self.parts.documents))):
            return ()
        return tuple(prunable)

    def beside(self, pruned: Iterable[ObjectRef]) -> Iterable[Outcome]:
        """Return nothing: Flux writes only the objects that it applies."""
        return ()

    def _stop_before(self, position: int) -> _Stop | None:
        """Return where Flux stops before it applies an object, or ``None``."""
        own = self._stage_of(position)
        for before in range(own.start):
            if is_rejected(self.parts.outcome(before)) or is_unready(self.parts.outcome(before)):
                return _Stop(before)
        for place in own:
            if is_rejected(self._check_outcome(place)):
                return _Stop(place, is_check=True)
        return next(
            (_Stop(before) for before in range(own.start, position) if is_rejected(self.parts.outcome(before))), None
        )

    def _stage_of(self, position: int) -> range:
        """Return the indexes of the objects in the same stage."""
        number = stage(self.parts.documents[position].ref)
        own = [place for place, document in enumerate(self.parts.documents) if stage(document.ref) == number]
        return range(own[0], own[-1] + 1)

    def _at_stage(self, position: int) -> tuple[JsonObject, State]:
        """Return an object, and its state at the start of its stage."""
        return self.parts.documents[position].object, self.parts.state_at(position, self._stage_of(position).start)

    def _check_outcome(self, position: int) -> Outcome | PredictionError:
        """Return the cached outcome of the check of an object."""
        if position not in self.checks:
            self.checks[position] = attempt(partial(self._check, position))
        return self.checks[position]

    def _check(self, position: int) -> Outcome:
        """Return the outcome of the check of an object; one that fails only when applied passes."""
        item, state = self._at_stage(position)
        outcome = self.parts.predict(item, state)
        if is_sent(outcome) and outcome.refused:
            return self.parts.check(item, state)
        return self.parts.among_others(position, outcome, state, self._stage_of(position).start)


def is_sent(outcome: Outcome) -> bool:
    """Return whether the apply itself was sent, not only earlier requests."""
    return any(write.content_type == APPLY_PATCH for write in outcome.requests)


def _without_apply(outcome: Outcome) -> Outcome:
    """Return the outcome of an object that fails its check, without the apply request."""
    sent = tuple(write for write in outcome.requests if write.content_type != APPLY_PATCH)
    return replace(outcome, requests=sent)


def _unapplied_outcome(checked: Outcome, stop: ObjectRef) -> Outcome:
    """Return the outcome of a checked object that is not applied because Flux stops at another one."""
    cause = not_reached(stop, NAME)
    return replace(checked, verdict=Verdict.REJECTED, status=None, errors=(cause,), conflicts=(), error="")
