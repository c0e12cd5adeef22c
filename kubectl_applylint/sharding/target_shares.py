"""The plan of one target in one shard, for some of its units, and the merged plan of all shards."""

from collections.abc import Iterable, Sequence
from itertools import chain
from operator import attrgetter

from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.records import dataclass
from kubectl_applylint.report.targets.targets import TargetEffect, TargetReport, effects_of
from kubectl_applylint.run.collect import UnitResult
from kubectl_applylint.run.run_notes import RunNotes, UnitPlace, join_notes


@dataclass(frozen=True, slots=True)
class TargetUnit:
    """The effects of one unit on a target."""

    place: UnitPlace
    effects: tuple[TargetEffect, ...]
    refused: int = 0
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True, slots=True)
class TargetShare:
    """The effects of some units on a target; ``number`` is the index of the target among the chosen ones."""

    number: int
    name: str
    labels: tuple[str, ...] = ()
    content: str = ""
    """A digest of the snapshot that the units were compared with."""
    units: tuple[TargetUnit, ...] = ()
    problems: tuple[Problem, ...] = ()
    """The reasons why the target could not be read."""
    said: RunNotes = RunNotes()


def target_unit(result: UnitResult) -> TargetUnit:
    """Return the effects of a unit from its result, which is masked already."""
    root = result.unit.root if result.unit else ""
    outcomes = [outcome for _, outcome in result.report.outcomes]
    refused = sum(outcome.refused for outcome in outcomes)
    return TargetUnit(result.place, effects_of(root, outcomes), refused, result.report.problems)


def target_reports(shares: Iterable[TargetShare]) -> tuple[TargetReport, ...]:
    """Return the plan of each target, in the order of their numbers."""
    found: dict[int, list[TargetShare]] = {}
    for share in shares:
        found.setdefault(share.number, []).append(share)
    return tuple(_target(found[number]) for number in sorted(found))


def _target(shares: Sequence[TargetShare]) -> TargetReport:
    units = sorted(chain.from_iterable(share.units for share in shares), key=attrgetter("place"))
    # If two files contain the same object, the later apply decides.
    effects = {(one.unit, one.ref.identity): one for unit in units for one in unit.effects}
    lost = chain.from_iterable(share.problems for share in shares)
    return TargetReport(
        shares[0].name,
        shares[0].labels,
        tuple(effects.values()),
        sum(unit.refused for unit in units),
        tuple(dict.fromkeys((*lost, *chain.from_iterable(unit.problems for unit in units)))),
        join_notes([share.said for share in shares]).lines,
    )


def differing_snapshot(one: Iterable[TargetShare], other: Iterable[TargetShare]) -> str:
    """Return the name of a target that both shares compare with different snapshots; empty without one."""
    known = {share.name: share.content for share in one}
    return next((share.name for share in other if known.get(share.name, share.content) != share.content), "")
