"""What the program beside kubectl that applies a unit goes by, and what that means for a run."""

from collections.abc import Iterator, Sequence

from kubectl_applylint.appliers.flags import Flags, Policy
from kubectl_applylint.appliers.unit_applier import UnitApplier
from kubectl_applylint.core.records import replace
from kubectl_applylint.core.state import ObjectRef
from kubectl_applylint.engine.cluster_model import ClusterModel
from kubectl_applylint.engine.program import program_of
from kubectl_applylint.engine.set_policies import program_policy
from kubectl_applylint.run.compare.live_source import LiveSource, other_objects
from kubectl_applylint.run.load.reading import Reading
from kubectl_applylint.run.load.unit_program import ReadingPair, unit_program
from kubectl_applylint.sources.cluster.read_results import Objects
from kubectl_applylint.sources.text.manifests import Input


def read_by_program(by: UnitApplier, source: LiveSource, flags: Flags, past: Reading, now: Reading) -> ReadingPair:
    """Return what was read of a unit as the program applies it, with what that goes by."""
    program = unit_program(by.applier)
    if source.base is None and source.origin:
        return past, program.recorded(by.applier, by.unit, source, now)
    return program.compared(by.applier, by.unit, (past, now), source, flags.is_new_unit)


def with_live_state(found: Reading, cluster: ClusterModel) -> Reading:
    """Return what was read, once the program has looked at the set and at what exists."""
    own = program_policy(found.policy)
    if own is None:
        return found
    policy, here = program_of(own.applier).begun(own, found.here, cluster)
    return replace(found, policy=policy, here=tuple(here))


def with_renamed_objects(cluster: ClusterModel, found: Reading, source: LiveSource) -> ClusterModel:
    """Return a cluster with what is known of the objects to which the program has given other names."""
    own = program_policy(found.policy)
    return unit_program(own.applier).looked_up(cluster, found, source) if own else cluster


def without_own_inputs(given: Input, policy: Policy | None) -> Input:
    """Return what was given, without what the program reads for itself."""
    own = program_policy(policy)
    return unit_program(own.applier).not_read(given, own) if own else given


def recorded_objects(policy: Policy | None) -> Iterator[ObjectRef]:
    """Yield the objects that the program remembers, and may delete."""
    own = program_policy(policy)
    yield from unit_program(own.applier).remembered(own) if own else ()


def deletable_objects(source: LiveSource, flags: Flags, policy: Policy | None, refs: Sequence[ObjectRef]) -> Objects:
    """Return the objects beside those that a run applies, which are ``refs``, that it may delete."""
    own = program_policy(policy)
    return unit_program(own.applier).deletable(source, own, refs) if own else other_objects(source, flags, refs)


def program_notes(policy: Policy | None, source: LiveSource) -> Iterator[str]:
    """Yield what people have to know of what the program goes by."""
    own = program_policy(policy)
    yield from unit_program(own.applier).notes(own, source) if own else ()
