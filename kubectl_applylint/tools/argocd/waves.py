"""The waves of a sync by Argo CD: which objects are applied, pruned and left out when it stops.

Mirrors ``pkg/sync/sync_context.go`` of gitops-engine: nothing is written before all objects have passed the comparison
and one dry run; a wave begins with what it prunes, writes all its objects whatever becomes of the others, and the next
one waits until they are healthy and gone. Objects count as healthy as soon as they are written, and finalizers of
Kubernetes' own as done.
"""

from collections.abc import Iterable, Mapping
from typing import Final

from kubectl_applylint.appliers.attempt import UNMAPPED, is_being_deleted
from kubectl_applylint.core.outcome import FieldError, Outcome, PredictionError
from kubectl_applylint.core.records import dataclass, field, replace
from kubectl_applylint.core.state import Identity, ObjectRef, ref_of
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.engine.cluster_model import defines
from kubectl_applylint.engine.predictions import attempt
from kubectl_applylint.engine.process import SetParts, is_rejected
from kubectl_applylint.engine.set_refusals import NOT_REACHED, not_reached, rejected_outcome
from kubectl_applylint.tools.argocd.application import ArgoSync, untrackable
from kubectl_applylint.tools.argocd.comparison import INCOMPARABLE, UNRESPECTED
from kubectl_applylint.tools.argocd.options import BACKGROUND, SKIP_DRY_RUN
from kubectl_applylint.tools.argocd.order import SyncStep, SyncWait, steps, tasks

NAME: Final = "Argo CD"
WAITS: Final = f"not reached: {NAME} is "
_UNTRACKED: Final = "failed to set app instance tracking info on manifest: "
_NO_RESOURCE: Final = "the server could not find the requested resource"


