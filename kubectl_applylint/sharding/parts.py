"""Parts of the report of a sharded run, and the report of all parts.

A part contains its shards by number, so parts are merged as sets are: in any order and grouping, and duplicates count
once. The report is built after all parts are merged.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, islice, zip_longest
from operator import attrgetter
from typing import Any, Final

from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.records import dataclass, field, replace
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.lint.model import Report
from kubectl_applylint.run.collect import UnitResult, join_reports
from kubectl_applylint.run.run_notes import RunNotes, UnitNote, join_notes
from kubectl_applylint.secrets.masking import mask_report
from kubectl_applylint.sharding.part_applies import PartApply, part_applies
from kubectl_applylint.sharding.target_shares import TargetShare, differing_snapshot


@dataclass(frozen=True, slots=True)
class RunId:
    """The values that are equal in all parts of one run; the first difference is reported."""

    version: str
    command: str
    shards: int
    language: str
    commit: str
    """The commit that is checked out, empty outside of git."""
    content: str
    """A digest of the other inputs: uncommitted files, snapshots."""
    options: str
    """A digest of the flags and the configuration."""
    rules: str
    """A digest of the rules that ran."""
    units: str
    """A digest of the units that are divided among the shards."""
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
    """The result of one shard: the results of its units, its notes, and the quoted lines of files."""

    results: tuple[UnitResult, ...] = ()
    said: RunNotes = RunNotes()
    applies: tuple[tuple[PartApply, ...], ...] = field(default=(), repr=False)
    """The outcomes of the objects of each unit, for a plan."""
    lines: tuple[SourceLine, ...] = field(default=(), repr=False)
    targets: tuple[TargetShare, ...] = ()
    """The effects on each target, for a plan of several targets; then there are no results."""


@dataclass(frozen=True, slots=True)
class Part:
    """The results of some shards of a run, by their numbers from 1."""

    run: RunId
    shards: Mapping[int, ShardResult]
    seconds: Mapping[str, float] = field(default_factory=dict, compare=False)
    """The seconds that each unit took, by root; not compared, since they differ from run to run."""


class OtherRunError(ValueError):
    """Two parts are of different runs; ``difference`` describes how, as a predicate of "they"."""

    def __init__(self, difference: str) -> None:
        self.difference = difference
        super().__init__(difference)


_DIFFERENCES: Final = {
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
    """Raise ``OtherRunError`` if two parts are of different runs."""
    for name, words in _DIFFERENCES.items():
        if getattr(one, name) != getattr(other, name):
            raise OtherRunError(words)


def merge_parts(one: Part, other: Part) -> Part:
    """Return one part with the shards of two; raise ``OtherRunError`` if they are of different runs."""
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
    """Return the shares of targets in all shards of a part."""
    return tuple(chain.from_iterable(shard.targets for _, shard in sorted(part.shards.items())))


def report_of(part: Part) -> Report:
    """Return the report of a run, with a problem for each missing shard."""
    report = report_of_shards([shard for _, shard in sorted(part.shards.items())])
    return replace(report, problems=(*report.problems, *missing_shard_problems(part)))


def report_of_shards(shards: Sequence[ShardResult]) -> Report:
    """Return the report of some shards."""
    # Results without a unit are the same in all shards.
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
    results: Sequence[UnitResult], run_notes: RunNotes, objects: Sequence[JsonObject], *, show_secrets: bool
) -> ShardResult:
    """Return the result of a shard, masked unless ``show_secrets``, without the quoted lines of files."""
    if not show_secrets:
        results, run_notes = mask_results(results, run_notes, objects)
    outcomes = list(chain.from_iterable(one.report.outcomes for one in results))
    applies = iter(part_applies(outcomes, objects, show_secrets=show_secrets))
    each = tuple(tuple(islice(applies, len(one.report.outcomes))) for one in results)
    bare = (replace(one, report=replace(one.report, outcomes=(), notes=())) for one in results)
    return ShardResult(tuple(bare), run_notes, each if outcomes else ())


def missing_shard_problems(part: Part) -> Iterator[Problem]:
    """Yield a problem for each missing shard."""
    count = part.run.shards
    for number in range(1, count + 1):
        if number not in part.shards:
            advice = f"applylint {part.run.command} --shard {number}/{count} -o part=FILE writes it"
            yield Problem(f"part {number} of {count}", "it is missing, so its units were not checked", advice)


def quoted_lines(part: Part) -> Mapping[str, tuple[str, ...]]:
    """Return the quoted lines of each file; all other lines are empty.

    Of two versions of a line the shorter one is used: more of it is masked.
    """
    found: dict[str, dict[int, str]] = {}
    for line in chain.from_iterable(shard.lines for shard in part.shards.values()):
        known = found.setdefault(line.file, {})
        known[line.number] = min(known.get(line.number, line.text), line.text, key=lambda text: (len(text), text))
    return {file: tuple(lines.get(number, "") for number in range(1, max(lines) + 1)) for file, lines in found.items()}


def mask_results(
    results: Sequence[UnitResult], run_notes: RunNotes, objects: Sequence[JsonObject]
) -> tuple[tuple[UnitResult, ...], RunNotes]:
    """Return results and notes with the values of Secrets among ``objects`` masked in all of them at once."""
    named = [_with_unit(one) for one in results]
    texts = [note.text for note in chain.from_iterable(_notes(run_notes).values())]
    whole = mask_report(replace(_concatenate(named), notes=tuple(texts)), objects)
    rest = {name: iter(getattr(whole, name)) for name in _LIST_FIELDS}
    reports = (_take_next(one.report, rest) for one in named)
    clean = iter(whole.notes)
    notes = {
        name: tuple(UnitNote(note.place, text) for note, text in zip(notes, clean, strict=False))
        for name, notes in _notes(run_notes).items()
    }
    masked_results = (replace(one, report=report) for one, report in zip(results, reports, strict=True))
    return tuple(masked_results), replace(run_notes, **notes)  # type: ignore[arg-type]  # all of them notes


def _take_next(report: Report, rest: Mapping[str, Iterator[Any]]) -> Report:
    """Return a report whose lists are replaced by the next items of ``rest``, as many as it has."""
    lists: dict[str, Any] = {name: tuple(islice(rest[name], len(getattr(report, name)))) for name in _LIST_FIELDS}
    return replace(report, **lists)


_LIST_FIELDS: Final = ("findings", "outcomes", "skips", "problems", "suppressed", "remarks", "holes")
_NOTE_FIELDS: Final = ("assumed", "compared", "own", "last", "holes")


def _notes(run_notes: RunNotes) -> Mapping[str, tuple[UnitNote, ...]]:
    return {name: getattr(run_notes, name) for name in _NOTE_FIELDS}


def _with_unit(result: UnitResult) -> UnitResult:
    """Return a result whose findings have the unit, and no wanted edits."""
    units = (result.unit.root,) if result.unit else ()
    findings = tuple(replace(one, wanted=(), units=units) for one in result.report.findings)
    return replace(result, report=replace(result.report, findings=findings, notes=()))


def _concatenate(results: Sequence[UnitResult]) -> Report:
    each = [one.report for one in results]
    lists: dict[str, Any] = {
        name: tuple(chain.from_iterable(getattr(report, name) for report in each)) for name in _LIST_FIELDS
    }
    return Report(**lists)
