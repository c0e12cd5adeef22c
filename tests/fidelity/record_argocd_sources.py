"""Records what the repository server of Argo CD renders of random Applications, and compares it with applylint.

    python -m tests.fidelity.record_argocd_sources --seed anything --cases 400             # compares
    python -m tests.fidelity.record_argocd_sources --seed anything --cases 30 --out FILE   # records as well

Helm 4 and kubectl have to be on the PATH.
"""

import argparse
import gzip
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from kubectl_applylint.core.values import JsonObject
from tests.cluster.argocd_repository_program import argocd_repository_program, rendered_sources
from tests.fidelity.argocd_renders import difference
from tests.fidelity.argocd_sources import questions

RECORDED = Path(__file__).parent / "argocd-sources.jsonl.gz"


def read_recording() -> list[tuple[JsonObject, JsonObject]]:
    """Return the recorded questions with their answers."""
    with gzip.open(RECORDED, "rt", encoding="utf-8") as lines:
        return [tuple(json.loads(line)) for line in lines]


def main(argv: Sequence[str] | None = None) -> int:
    """Ask the program, print the number of equal answers, and return 1 if one differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--cases", type=int, default=400)
    parser.add_argument("--out", type=Path)
    arguments = parser.parse_args(argv)
    asked = [*questions(arguments.seed, arguments.cases)]
    pairs = [*zip(asked, rendered_sources(argocd_repository_program(os.environ), asked), strict=True)]
    if arguments.out:
        text = "".join(json.dumps(pair, sort_keys=True) + "\n" for pair in pairs)
        arguments.out.write_bytes(gzip.compress(text.encode(), mtime=0))
    faults = [(number, found) for number, pair in enumerate(pairs) if (found := difference(*pair))]
    sources = [source for _, answer in pairs for source in answer["sources"] or []]
    objects = sum(len(source["objects"] or []) for source in sources)
    rejected = sum(bool(answer["error"] or any(one["error"] for one in answer["sources"])) for _, answer in pairs)
    print(f"{len(pairs) - len(faults)} of {len(pairs)} equal; {objects} objects; {rejected} Applications are rejected")
    for number, found in faults:
        print(f"  {number}: {found}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
