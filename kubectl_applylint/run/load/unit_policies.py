"""Calls the program that applies a unit, if it is not kubectl, in each step of loading the unit."""

from collections.abc import Iterator, Sequence

from kubectl_applylint.appliers.flags import Flags, Policy
from kubectl_applylint.appliers.unit_applier import UnitApplier
from kubectl_applylint.core.records import replace
from kubectl_applylint.core.state import ObjectRef
from kubectl_applylint.engine.cluster_model import ClusterModel
from kubectl_applylint.engine.program import program_of
from kubectl_applylint.engine.set_apply import SetApply
from kubectl_applylint.engine.set_policies import program_policy
from kubectl_applylint.run.compare.live_source import LiveSource, other_objects
from kubectl_applylint.run.load.reading import Reading
from kubectl_applylint.run.load.unit_program import ReadingPair, unit_program
from kubectl_applylint.sources.cluster.read_results import Objects
from kubectl_applylint.sources.text.manifests import Input


def read_by_program(by: UnitApplier, source: LiveSource, flags: Flags, past: Reading, now: Reading) -> ReadingPair:
    """Return both revisions of a unit as the program applies them, with its policy."""
    program = unit_program(by.applier)
    if source.base is None and source.origin:
        return past, program.recorded(by.applier, by.unit, source, now)
    return program.compared(by.applier, (by.earlier or by.unit, by.unit), (past, now), source, flags.is_new_unit)


def with_live_state(found: Reading, cluster: ClusterModel) -> Reading:
    """Return the documents and the policy after the program has read the live objects."""
    own = program_policy(found.policy)
    if own is None:
        return found
    policy, here = program_of(own.applier).begun(own, found.here, cluster)
    return replace(found, policy=policy, here=tuple(here))


def with_renamed_objects(cluster: ClusterModel, found: Reading, source: LiveSource) -> ClusterModel:
    """Return a cluster with the states of the objects that the program renames."""
    own = program_policy(found.policy)
    return unit_program(own.applier).looked_up(cluster, found, source) if own else cluster


def without_own_inputs(given: Input, policy: Policy | None) -> Input:
    """Return the input without the documents that the program reads as its configuration."""
    own = program_policy(policy)
    return unit_program(own.applier).not_read(given, own) if own else given


def recorded_objects(policy: Policy | None) -> Iterator[ObjectRef]:
    """Yield the objects that the program has recorded and may delete."""
    own = program_policy(policy)
    yield from unit_program(own.applier).remembered(own) if own else ()


def deletable_objects(source: LiveSource, flags: Flags, policy: Policy | None, refs: Sequence[ObjectRef]) -> Objects:
    """Return the live objects that a run may delete, besides ``refs``, the objects that it applies."""
    own = program_policy(policy)
    return unit_program(own.applier).deletable(source, own, refs) if own else other_objects(source, flags, refs)


def program_notes(policy: Policy | None, source: LiveSource) -> Iterator[str]:
    """Yield the notes of the program on its policy."""
    own = program_policy(policy)
    yield from unit_program(own.applier).notes(own, source) if own else ()


def rejection_notes(whole: SetApply | None) -> Iterator[str]:
    """Yield what the program does after a rejection, if an object of the apply is rejected or may be."""
    own = program_policy(whole.policy) if whole else None
    if whole is None or own is None:
        return
    notes = [*unit_program(own.applier).on_rejection(own)]
    if notes and any(outcome.refused or outcome.confidence.open for outcome in whole.outcomes):
        yield from notes
