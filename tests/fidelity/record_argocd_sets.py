"""Records what Argo CD generates from random ApplicationSets, and compares it with applylint.

python -m tests.fidelity.record_argocd_sets --seed anything --cases 500             # compares
python -m tests.fidelity.record_argocd_sets --seed anything --cases 100 --out FILE   # records as well
"""

import argparse
import gzip
import json
import os
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from kubectl_applylint.core.values import JsonObject
from tests.cluster.argocd_sets_program import argocd_sets_program, generated
from tests.fidelity.argocd_set_answers import Score, score
from tests.fidelity.argocd_sets import random_sets

RECORDED = Path(__file__).parent / "argocd-sets.jsonl.gz"


def read_recording() -> list[tuple[JsonObject, JsonObject]]:
    """Return the recorded sets with their answers."""
    with gzip.open(RECORDED, "rt", encoding="utf-8") as lines:
        return [tuple(json.loads(line)) for line in lines]


def main(argv: Sequence[str] | None = None) -> int:
    """Ask the program, print the scores, and return 1 if one differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--cases", type=int, default=500)
    parser.add_argument("--out", type=Path)
    arguments = parser.parse_args(argv)
    asked = [*random_sets(arguments.seed, arguments.cases)]
    pairs = [*zip(asked, generated(argocd_sets_program(os.environ), asked), strict=True)]
    if arguments.out:
        text = "".join(json.dumps(pair, sort_keys=True) + "\n" for pair in pairs)
        arguments.out.write_bytes(gzip.compress(text.encode(), mtime=0))
    scores = [score(*pair) for pair in pairs]
    rejected = sum(bool(answer["error"]) for _, answer in pairs)
    print(f"{len(pairs)} sets, of which Argo CD rejects {rejected}")
    for name, number in Counter(scores).items():
        print(f"  {number} {name.value}")
    for number, one in enumerate(scores):
        if one is Score.DIFFERENT:
            print(f"  {number}: {json.dumps(pairs[number])[:2000]}")
    return 1 if Score.DIFFERENT in scores else 0


if __name__ == "__main__":
    sys.exit(main())
