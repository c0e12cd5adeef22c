"""Scores predictions against recordings.

    python -m tests.fidelity.score tests/fidelity/recorded-1.36.jsonl.gz --mode client,create-client --show 5

Each figure is the share of right answers among the stories that it applies to; ``tests.fidelity.judge`` says what each
compares. Ends with 1 when a floor is missed.
"""

import argparse
import json
import time
import traceback
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from kubectl_applylint.api import load_schema, predict
from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.schema.types import Schema
from tests.fidelity.judge import METRICS, Judgement, judge
from tests.fidelity.recording import Story, open_recording

# The recordings' server ran without this plugin, which asks for objects that only a controller makes.
DISABLED_ADMISSION = ("ServiceAccount",)
COMMON_KIND = 20
"""From how many cases on a kind has to reach the floor by itself."""
_ROWS, _LINE = 24, 2500


@dataclass(frozen=True, slots=True)
class Scored:
    """One story with its figures. ``crash`` is the trace where the engine failed."""

    story: Story
    judgements: Mapping[str, Judgement]
    seconds: float
    """How much processor time the prediction took."""
    crash: str = ""


@dataclass(frozen=True, slots=True)
class Share:
    """How many of how many were right."""

    right: int
    total: int

    @property
    def ratio(self) -> float:
        """Between 0 and 1."""
        return self.right / self.total

    def __str__(self) -> str:
        return f"{self.right}/{self.total}"


@dataclass(frozen=True, slots=True)
class Selection:
    """The stories that are scored; an empty field selects all."""

    modes: frozenset[str] = frozenset()
    kind: str = ""
    id: str = ""
    only: str = ""
    every: int = 1
    """Of how many stories one is scored."""

    def has(self, story: Story) -> bool:
        """Whether ``story`` is selected."""
        return (
            (not self.modes or story.mode in self.modes)
            and (not self.kind or story.kind == self.kind)
            and story.id.startswith(self.id)
            and self.only in ("", "accepted" if story.accepted else "rejected")
        )


def score_file(file: Path, selection: Selection) -> Iterator[Scored]:
    """Yield the selected stories of a recording with their figures."""
    with open_recording(file) as (head, stories):
        schema = load_schema(head.minor, crds=head.crds)
        selected = filter(selection.has, stories)
        yield from (score(story, schema) for story in islice(selected, 0, None, selection.every))


def score(story: Story, schema: Schema) -> Scored:
    """Predict one story and judge the prediction; a crash counts as a prediction that says nothing right."""
    started = time.process_time()
    predicted, crash = _predict(story, schema)
    seconds = time.process_time() - started
    return Scored(story, judge(story, predicted), seconds, crash)


def _predict(story: Story, schema: Schema) -> tuple[JsonObject, str]:
    try:
        outcome = predict(
            story.manifest,
            live=story.live,
            applier="kubectl-server" if story.server_side else "kubectl-client",
            field_manager=story.field_manager,
            force_conflicts=story.force_conflicts,
            schema=schema,
            disabled_admission=DISABLED_ADMISSION,
        )
        return outcome.to_json(), ""
    except Exception:
        return {"verdict": "crash"}, traceback.format_exc()


Groups = Mapping[tuple[str, str], Share]
"""Shares by metric and group: ``all``, ``mode:client``, ``Deployment``."""


def shares(results: Iterable[Scored]) -> Groups:
    """Return the share of right answers of each metric in each group."""
    right: Counter[tuple[str, str]] = Counter()
    total: Counter[tuple[str, str]] = Counter()
    for result in results:
        groups = ("all", f"mode:{result.story.mode}", result.story.kind)
        for metric, judgement in result.judgements.items():
            keys = [(metric, group) for group in groups]
            total.update(keys)
            right.update(keys if judgement.right else ())
    return {key: Share(right[key], count) for key, count in total.items()}


def shares_of(results: Iterable[tuple[str, Mapping[str, Sequence[Judgement]]]]) -> Groups:
    """Return the share of right answers of each metric over all and in each group, which comes with the answers."""
    right: Counter[tuple[str, str]] = Counter()
    total: Counter[tuple[str, str]] = Counter()
    for group, judgements in results:
        for metric, judgement in ((metric, each) for metric, found in judgements.items() for each in found):
            keys = [(metric, "all"), (metric, group)]
            total.update(keys)
            right.update(keys if judgement.right else ())
    return {key: Share(right[key], count) for key, count in total.items()}


