"""Records what other appliers than kubectl do with sets of objects on a real API server.

    python -m tests.fidelity.record_appliers --applier helm3 --seed h1 --cases 60 --out helm3.jsonl.gz

Each case has a namespace of its own: a chart is installed, others write to its objects, the chart changes, and the
release is upgraded, perhaps once more, or rolled back. Kept is one line a call of Helm: the release's history, the
rendered objects, flags, exit code, message, and every object concerned before and after (null: not there).
Of each applier there is a module: ``helm_stories``, ``helm_controller_stories``, ``flux_stories`` and so on.
"""

import argparse
import gzip
import json
import os
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from random import Random

from kubectl_applylint.core.values import JsonObject
from tests.cluster import argocd_program, flux_program, helm_controller_program, kapp_program
from tests.cluster.api import discover
from tests.cluster.cluster import Cluster, start_cluster
from tests.cluster.crds import install, uninstall
from tests.cluster.helm_programs import HELMS, helm_program
from tests.fidelity import argocd_stories, flux_stories, helm_controller_stories, helm_stories, kapp_stories
from tests.fidelity.charts import CasePlan, Stock
from tests.fidelity.edits import donors
from tests.fidelity.manifests import BASES, load_all
from tests.fidelity.record import definitions
from tests.fidelity.studio import Recorder, Studio, others_create, others_write, sweep


def record(studio: Studio, plan: CasePlan, applier: str) -> Iterator[JsonObject]:
    """Let a case happen, clean up, and yield the calls of ``applier`` as recordings keep them.

    Without those whose chart Helm cannot render: there is nothing to predict of them.
    """
    rng, recorder = Random(f"others:{plan.id}"), RECORDERS[applier]
    stories: list[JsonObject] = []
    studio.cluster.post("/api/v1/namespaces", {"metadata": {"name": plan.namespace}})
    try:
        for number, call in enumerate(plan.calls):
            if number:
                others_write(studio, rng, plan)
            others_create(studio, plan, number, recorder)
            stories.append({"id": f"{plan.id}/{number}", **recorder.called(studio, plan, call, stories)})
            if call.program == applier and stories[-1]["chart"] is not None:
                yield stories[-1]
            if number == 0 and stories[-1]["exit"]:
                return
    finally:
        studio.cluster.delete(helm_stories.releases(plan.namespace))
        sweep(studio, plan)


RECORDERS: Mapping[str, Recorder] = {
    **dict.fromkeys(HELMS, helm_stories.RECORDER),
    helm_controller_program.NAME: helm_controller_stories.RECORDER,
    flux_program.NAME: flux_stories.RECORDER,
    kapp_program.NAME: kapp_stories.RECORDER,
    argocd_program.NAME: argocd_stories.RECORDER,
}
"""By applier."""


def record_calls(studio: Studio, applier: str, seed: str, cases: int) -> Iterator[JsonObject]:
    """Record a number of cases and yield their calls."""
    for number in range(1, cases + 1):
        yield from record(studio, RECORDERS[applier].plan_case(studio.stock, applier, seed, number), applier)


def write(file: Path, head: JsonObject, stories: Iterable[JsonObject]) -> Counter[str]:
    """Write a recording and return how many calls of each action succeeded and failed."""
    counts: Counter[str] = Counter()
    with gzip.open(file, "wt", encoding="utf-8") as out:
        out.write(json.dumps(head) + "\n")
        for story in stories:
            out.write(json.dumps(story) + "\n")
            counts[f"{story['action']} {'failed' if story['exit'] else 'succeeded'}"] += 1
    return counts


def main(argv: Sequence[str] | None = None) -> int:
    """Record as the command line says; return the exit code."""
    options = _parser().parse_args(argv)
    bases = load_all(options.bases)
    began = time.monotonic()
    with start_cluster(os.environ) as cluster:
        installed = install(cluster.api, definitions(bases))
        try:
            here = studio(cluster, bases, options.applier)
            head = {
                "server": cluster.version,
                "applier": options.applier,
                **({"helm": HELMS[options.applier].version} if options.applier in HELMS else {}),
                "seed": options.seed,
                "crds": definitions(bases),
            }
            counts = write(options.out, head, record_calls(here, options.applier, options.seed, options.cases))
        finally:
            uninstall(cluster.api, installed)
    print(json.dumps({**counts, "seconds": round(time.monotonic() - began)}))
    return 0


def studio(cluster: Cluster, bases: Sequence[JsonObject], applier: str) -> Studio:
    """Return a studio for ``applier``, on a cluster that serves the custom resources among ``bases``."""
    resources = discover(cluster.api)
    served = [item for item in bases if (item["apiVersion"], item["kind"]) in resources]
    return Studio(cluster, Stock(resources, served, donors(served)), _programs(applier))


def _programs(applier: str) -> Mapping[str, Path]:
    """Return the programs of an applier's stories; those of Helm 4 and helm-controller may begin with an older Helm."""
    helms = {helm: helm_program(helm, os.environ) for helm in HELMS}
    if applier in HELMS:
        return helms
    if applier == helm_controller_program.NAME:
        return {**helms, applier: helm_controller_program.helm_controller_program(os.environ)}
    built = {
        flux_program.NAME: flux_program.flux_program,
        argocd_program.NAME: argocd_program.argocd_program,
        kapp_program.NAME: kapp_program.kapp_program,
    }
    return {applier: built[applier](os.environ)}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--applier", choices=tuple(RECORDERS), required=True, help="whose calls to record")
    add("--seed", default="0", help="any text; the same cases for the same text")
    add("--cases", type=int, default=50, help="how many cases to record, about one in four seconds")
    add("--out", type=Path, required=True, help="the recording, *.jsonl.gz")
    add("--bases", type=Path, nargs="+", default=[BASES], help="files or folders of manifests to draw from")
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
