"""Whichever machine looks at a unit, and in whatever order parts are merged and repeated, the report is the same."""

import random
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from pathlib import Path
from typing import TypeAlias

import pytest

from kubectl_applylint.core.records import replace
from kubectl_applylint.lint.dispatch import Dispatch
from kubectl_applylint.lint.model import Report
from kubectl_applylint.report.context import Context
from kubectl_applylint.report.formats.json_v1 import report_json
from kubectl_applylint.report.plan import plan_text
from kubectl_applylint.report.text import findings_text
from kubectl_applylint.rulebook import rulebook
from kubectl_applylint.run.collect import UnitResult, join_reports
from kubectl_applylint.run.compare.live_source import LiveSource, no_live_source
from kubectl_applylint.run.compare.snapshot_source import in_snapshot
from kubectl_applylint.run.discover.share import WHOLE
from kubectl_applylint.run.evaluate import Evaluation, PlanEvaluation, RuleEvaluation
from kubectl_applylint.run.execute import Executor
from kubectl_applylint.run.loaded_units import LoadedUnits
from kubectl_applylint.run.request import Request
from kubectl_applylint.run.sides.places import Place, place_of, with_cache
from kubectl_applylint.secrets.masking import mask_report
from kubectl_applylint.sharding.part_json import part_text, read_part
from kubectl_applylint.sharding.parts import Part, ShardResult, merge_parts, report_of, shard_result
from kubectl_applylint.sharding.shares import share_of_keys
from tests.cli.test_merge import TREE
from tests.cli.test_units import write
from tests.run.running import evaluate_units, load_units
from tests.sharding.test_parts import RUN

SPLITS = 100
"""Of each command, 200 in all."""
Key: TypeAlias = tuple[str, ...]
Results: TypeAlias = tuple[LoadedUnits, Sequence[UnitResult]]
Work: TypeAlias = Callable[[frozenset[Key] | None], Results]


def done(
    request: Request, source: LiveSource, place: Place, keys: frozenset[Key] | None, evaluation: Evaluation
) -> Results:
    executor = Executor(WHOLE if keys is None else share_of_keys(keys), place)
    result = evaluate_units(load_units(request, source, executor), evaluation)
    return result.runs, result.results


CHECK = RuleEvaluation(Dispatch(rulebook.built_in().rules), shows_known=True, lightest=None)
PLAN = PlanEvaluation()


@pytest.fixture(name="place")
def _place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Place:
    monkeypatch.chdir(tmp_path)
    write(tmp_path, TREE)
    (tmp_path / "prod.json").write_text('{"apiVersion": "v1", "kind": "List", "items": []}')
    return with_cache(place_of(["all"]))


def of_shard(work: Work, keys: frozenset[Key]) -> ShardResult:
    """Return what a machine hands in, whole, as it is read from its file."""
    runs, results = work(keys)
    found = shard_result(results, runs.run_notes, list(runs.objects), show_secrets=False)
    return read_part(part_text(Part(RUN, {1: found})).encode(), RUN.version).shards[1]


def split(keys: Sequence[Key], chance: random.Random) -> list[frozenset[Key]]:
    """Return a random split; some machines have nothing to do, and one has what is in no unit."""
    shards: list[set[Key]] = [set() for _ in range(chance.randint(1, 6))]
    for key in keys:
        chance.choice(shards).add(key)
    chance.choice(shards).add(())
    return [frozenset(shard) for shard in shards]


def merge_at_random(parts: list[Part], chance: random.Random) -> Part:
    """Return parts joined two at a time in a random order, some of them twice."""
    rest = [*parts, *chance.sample(parts, chance.randint(0, len(parts)))]
    while len(rest) > 1:
        chance.shuffle(rest)
        rest.append(merge_parts(rest.pop(), rest.pop()))
    return rest[0]


def texts(report: Report, command: str) -> Iterator[str]:
    context = Context(command=command, verbose=True)
    yield plan_text(report, context) if command == "plan" else findings_text(report, context)
    yield report_json(report, context)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "evaluation", "is_live"), [("check", CHECK, False), ("plan", PLAN, True)], ids=["check", "plan"]
)
def test_every_split_gives_the_report_of_one_machine(
    place: Place, command: str, evaluation: Evaluation, is_live: bool
) -> None:
    """Byte for byte. A machine that was killed has handed in nothing; once it is run again nothing is missing."""
    chance = random.Random(20261125)
    source = in_snapshot("prod.json") if is_live else no_live_source()
    request = Request(files=("all",), sets_aside=command == "check")

    def of(keys: frozenset[Key] | None) -> Results:
        return done(request, source, place, keys, evaluation)

    shard = cache(partial(of_shard, of))
    runs, results = of(None)
    whole = [*texts(mask_report(join_reports(results, runs.notes), list(runs.objects)), command)]
    keys = [unit.key for unit in place.units([])]
    assert whole[1].count('"message"') + whole[1].count('"verdict"') > 5

    for _ in range(SPLITS):
        shares = split(keys, chance)
        run = replace(RUN, command=command, shards=len(shares))
        parts = [Part(run, {number: shard(share)}) for number, share in enumerate(shares, start=1)]
        killed = chance.choice(parts)
        rest = [part for part in parts if part is not killed]
        assert not rest or "it is missing" in report_of(merge_at_random(rest, chance)).problems[-1].message

        assert [*texts(report_of(merge_at_random(parts, chance)), command)] == whole, shares


def test_a_machine_that_is_run_again_hands_in_the_same(place: Place) -> None:
    def work(keys: frozenset[Key] | None) -> Results:
        return done(Request(files=("all",), sets_aside=True), no_live_source(), place, keys, CHECK)

    keys = frozenset(unit.key for unit in place.units([])[:4])

    assert of_shard(work, keys) == of_shard(work, keys)
