"""The waves of an Argo CD sync: which objects are applied, pruned, or not reached.

Mirrors ``pkg/sync/sync_context.go`` of gitops-engine. All objects have to pass the comparison and one dry run before
the first write. A wave first prunes, then writes all of its objects even if some fail; the next wave waits until they
are healthy or deleted. Here objects that are not suspended count as healthy once written, and the finalizers of
Kubernetes as done.
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
from kubectl_applylint.tools.argocd.health import suspended_at
from kubectl_applylint.tools.argocd.options import BACKGROUND, SKIP_DRY_RUN
from kubectl_applylint.tools.argocd.order import SyncStep, SyncWait, steps, tasks, wait_for

NAME: Final = "Argo CD"
WAITS: Final = f"not reached: {NAME} is "
NOT_PERMITTED: Final = "NotPermitted"
"""The reason of a rejection by the project."""
SHARED: Final = "SharedResource"
"""The reason of a rejection because another Application tracks an object."""
_UNTRACKED: Final = "failed to set app instance tracking info on manifest: "
_NO_RESOURCE: Final = "the server could not find the requested resource"


@dataclass(frozen=True, slots=True)
class Waves:
    """One sync: its steps, and the endless wait after the last of them."""

    policy: ArgoSync
    parts: SetParts
    steps: tuple[SyncStep, ...]
    waits_for: SyncWait | None
    leftovers: tuple[JsonObject, ...] = field(repr=False)
    _faults: list[Mapping[int, FieldError]] = field(default_factory=list, repr=False, compare=False)

    @property
    def faults(self) -> Mapping[int, FieldError]:
        """The errors that prevent all writes, by object index; empty if the sync starts."""
        if not self._faults:
            faults = self._tracking_faults() or self._comparison_faults() or self._discovery_faults()
            self._faults.append(faults or self._dry_run())
        return self._faults[0]

    def _tracking_faults(self) -> Mapping[int, FieldError]:
        """Return the errors of objects that cannot be tracked."""
        if not self.policy.application.settings.uses_annotation:
            return {}
        reasons = {place: untrackable(document.object) for place, document in enumerate(self.parts.documents)}
        return {place: FieldError("", INCOMPARABLE, f"{_UNTRACKED}{why}") for place, why in reasons.items() if why}

    def _comparison_faults(self) -> Mapping[int, FieldError]:
        """Return the errors of objects that cannot be compared."""
        checked = {place: _cause(self._check_outcome(place)) for place in range(len(self.parts.documents))}
        return {
            place: cause for place, cause in checked.items() if cause and cause.reason in (INCOMPARABLE, UNRESPECTED)
        }

    def _discovery_faults(self) -> Mapping[int, FieldError]:
        """Return the errors of objects whose kind is not served, or that the project does not permit."""
        found = {place: self._discovery_error(place) for place in range(len(self.parts.documents))}
        return {place: error for place, error in found.items() if error}

    def _discovery_error(self, place: int) -> FieldError | None:
        if self._is_unserved(place):
            return None if self._is_skipped(place) else FieldError("", UNMAPPED, self._no_resource(place))
        ref = self.parts.documents[place].ref
        kind = self.parts.schema.kind(ref.api_version, ref.kind)
        if kind is None:
            return None
        forbidden = self.policy.permissions.object_error(ref, is_namespaced=kind.namespaced)
        return FieldError("", NOT_PERMITTED, forbidden) if forbidden else None

    def _no_resource(self, place: int) -> str:
        """Return the error of client-go for an unserved group version."""
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
        """Return whether the server does not have the kind of an object."""
        return self.parts.is_unserved(self.parts.documents[place].ref)

    def _is_skipped(self, place: int) -> bool:
        """Return whether the dry run skips an object whose kind is not served yet."""
        document = self.parts.documents[place]
        is_defined = any(defines(other.object, document.ref) for other in self.parts.documents)
        return is_defined or self.policy.application.has(SKIP_DRY_RUN, document.object)

    def cut_short(self, position: int) -> Outcome | None:
        """Return the outcome of an object that Argo CD does not apply, or ``None`` if it applies it."""
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
        """Return the message of an object that fails its check."""
        found = self._check_outcome(position)
        return found.error if isinstance(found, Outcome) else ""

    def _first_fault(self) -> ObjectRef:
        return self.parts.documents[min(self.faults)].ref

    def stop_before(self, number: int) -> ObjectRef | SyncWait | None:
        """Return the object or the wait at which a sync stops before a step, or ``None``."""
        for step in self.steps[:number]:
            for place in step.places:
                if _holds_up(self.parts.outcome(place)):
                    return self.parts.documents[place].ref
            suspended = [one for place in step.places if (one := _suspended_result(self.parts.outcome(place)))]
            if suspended:
                return wait_for("healthy state", suspended)
        return self.waits_for if number == len(self.steps) else None

    def deleted_before(self, position: int) -> frozenset[Identity]:
        """Return the objects that are deleted before an object is applied.

        The same step counts only with background deletion.
        """
        is_at_once = self.policy.application.has(BACKGROUND)
        steps_before = self.steps[: self._number(position) + is_at_once]
        deleted = {ref_of(item).identity for item in self.leftovers if self.policy.prunes_item(item)}
        return frozenset(name for step in steps_before for name in step.pruned if name in deleted)

    def _number(self, position: int) -> int:
        """Return the index of the step that applies an object, or the number of steps if none does."""
        return next((at for at, step in enumerate(self.steps) if position in step.places), len(self.steps))

    def deletions(self, prunable: Iterable[ObjectRef]) -> tuple[ObjectRef, ...]:
        """Return the objects to prune in the steps that the sync reaches."""
        if self.faults:
            return ()
        numbers = {name: number for number, step in enumerate(self.steps) for name in step.pruned}
        reached = {name for name, number in numbers.items() if self.stop_before(number) is None}
        return tuple(ref for ref in prunable if ref.identity in reached)

    def beside(self, pruned: Iterable[ObjectRef]) -> Iterable[Outcome]:
        """Return nothing: Argo CD writes only the objects that it applies."""
        return ()


def waves_of(policy: ArgoSync, parts: SetParts) -> Waves:
    """Return the waves of a set that is sorted as by ``tasks``."""
    objects = [document.object for document in parts.documents]
    stages = {task.place: task.stage for task in tasks(objects, policy.application.namespace)}
    leftovers = tuple(policy.leftovers(parts.cluster.objects, [document.ref for document in parts.documents]))
    return Waves(policy, parts, *steps(policy, [stages[place] for place in range(len(objects))], leftovers), leftovers)


def _waiting(stop: SyncWait) -> FieldError:
    """Return the error of an object that an endless wait keeps from being written."""
    return FieldError("", NOT_REACHED, f"{WAITS}{stop}")


def _cause(found: Outcome | PredictionError) -> FieldError | None:
    """Return the first error of a rejected outcome, or ``None``."""
    return found.errors[0] if isinstance(found, Outcome) and found.refused and found.errors else None


def _suspended_result(found: Outcome | PredictionError) -> JsonObject | None:
    """Return an object that is suspended after its apply, ``None`` for others."""
    result = found.result if isinstance(found, Outcome) else None
    return result if result is not None and suspended_at(result) else None


def _holds_up(found: Outcome | PredictionError) -> bool:
    """Return whether an object prevents the next wave: it fails or is being deleted."""
    return is_rejected(found) or (isinstance(found, Outcome) and is_being_deleted(found.result))
