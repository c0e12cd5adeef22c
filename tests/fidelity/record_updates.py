"""Records what Metacontroller's own packages make of observed children.

    python -m tests.fidelity.record_updates --seed m1 --cases 400 --out metacontroller-updates.jsonl.gz

Each line is a list: the observed child, what a hook wants, and the answer, ``updated`` or ``error``.
"""

import argparse
import os
from collections.abc import Sequence
from pathlib import Path

from tests.cluster.metacontroller_programs import metacontroller_programs
from tests.fidelity.updates import drawn, real_updates, save


def main(argv: Sequence[str] | None = None) -> None:
    """Write the file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", required=True)
    parser.add_argument("--cases", type=int, required=True)
    parser.add_argument("--out", type=Path, required=True)
    asked = parser.parse_args(argv)
    program = metacontroller_programs(os.environ) / "update"
    save(list(real_updates(program, drawn(asked.seed, asked.cases))), asked.out)


if __name__ == "__main__":
    main()