@dataclass(frozen=True, slots=True)
class Waves:
    """One sync: its steps, and for what it waits for ever after the last of them, if for anything."""

    policy: ArgoSync
    parts: SetParts
    steps: tuple[SyncStep, ...]
    waits_for: SyncWait | None
    leftovers: tuple[JsonObject, ...] = field(repr=False)
    _faults: list[Mapping[int, FieldError]] = field(default_factory=list, repr=False, compare=False)

    @property
    def faults(self) -> Mapping[int, FieldError]:
        """Why nothing at all is written, by the position of the objects at fault; empty where the sync begins."""
        if not self._faults:
            faults = self._tracking_faults() or self._comparison_faults() or self._discovery_faults()
            self._faults.append(faults or self._dry_run())
        return self._faults[0]

    def _tracking_faults(self) -> Mapping[int, FieldError]:
        said = {place: untrackable(document.object) for place, document in enumerate(self.parts.documents)}
        return {place: FieldError("", INCOMPARABLE, f"{_UNTRACKED}{why}") for place, why in said.items() if why}

    def _comparison_faults(self) -> Mapping[int, FieldError]:
        checked = {place: _cause(self._check_outcome(place)) for place in range(len(self.parts.documents))}
        return {
            place: cause for place, cause in checked.items() if cause and cause.reason in (INCOMPARABLE, UNRESPECTED)
        }

    def _discovery_faults(self) -> Mapping[int, FieldError]:
        wrong = (
            place
            for place in range(len(self.parts.documents))
            if self._is_unserved(place) and not self._is_skipped(place)
        )
        return {place: FieldError("", UNMAPPED, self._no_resource(place)) for place in wrong}

    def _no_resource(self, place: int) -> str:
        """Return what client-go says where no server has the version of a group."""
        version = self.parts.documents[place].ref.api_version
        return f"failed to discover server resources for group version {version}: {_NO_RESOURCE}"

    def _dry_run(self) -> Mapping[int, FieldError]:
        if any(map(self.policy.awaits_confirmation, self.leftovers)):
            return {}
        checked = {place: _cause(self._check_outcome(place)) for place in range(len(self.parts.documents))}
        return {place: cause for place, cause in checked.items() if cause and not self._is_unserved(place)}

    def _check_outcome(self, place: int) -> Outcome | PredictionError:
        document = self.parts.documents[place]
        return attempt(lambda: self.parts.check(document.object, self.parts.state_at(place, 0)))

    def _is_unserved(self, place: int) -> bool:
        return self.parts.is_unserved(self.parts.documents[place].ref)

    def _is_skipped(self, place: int) -> bool:
        """Tell whether the dry run leaves out an object whose kind is not served yet."""
        document = self.parts.documents[place]
        is_defined = any(defines(other.object, document.ref) for other in self.parts.documents)
        return is_defined or self.policy.application.has(SKIP_DRY_RUN, document.object)

    def cut_short(self, position: int) -> Outcome | None:
        """Return what becomes of an object that Argo CD does not apply, ``None`` of one that it does."""
        document, state = self.parts.documents[position], self.parts.state_at(position, position)
        own, error = self.faults.get(position), self._error(position)
        if own is None:
            stop = self._first_fault() if self.faults else self.stop_before(self._number(position))
            if stop is None:
                return None
            own, error = _waiting(stop) if isinstance(stop, SyncWait) else not_reached(stop, NAME), ""
        return replace(
            rejected_outcome(self.parts.predict(document.object, state), state, own, status=None), error=error
        )

    def _error(self, position: int) -> str:
        """Return what is printed where an object fails its check."""
        found = self._check_outcome(position)
        return found.error if isinstance(found, Outcome) else ""

    def _first_fault(self) -> ObjectRef:
        return self.parts.documents[min(self.faults)].ref

    def stop_before(self, number: int) -> ObjectRef | SyncWait | None:
        """Return the object at which a sync stops before it comes to a step, or for what it waits there."""
        for step in self.steps[:number]:
            for place in step.places:
                if _holds_up(self.parts.told(place)):
                    return self.parts.documents[place].ref
        return self.waits_for if number == len(self.steps) else None

    def gone_before(self, position: int) -> frozenset[Identity]:
        """Return what is pruned before the step of an object; in the same step only without a wait for dependents."""
        is_at_once = self.policy.application.has(BACKGROUND)
        steps_before = self.steps[: self._number(position) + is_at_once]
        deleted = {ref_of(item).identity for item in self.leftovers if self.policy.prunes_item(item)}
        return frozenset(name for step in steps_before for name in step.pruned if name in deleted)

    def _number(self, position: int) -> int:
        """Return the step in which an object is applied; of one that is never reached the number after the last."""
        return next((at for at, step in enumerate(self.steps) if position in step.places), len(self.steps))

    def deletions(self, prunable: Iterable[ObjectRef]) -> tuple[ObjectRef, ...]:
        """Return what is deleted: what is pruned in the steps that the sync comes to."""
        if self.faults:
            return ()
        numbers = {name: number for number, step in enumerate(self.steps) for name in step.pruned}
        reached = {name for name, number in numbers.items() if self.stop_before(number) is None}
        return tuple(ref for ref in prunable if ref.identity in reached)

    def beside(self, pruned: Iterable[ObjectRef]) -> Iterable[Outcome]:
        """Return nothing: Argo CD writes what it applies."""
        return ()


def waves_of(policy: ArgoSync, parts: SetParts) -> Waves:
    """Return the waves of a set that is sorted as ``tasks`` does it."""
    objects = [document.object for document in parts.documents]
    waves = {task.place: task.wave for task in tasks(objects, policy.application.namespace)}
    leftovers = tuple(policy.leftovers(parts.cluster.objects, [document.ref for document in parts.documents]))
    return Waves(policy, parts, *steps(policy, [waves[place] for place in range(len(objects))], leftovers), leftovers)


def _waiting(stop: SyncWait) -> FieldError:
    """Return why nothing is written to an object before something else happens."""
    return FieldError("", NOT_REACHED, f"{WAITS}{stop}")


def _cause(found: Outcome | PredictionError) -> FieldError | None:
    return found.causes[0] if isinstance(found, Outcome) and found.refused and found.causes else None


def _holds_up(found: Outcome | PredictionError) -> bool:
    """Tell whether the next wave does not begin because of an object: it fails, or is being deleted."""
    return is_rejected(found) or (isinstance(found, Outcome) and is_being_deleted(found.result))
