"""A part of the report of a run that several machines share: what one of them found, and of which run it is.

A part holds its shards by their numbers, so that parts are joined as sets are: in any order, in any grouping, and what
comes twice counts once. Only of all that were joined a report is made.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, islice, zip_longest
from operator import attrgetter
from typing import Any, Final

from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.records import dataclass, field
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.lint.model import Report
from kubectl_applylint.run.collect import UnitResult, join_reports
from kubectl_applylint.run.run_notes import RunNotes, UnitNote, join_notes
from kubectl_applylint.secrets.masking import mask_report
from kubectl_applylint.sharding.part_applies import PartApply, part_applies
from kubectl_applylint.sharding.target_shares import TargetShare, differing_snapshot


@dataclass(frozen=True, slots=True)
class RunId:
    """What parts have in common that are of the same run; names in the order in which a difference is told."""

    version: str
    command: str
    shards: int
    language: str
    commit: str
    """The commit that is checked out, empty outside of git."""
    content: str
    """A digest of what was read beside it: uncommitted files, snapshots."""
    options: str
    """A digest of the flags and the configuration."""
    rules: str
    """A digest of the rules that ran."""
    units: str
    """A digest of the units that are shared out."""
    ran: tuple[str, ...] = ()
    """The ids of the rules that ran."""


@dataclass(frozen=True, slots=True)
class SourceLine:
    """A line of a file that a finding points to."""

    file: str
    number: int
    text: str


@dataclass(frozen=True, slots=True)
class ShardResult:
    """What one of the machines found: the results of its units, what it says of the run, the lines that are quoted."""

    results: tuple[UnitResult, ...] = ()
    said: RunNotes = RunNotes()
    applies: tuple[tuple[PartApply, ...], ...] = field(default=(), repr=False)
    """What becomes of the objects of each unit, of a plan."""
    lines: tuple[SourceLine, ...] = field(default=(), repr=False)
    targets: tuple[TargetShare, ...] = ()
    """What becomes of each target, of a plan for several; then there are no results."""


@dataclass(frozen=True, slots=True)
class Part:
    """What some of the machines found, by the number of each, from 1."""

    run: RunId
    shards: Mapping[int, ShardResult]
    seconds: Mapping[str, float] = field(default_factory=dict, compare=False)
    """How long units took, by their roots; another run of the same takes another time."""


class OtherRunError(ValueError):
    """Two parts that do not belong together; ``difference`` says why, in words that follow "they"."""

    def __init__(self, difference: str) -> None:
        self.difference = difference
        super().__init__(difference)


_NAMES: Final = {
    "version": "are of different versions of applylint",
    "command": "are of different commands",
    "shards": "are of runs with a different number of parts",
    "language": "are in different languages",
    "commit": "are of different commits",
    "content": "have read different uncommitted files, or another snapshot",
    "options": "are of runs with different flags or configurations",
    "rules": "are of runs with different rules",
    "units": "are of different states of the repository",
}


def reject_other_run(one: RunId, other: RunId) -> None:
    """Raise ``OtherRunError`` where two parts are of different runs."""
    for name, words in _NAMES.items():
        if getattr(one, name) != getattr(other, name):
            raise OtherRunError(words)


def merge_parts(one: Part, other: Part) -> Part:
    """Return what two parts hold together; raise ``OtherRunError`` where they are of different runs."""
    reject_other_run(one.run, other.run)
    twice = one.shards.keys() & other.shards.keys()
    differing = next((number for number in sorted(twice) if one.shards[number] != other.shards[number]), None)
    if differing is not None:
        raise OtherRunError(f"both hold part {differing} of {one.run.shards}, with different results")
    name = differing_snapshot(shares_of(one), shares_of(other))
    if name:
        raise OtherRunError(f"have read different snapshots of {name}")
    shards = dict(sorted({**one.shards, **other.shards}.items()))
    return Part(one.run, shards, {**one.seconds, **other.seconds})


def shares_of(part: Part) -> tuple[TargetShare, ...]:
    """Return what all that are joined have of targets."""
    return tuple(chain.from_iterable(shard.targets for _, shard in sorted(part.shards.items())))


def report_of(part: Part) -> Report:
    """Return the report of a run; a shard that is missing is a problem in it."""
    report = report_of_shards([shard for _, shard in sorted(part.shards.items())])
    return replace(report, problems=(*report.problems, *missing_shard_problems(part)))


def report_of_shards(shards: Sequence[ShardResult]) -> Report:
    """Return the report of what some machines have found."""
    # What is not about units is the same in all shards.
    every = [one for shard in shards for one in _with_outcomes(shard)]
    named = [one for one in every if one.unit is None][:1]
    units = [one for one in every if one.unit is not None]
    results = sorted((*named, *units), key=attrgetter("place"))
    return join_reports(results, join_notes([shard.said for shard in shards]).lines)


def _with_outcomes(shard: ShardResult) -> Iterator[UnitResult]:
    for result, applies in zip_longest(shard.results, shard.applies, fillvalue=()):
        if isinstance(result, UnitResult):
            outcomes = tuple((one.document, one.outcome) for one in applies)
            yield replace(result, report=replace(result.report, outcomes=outcomes))


def shard_result(
    results: Sequence[UnitResult], said: RunNotes, objects: Sequence[JsonObject], *, show_secrets: bool
) -> ShardResult:
    """Return what a machine found, masked unless secrets are to be shown, without the lines that are quoted."""
    if not show_secrets:
        results, said = mask_results(results, said, objects)
    outcomes = list(chain.from_iterable(one.report.outcomes for one in results))
    applies = iter(part_applies(outcomes, objects, show_secrets=show_secrets))
    each = tuple(tuple(islice(applies, len(one.report.outcomes))) for one in results)
    bare = (replace(one, report=replace(one.report, outcomes=(), notes=())) for one in results)
    return ShardResult(tuple(bare), said, each if outcomes else ())


def missing_shard_problems(part: Part) -> Iterator[Problem]:
    """Yield a problem for each shard that is missing."""
    count = part.run.shards
    for number in range(1, count + 1):
        if number not in part.shards:
            advice = f"applylint {part.run.command} --shard {number}/{count} -o part=FILE writes it"
            yield Problem(f"part {number} of {count}", "it is missing, so its units were not checked", advice)


def quoted_lines(part: Part) -> Mapping[str, tuple[str, ...]]:
    """Return the lines of files that are quoted; all others are empty. Of two forms of a line the shorter counts: more
    of it is masked.
    """
    found: dict[str, dict[int, str]] = {}
    for line in chain.from_iterable(shard.lines for shard in part.shards.values()):
        known = found.setdefault(line.file, {})
        known[line.number] = min(known.get(line.number, line.text), line.text, key=lambda text: (len(text), text))
    return {file: tuple(lines.get(number, "") for number in range(1, max(lines) + 1)) for file, lines in found.items()}


def mask_results(
    results: Sequence[UnitResult], said: RunNotes, objects: Sequence[JsonObject]
) -> tuple[tuple[UnitResult, ...], RunNotes]:
    """Return results and notes without what Secrets among ``objects`` hold: of all results at once."""
    named = [_with_unit(one) for one in results]
    texts = [note.text for note in chain.from_iterable(_notes(said).values())]
    whole = mask_report(replace(_concatenate(named), notes=tuple(texts)), objects)
    rest = {name: iter(getattr(whole, name)) for name in _LISTS}
    reports = (_take_next(one.report, rest) for one in named)
    clean = iter(whole.notes)
    notes = {
        name: tuple(UnitNote(note.place, text) for note, text in zip(notes, clean, strict=False))
        for name, notes in _notes(said).items()
    }
    masked_results = (replace(one, report=report) for one, report in zip(results, reports, strict=True))
    return tuple(masked_results), replace(said, **notes)  # type: ignore[arg-type]  # all of them notes


def _take_next(report: Report, rest: Mapping[str, Iterator[Any]]) -> Report:
    """Return a report with as many of the next findings and so on as it has."""
    lists: dict[str, Any] = {name: tuple(islice(rest[name], len(getattr(report, name)))) for name in _LISTS}
    return replace(report, **lists)


_LISTS: Final = ("findings", "outcomes", "skips", "problems", "suppressed", "remarks")
_NOTE_FIELDS: Final = ("assumed", "compared", "own", "last")


def _notes(said: RunNotes) -> Mapping[str, tuple[UnitNote, ...]]:
    return {name: getattr(said, name) for name in _NOTE_FIELDS}


def _with_unit(result: UnitResult) -> UnitResult:
    """Return a result whose findings have no edits to try any more, and name the unit."""
    units = (result.unit.root,) if result.unit else ()
    findings = tuple(replace(one, wanted=(), units=units) for one in result.report.findings)
    return replace(result, report=replace(result.report, findings=findings, notes=()))


def _concatenate(results: Sequence[UnitResult]) -> Report:
    each = [one.report for one in results]
    lists: dict[str, Any] = {
        name: tuple(chain.from_iterable(getattr(report, name) for report in each)) for name in _LISTS
    }
    return Report(**lists)
