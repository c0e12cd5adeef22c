"""Records what the libraries of the helm-controller render of random HelmReleases, and compares it with applylint.

    python -m tests.fidelity.record_flux_releases --seed anything --cases 300              # compares
    python -m tests.fidelity.record_flux_releases --seed anything --cases 30 --out FILE    # records as well

``--cases`` is the number of HelmReleases; there are ten times as many questions about values alone. Helm 4 and kubectl
have to be on the PATH.
"""

import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from kubectl_applylint.core.values import JsonObject
from tests.cluster.flux_build_program import answers
from tests.cluster.flux_release_program import flux_release_program
from tests.fidelity.flux_releases import difference, is_same_values, questions, value_questions
from tests.fidelity.pairs import parse_arguments, write_pairs

RECORDED = Path(__file__).parent / "flux-releases.jsonl.gz"


def all_questions(seed: str, cases: int) -> Iterator[JsonObject]:
    """Yield questions about releases, then about values alone."""
    yield from questions(seed, cases)
    yield from value_questions(seed, 10 * cases)


def fault(question: JsonObject, answer: JsonObject) -> str:
    """Return what differs from an answer, empty for nothing."""
    if "chart" in question:
        return difference(question, answer)
    return "" if is_same_values(question, answer) else "values"


def main(argv: Sequence[str] | None = None) -> int:
    """Ask the program, print the number of equal answers, and return 1 if one differs."""
    arguments = parse_arguments(argv, __doc__, 300)
    asked = list(all_questions(arguments.seed, arguments.cases))
    pairs = list(zip(asked, answers(flux_release_program(os.environ), asked), strict=True))
    if arguments.out:
        write_pairs(arguments.out, pairs)
    faults = [(number, found) for number, pair in enumerate(pairs) if (found := fault(*pair))]
    rejected = sum(bool(answer["stage"]) for _, answer in pairs[: arguments.cases])
    print(f"{len(pairs) - len(faults)} of {len(pairs)} equal; {rejected} of {arguments.cases} releases are rejected")
    for number, found in faults:
        print(f"  {number}: {found}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
