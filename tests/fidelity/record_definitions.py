"""Records applies of custom resources whose manifests were changed as people change them.

    python -m tests.fidelity.record_definitions --seed anything --cases 400 --bases DIRECTORY --out more.jsonl.gz

``DIRECTORY`` has the definitions and examples of their kinds. Each kind is drawn equally often. A case is recorded as
``tests.fidelity.record`` does; ``tests.fidelity.usual_edits`` draws the change.
"""

import argparse
import json
import os
import time
from collections.abc import Iterator, Sequence
from itertools import count, islice
from pathlib import Path
from random import Random

from kubectl_applylint.core.values import JsonObject
from tests.cluster.cluster import start_cluster
from tests.fidelity.edits import donors
from tests.fidelity.manifests import load_all
from tests.fidelity.record import Draw, definitions, is_drawn, record_cases, recording_head, studio, write
from tests.fidelity.usual_edits import usual_edits, version_schema


def usual_draws(seed: str, bases: Sequence[JsonObject], crds: Sequence[JsonObject]) -> Iterator[Draw]:
    """Yield the beginnings of cases without end: an example of a kind and a usual change of it."""
    by_kind: dict[tuple[str, str], list[JsonObject]] = {}
    for base in bases:
        by_kind.setdefault((base["apiVersion"], base["kind"]), []).append(base)
    given = {key: donors(examples) for key, examples in by_kind.items()}
    crd_of = {(crd["spec"]["group"], crd["spec"]["names"]["kind"]): crd for crd in crds}
    for number in count(1):
        rng = Random(f"{seed}:{number}")
        api_version, kind = key = rng.choice(sorted(by_kind))
        base = rng.choice(by_kind[key])
        schema = version_schema(crd_of[api_version.partition("/")[0], kind], api_version)
        changed, _ = usual_edits(rng, base, schema, given[key])
        yield Draw(f"{seed}-{number}", rng, base, changed)


def main(argv: Sequence[str] | None = None) -> int:
    """Record as the command line says; return the exit code."""
    options = _parser().parse_args(argv)
    objects = load_all([options.bases])
    crds = definitions(objects)
    started_at = time.monotonic()
    with start_cluster(os.environ) as cluster, studio(cluster, objects) as here:
        bases = [item for item in objects if item not in crds and is_drawn(item, here.resources, ())]
        cases = record_cases(here, usual_draws(options.seed, bases, crds))
        counts = write(options.out, recording_head(here, options.seed, objects), islice(cases, options.cases))
    print(json.dumps({**counts, "seconds": round(time.monotonic() - started_at)}))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--seed", default="usual", help="any text; the same cases for the same text")
    add("--cases", type=int, default=400, help="the number of cases to record, about 5 a second")
    add("--out", type=Path, required=True, help="the recording, *.jsonl.gz")
    add("--bases", type=Path, required=True, help="a directory with definitions and examples of their kinds")
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