def summary(results: Sequence[Scored], groups: Groups) -> Mapping[str, float | int | None]:
    """Return the figures over all, rounded to four digits, with the number of cases and of crashes."""
    seconds = sum(result.seconds for result in results)
    return {
        "cases": len(results),
        "crashes": sum(bool(result.crash) for result in results),
        "per_second": round(len(results) / seconds) if seconds else None,
        **{metric: round(groups[metric, "all"].ratio, 4) for metric in METRICS if (metric, "all") in groups},
    }


Floors = Mapping[str, float]
"""The least share of each metric."""


def below(groups: Groups, floors: Floors) -> list[str]:
    """Return what is short of its floor over all, in words."""
    ratios = ((metric, groups.get((metric, "all")), floor) for metric, floor in floors.items())
    return [
        f"{metric} {round(share.ratio, 4) if share else None} < {floor}"
        for metric, share, floor in ratios
        if share is None or round(share.ratio, 4) < floor
    ]


def kinds_below(groups: Groups, floors: Floors) -> list[str]:
    """Return which kinds with many cases are short of a floor, in words."""
    return [
        f"{metric} of {group} {share}"
        for (metric, group), share in sorted(groups.items(), key=lambda item: item[0])
        if group != "all" and not group.startswith("mode:") and share.total >= COMMON_KIND
        if share.ratio < floors.get(metric, 0)
    ]


def table(groups: Groups) -> str:
    """Return one line a metric: the whole, then the groups from the worst on."""
    return "\n".join(f"{metric:8s} {_row(metric, groups)}" for metric in METRICS)


def _row(metric: str, groups: Groups) -> str:
    rows = sorted((group, share) for (name, group), share in groups.items() if name == metric)
    ranked = sorted(rows, key=lambda row: (row[0] != "all", row[1].ratio))
    return "  ".join(f"{group} {share}" for group, share in ranked[:_ROWS])


def examples(results: Iterable[Scored], metric: str) -> Iterator[str]:
    """Yield the stories that were predicted wrongly, each with what differs; of ``metric`` alone if it is not empty."""
    for result in results:
        wrong = {name: each.why for name, each in result.judgements.items() if not each.right and each.why is not None}
        if result.crash:
            yield f"{result.story.id} CRASH {result.crash[-900:]}"
        if wrong and (not metric or metric in wrong):
            yield json.dumps({**_identity(result.story), **wrong}, default=str)[:_LINE] + " \n"


def _identity(story: Story) -> dict[str, Json]:
    return {name: getattr(story, name) for name in ("id", "mode", "base", "edits", "writers")}


def main(argv: Sequence[str] | None = None) -> int:
    """Score recordings as the command line says; return the exit code."""
    options = _parser().parse_args(argv)
    modes = frozenset(filter(None, (options.mode or "").split(",")))
    selection = Selection(modes, options.kind, options.id, options.only)
    results = [result for file in options.files for result in score_file(file, selection)]
    groups = shares(results)
    for example in islice(examples(results, options.metric), options.show):
        print(example)
    figures = summary(results, groups)
    if not options.json:
        print(table(groups))
    print(json.dumps(figures))
    short = [*below(groups, options.floor), *kinds_below(groups, options.floor_kind)]
    if options.floor and figures["crashes"]:
        short.append(f"{figures['crashes']} crashes")
    if short:
        print("short: " + "; ".join(short))
    return 1 if short else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("files", nargs="+", type=Path, help="recordings")
    add("--mode", help="only these, with commas: client, create-client, server-to-client, again, revert, server, …")
    add("--kind", default="", help="only objects of this kind")
    add("--id", default="", help="only cases whose id begins so")
    add("--only", default="", choices=("accepted", "rejected"), help="only what kubectl got through, or did not")
    add("--show", type=int, default=0, metavar="N", help="print N wrong predictions")
    add("--metric", default="", choices=METRICS, help="of these only such as are wrong in this figure")
    add("--json", action="store_true", help="print nothing but the figures")
    add("--floor", type=floors, default={}, metavar="METRIC=SHARE,…", help="end with 1 below it, or at a crash")
    add("--floor-kind", type=floors, default={}, metavar="METRIC=SHARE,…", help="the same for each common kind")
    return parser


def floors(text: str) -> Floors:
    """Return the floors that ``metric=share,…`` names."""
    pairs = (pair.partition("=") for pair in text.split(",") if pair)
    return {metric: float(share) for metric, _, share in pairs}


if __name__ == "__main__":
    raise SystemExit(main())
