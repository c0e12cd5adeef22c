"""The stages of a reconciliation by Flux: which objects are checked, applied and left out when it fails.

Mirrors ``ApplyAllStaged`` and ``ApplyAll`` of ``github.com/fluxcd/pkg/ssa`` 0.77: of each stage all objects are checked
before the first one is applied, and the first failure ends the reconciliation.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from kubectl_applylint.appliers.flux.order import stage
from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.outcome import Outcome, PredictionError, Verdict
from kubectl_applylint.core.records import dataclass, field, replace
from kubectl_applylint.core.state import ObjectRef, State
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.engine.predictions import Predict, attempted, known
from kubectl_applylint.engine.set_refusals import not_reached, refused
from kubectl_applylint.server.write import APPLY_PATCH

NAME: Final = "Flux"


@dataclass(frozen=True, slots=True)
class _Stop:
    """Where Flux stops: at the object at ``position``, while it checks a stage or applies it."""

    position: int
    is_check: bool = False


@dataclass(frozen=True, slots=True)
class Stages:
    """A set in the order of Flux, and what is known of each of its objects by position."""

    documents: Sequence[Document]
    predict: Predict = field(repr=False)
    check: Predict = field(repr=False)
    """What is done about an object before the first one of its stage is applied."""
    state_at: Callable[[int, int], State] = field(repr=False)
    """The state of an object when all before another position have been applied."""
    among_others: Callable[[int, Outcome, State, int], Outcome] = field(repr=False)
    """What becomes of an outcome for what is around the object then."""
    told: Callable[[int], Outcome | PredictionError] = field(repr=False)
    """What becomes of an object in the end."""
    checks: dict[int, Outcome | PredictionError] = field(repr=False)
    """What the checks have come to, as far as that was asked for."""

    def cut_short(self, position: int) -> Outcome | None:
        """Return what becomes of an object that Flux does not apply because it stops before, else ``None``."""
        stop = self._stop_before(position)
        if stop is None:
            return None
        if stop.position == position:
            return _unsent(known(self._checked(position)))
        at, item, state = self.documents[stop.position].ref, *self._at_stage(position)
        if position in self._stage_of(stop.position) and (position < stop.position or not stop.is_check):
            return _left_out(self.check(item, state), at)
        return refused(self.predict(item, state), state, not_reached(at, NAME), status=None)

    def _stop_before(self, position: int) -> _Stop | None:
        """Return where Flux stops before it has applied an object, ``None`` where it comes so far."""
        own = self._stage_of(position)
        for before in range(own.start):
            if _fails(self.told(before)) or is_unready(self.told(before)):
                return _Stop(before)
        for place in own:
            if _fails(self._checked(place)):
                return _Stop(place, is_check=True)
        return next((_Stop(before) for before in range(own.start, position) if _fails(self.told(before))), None)

    def _stage_of(self, position: int) -> range:
        """Return the positions of the objects that are in one stage with that at ``position``."""
        number = stage(self.documents[position].ref)
        own = [place for place, document in enumerate(self.documents) if stage(document.ref) == number]
        return range(own[0], own[-1] + 1)

    def _at_stage(self, position: int) -> tuple[JsonObject, State]:
        """Return an object, and the state in which its stage finds it."""
        return self.documents[position].object, self.state_at(position, self._stage_of(position).start)

    def _checked(self, position: int) -> Outcome | PredictionError:
        if position not in self.checks:
            self.checks[position] = attempted(partial(self._check, position))
        return self.checks[position]

    def _check(self, position: int) -> Outcome:
        """Return what the check of an object comes to; one that fails only when it is applied passes."""
        item, state = self._at_stage(position)
        outcome = self.predict(item, state)
        if is_sent(outcome) and outcome.refused:
            return self.check(item, state)
        return self.among_others(position, outcome, state, self._stage_of(position).start)


def _fails(found: Outcome | PredictionError) -> bool:
    return isinstance(found, Outcome) and found.refused


def is_unready(found: Outcome | PredictionError) -> bool:
    """Tell whether Flux waits in vain for an object: one that it skips and that does not exist."""
    return isinstance(found, Outcome) and found.verdict is Verdict.UNCHANGED and found.result is None


def is_sent(outcome: Outcome) -> bool:
    """Tell whether the apply itself was sent, and not only what comes before."""
    return any(write.content_type == APPLY_PATCH for write in outcome.requests)


def _unsent(outcome: Outcome) -> Outcome:
    """Return the outcome of an object that fails its check: without the apply."""
    sent = tuple(write for write in outcome.requests if write.content_type != APPLY_PATCH)
    return replace(outcome, requests=sent)


def _left_out(checked: Outcome, stop: ObjectRef) -> Outcome:
    """Return what becomes of an object that was checked and is not applied, because Flux stops at another one."""
    cause = not_reached(stop, NAME)
    return replace(checked, verdict=Verdict.REJECTED, status=None, causes=(cause,), conflicts=(), error="")
