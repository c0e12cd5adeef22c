"""Records what the repository server of Argo CD renders of random Applications, and compares it with applylint.

    python -m tests.fidelity.record_argocd_sources --seed anything --cases 400             # compares
    python -m tests.fidelity.record_argocd_sources --seed anything --cases 30 --out FILE   # records as well

Helm 4 and kubectl have to be on the PATH.
"""

import os
import sys
from collections.abc import Sequence
from pathlib import Path

from tests.cluster.argocd_repository_program import argocd_repository_program, rendered_sources
from tests.fidelity.argocd_renders import difference
from tests.fidelity.argocd_sources import questions
from tests.fidelity.pairs import parse_arguments, write_pairs

RECORDED = Path(__file__).parent / "argocd-sources.jsonl.gz"


def main(argv: Sequence[str] | None = None) -> int:
    """Ask the program, print the number of equal answers, and return 1 if one differs."""
    arguments = parse_arguments(argv, __doc__, 400)
    asked = [*questions(arguments.seed, arguments.cases)]
    pairs = [*zip(asked, rendered_sources(argocd_repository_program(os.environ), asked), strict=True)]
    if arguments.out:
        write_pairs(arguments.out, pairs)
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
