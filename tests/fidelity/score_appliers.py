"""Scores what is predicted of calls of other appliers than kubectl against recordings.

    python -m tests.fidelity.score_appliers tests/fidelity/helm3.jsonl.gz --show 5

Ends with 1 when a floor is missed. ``tests.fidelity.set_calls`` says what each figure compares.
"""

import argparse
import gzip
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path

from tests.fidelity import argocd_calls, flux_calls, helm_calls, kapp_calls
from tests.fidelity.score import Groups, below, floors, shares_of
from tests.fidelity.set_calls import METRICS, ScoredCall

_LINE = 2500


def score_file(file: Path, stride: int = 1) -> Iterator[ScoredCall]:
    """Yield every call of a recording, or each that many further, with its figures."""
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        applier = json.loads(next(lines))["applier"]
    if applier == flux_calls.NAME:
        found = flux_calls.read_recording(file)
        return flux_calls.score_recording(replace(found, calls=found.calls[::stride]))
    if applier == kapp_calls.NAME:
        deploys = kapp_calls.read_recording(file)
        return kapp_calls.score_recording(replace(deploys, calls=deploys.calls[::stride]))
    if applier == argocd_calls.NAME:
        synced = argocd_calls.read_recording(file)
        return argocd_calls.score_recording(replace(synced, calls=synced.calls[::stride]))
    recording = helm_calls.read_recording(file)
    return helm_calls.score_recording(replace(recording, calls=recording.calls[::stride]))


def shares(results: Iterable[ScoredCall]) -> Groups:
    """Return the share of right answers of each metric over all and for each action."""
    return shares_of((str(one.call.action), one.judgements) for one in results)


def table(groups: Groups, metrics: Sequence[str] = METRICS) -> str:
    """Return one line a metric."""
    names = sorted({name for _, name in groups})
    rows = [
        (metric, [f"{name} {groups[metric, name]}" for name in names if (metric, name) in groups]) for metric in metrics
    ]
    return "\n".join(f"{metric:8s} {'  '.join(cells)}" for metric, cells in rows)


def examples(results: Iterable[ScoredCall], metric: str = "") -> Iterator[str]:
    """Yield the calls that were predicted wrongly, each with what differs; of ``metric`` alone if it is not empty."""
    for result in results:
        wrong = {name: [each.why for each in found if not each.right] for name, found in result.judgements.items()}
        shown = {name: why for name, why in wrong.items() if why and metric in ("", name)}
        if shown or result.crash:
            heading = {"id": result.call.id, "action": result.call.action, "flags": result.call.flags, **shown}
            yield json.dumps({**heading, "crash": result.crash[-900:]}, default=str)[:_LINE] + " \n"


def main(argv: Sequence[str] | None = None) -> int:
    """Score recordings as the command line says; return the exit code."""
    options = _parser().parse_args(argv)
    results = [result for file in options.files for result in score_file(file)]
    groups = shares(results)
    for example in islice(examples(results, options.metric), options.show):
        print(example)
    print(table(groups))
    crashes = sum(bool(result.crash) for result in results)
    print(json.dumps({"calls": len(results), "crashes": crashes}))
    short = [*below(groups, options.floor), *([f"{crashes} crashes"] if crashes else [])]
    if short:
        print("short: " + "; ".join(short))
    return 1 if short else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("files", nargs="+", type=Path, help="recordings")
    add("--show", type=int, default=0, metavar="N", help="print N wrong predictions")
    add("--metric", default="", choices=METRICS, help="of these only such as are wrong in this figure")
    add("--floor", type=floors, default={}, metavar="METRIC=SHARE,…", help="end with 1 below it, or at a crash")
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
