"""Records what Argo CD generates from random ApplicationSets, and compares it with applylint.

python -m tests.fidelity.record_argocd_sets --seed anything --cases 500             # compares
python -m tests.fidelity.record_argocd_sets --seed anything --cases 100 --out FILE   # records as well
"""

import json
import os
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from tests.cluster.argocd_sets_program import argocd_sets_program, generate
from tests.fidelity.argocd_set_answers import Score, score
from tests.fidelity.argocd_sets import random_sets
from tests.fidelity.pairs import parse_arguments, write_pairs

RECORDED = Path(__file__).parent / "argocd-sets.jsonl.gz"


def main(argv: Sequence[str] | None = None) -> int:
    """Ask the program, print the scores, and return 1 if one differs."""
    arguments = parse_arguments(argv, __doc__, 500)
    asked = [*random_sets(arguments.seed, arguments.cases)]
    pairs = [*zip(asked, generate(argocd_sets_program(os.environ), asked), strict=True)]
    if arguments.out:
        write_pairs(arguments.out, pairs)
    scores = [score(*pair) for pair in pairs]
    rejected = sum(bool(answer["error"]) for _, answer in pairs)
    print(f"{len(pairs)} sets; Argo CD rejects {rejected} of them")
    for name, number in Counter(scores).items():
        print(f"  {number} {name.value}")
    for number, one in enumerate(scores):
        if one is Score.DIFFERENT:
            print(f"  {number}: {json.dumps(pairs[number])[:2000]}")
    return 1 if Score.DIFFERENT in scores else 0


if __name__ == "__main__":
    sys.exit(main())
