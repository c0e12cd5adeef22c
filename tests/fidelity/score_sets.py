"""Scores what ``applylint plan`` predicts of changes of whole folders against recordings.

    python -m tests.fidelity.score_sets tests/fidelity/sets-1.36.jsonl.gz --show 5

The plan gets kubectl apply's own flags and no cluster; the folder from before is what it compares with. ``verdict`` and
``result`` are shares of the objects, ``pruned`` (of those in which kubectl or the plan prunes) and ``whole`` (every
verdict right) shares of the cases. Ends with 1 when a floor is missed. What the command line does not say: a namespace
exists unless the set itself creates it, and the earlier folder was applied until nothing more changed.
"""

import argparse
import io
import json
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from kubectl_applylint.cli.main import main as command
from tests.fidelity.judge import Judgement
from tests.fidelity.score import Groups, below, floors, shares_of
from tests.fidelity.sets import SetStory, entries, judge, read_stories

METRICS = ("verdict", "result", "pruned", "whole")
_LINE = 2500


@dataclass(frozen=True, slots=True)
class Answer:
    """The output of the command, and its duration."""

    stdout: str
    stderr: str
    seconds: float


@dataclass(frozen=True, slots=True)
class Scored:
    """One case with its figures; ``crash`` is what the command said instead of an answer."""

    story: SetStory
    judgements: Mapping[str, Sequence[Judgement]]
    seconds: float
    crash: str = ""


def score(story: SetStory) -> Scored:
    """Ask for the plan of one case and judge it."""
    with tempfile.TemporaryDirectory() as folder:
        answer = plan(story, Path(folder))
    prediction = entries(answer.stdout, story.namespace)
    is_broken = prediction is None or "bug in applylint" in answer.stderr or "not predicted" in answer.stderr
    crash = (answer.stderr or answer.stdout)[-600:] if is_broken else ""
    return Scored(story, judge(story, prediction), answer.seconds, crash)


def plan(story: SetStory, folder: Path) -> Answer:
    """Write both folders of a case into ``folder`` and return what ``applylint plan`` says."""
    for side, files in (("base", story.base.files), ("head", story.head.files)):
        (folder / side).mkdir()
        for name, text in files.items():
            (folder / side / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / side / name).write_text(text)
    args = [word.replace("{DIR}", str(folder / "head")) for word in story.args[1:]]
    asked = ["--kubernetes-version", story.version, "-o", "json", "--show-secrets"]
    argv = ["plan", *args, "--against", f"dir:{folder / 'base'}", *asked]
    started = time.perf_counter()
    with redirect_stdout(io.StringIO()) as out, redirect_stderr(io.StringIO()) as err:
        command("applylint", argv)
    return Answer(out.getvalue(), err.getvalue(), time.perf_counter() - started)


def shares(results: Iterable[Scored]) -> Groups:
    """Return the share of right answers of each metric over all and for each way to apply."""
    return shares_of((one.story.form, one.judgements) for one in results)


def summary(results: Sequence[Scored], groups: Groups) -> Mapping[str, float | int]:
    """Return the figures over all, with the number of cases and of crashes, and the slowest case in seconds."""
    return {
        "cases": len(results),
        "crashes": sum(bool(scored.crash) for scored in results),
        "slowest": round(max((scored.seconds for scored in results), default=0), 2),
        **{metric: round(groups[metric, "all"].ratio, 4) for metric in METRICS if (metric, "all") in groups},
    }


def table(groups: Groups) -> str:
    """Return one line a metric."""
    forms = sorted({form for _, form in groups}, key=lambda form: (form != "all", form))
    rows = [
        (metric, [f"{form} {groups[metric, form]}" for form in forms if (metric, form) in groups]) for metric in METRICS
    ]
    return "\n".join(f"{metric:8s} {'  '.join(cells)}" for metric, cells in rows)


def examples(results: Iterable[Scored]) -> Iterator[str]:
    """Yield the cases that were predicted wrongly, each with what differs."""
    for scored in results:
        wrong = [each.why for found in scored.judgements.values() for each in found if not each.right and each.why]
        if wrong or scored.crash:
            story = scored.story
            heading = {"id": story.id, "form": story.form, "stderr": story.head.stderr[-300:], "wrong": wrong}
            yield json.dumps({**heading, "crash": scored.crash}, default=str)[:_LINE] + " \n"


def main(argv: Sequence[str] | None = None) -> int:
    """Score recordings as the command line says; return the exit code."""
    options = _parser().parse_args(argv)
    stories = (story for file in options.files for story in read_stories(file))
    chosen = (one for one in stories if options.form in ("", one.form) and one.id.startswith(options.id))
    results = [score(story) for story in islice(chosen, options.limit)]
    groups = shares(results)
    for example in islice(examples(results), options.show):
        print(example)
    figures = summary(results, groups)
    if not options.json:
        print(table(groups))
    print(json.dumps(figures))
    short = below(groups, options.floor)
    if options.floor and figures["crashes"]:
        short.append(f"{figures['crashes']} crashes")
    if short:
        print("short: " + "; ".join(short))
    return 1 if short else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("files", nargs="+", type=Path, help="recordings")
    add("--form", default="", help="only cases that were applied so: plain, recursive, prune-selector, applyset, …")
    add("--id", default="", help="only cases whose id begins so")
    add("--limit", type=int, metavar="N", help="only the first N")
    add("--show", type=int, default=0, metavar="N", help="print N wrong predictions")
    add("--json", action="store_true", help="print nothing but the figures")
    add("--floor", type=floors, default={}, metavar="METRIC=SHARE,…", help="end with 1 below it, or at a crash")
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
