"""By the policy of an applier: where it stops in a set, what it deletes despite a failure, and why it never begins."""

from collections.abc import Callable, Iterable, Iterator, Sequence

from kubectl_applylint.appliers.applyset import ApplySet
from kubectl_applylint.appliers.flags import Policy, ProgramPolicy
from kubectl_applylint.appliers.prune import ByLabels
from kubectl_applylint.core.outcome import Outcome
from kubectl_applylint.core.state import Identity, ObjectRef
from kubectl_applylint.engine.process import Process, SetParts
from kubectl_applylint.engine.program import program_of
from kubectl_applylint.tools.metacontroller.children import Sync


def program_policy(policy: Policy | None) -> ProgramPolicy | None:
    """Return the policy of Helm, Flux, Argo CD or kapp; ``None`` for kubectl and Metacontroller."""
    return None if policy is None or isinstance(policy, ByLabels | ApplySet | Sync) else policy


def applier_name(policy: Policy | None) -> str:
    """Return the display name of an applier that stops in a set; kubectl and Metacontroller never do."""
    own = program_policy(policy)
    return program_of(own.applier).name if own else ""


def remedy_of(policy: Policy | None) -> str:
    """Return what to do if the applier's own state prevents the apply; empty if the error includes it."""
    own = program_policy(policy)
    return program_of(own.applier).remedy(own) if own else ""


def stop_before(policy: Policy | None, ref: ObjectRef, earlier: Iterable[Outcome]) -> ObjectRef | None:
    """Return the object at which the applier stops before ``ref``; kubectl never stops."""
    own = program_policy(policy)
    return program_of(own.applier).stop(own, ref, earlier) if own else None


def process_of(policy: Policy | None, parts: SetParts) -> Process | None:
    """Return how the applier processes a set that it checks first; ``None`` for other appliers."""
    if isinstance(policy, Sync):
        # It takes 5 ms to import, and few runs are about children.
        from kubectl_applylint.tools.metacontroller.sync import ChildrenSync  # noqa: PLC0415

        return ChildrenSync(policy, parts)
    own = program_policy(policy)
    process = program_of(own.applier).process if own else None
    return process(own, parts) if own and process else None


def deletions_after_failure(
    policy: Policy | None, targets: Callable[[], Iterable[ObjectRef]], outcomes: Sequence[Outcome]
) -> Iterator[ObjectRef]:
    """Yield the objects that are deleted although an object is rejected.

    ``targets`` returns the objects that are deleted if none is rejected.
    """
    if isinstance(policy, Sync):
        # Metacontroller deletes before it applies, even if an apply fails.
        yield from targets()
    elif own := program_policy(policy):
        yield from program_of(own.applier).deleted(own, targets, outcomes)


def deletions_before_apply(policy: Policy | None, targets: Callable[[], Iterable[ObjectRef]]) -> frozenset[Identity]:
    """Return the objects that the applier deletes before the first apply: for Metacontroller, all of them."""
    return frozenset(ref.identity for ref in targets()) if isinstance(policy, Sync) else frozenset()


def is_deleted_before(policy: Policy | None, target: ObjectRef, ref: ObjectRef) -> bool:
    """Return whether the applier deletes ``target`` before it applies ``ref``."""
    own = program_policy(policy)
    return own is not None and program_of(own.applier).is_deleted_before(own, target, ref)
