"""``python -m bench``: measure and print a table; 1 where something takes longer than it may.

The first start builds a real API server and kubectl, which takes some minutes.
"""

import argparse
import os
import tempfile
from collections.abc import Sequence
from pathlib import Path

from bench import figures
from bench.table import table
from tests.cluster.cluster import start_cluster


def main(argv: Sequence[str] | None = None) -> int:
    """Print the table and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m bench", description="Measure how long things take.")
    parser.add_argument("--count", type=int, default=200, help="number of objects (200)")
    parser.add_argument("--runs", type=int, default=3, help="how often each command runs; the best run counts (3)")
    parser.add_argument(
        "--files", type=int, nargs="+", default=[100, 1000, 10_000], help="sizes of repositories (100 1000 10000)"
    )
    asked = parser.parse_args(argv)
    with tempfile.TemporaryDirectory() as folder, start_cluster(os.environ) as cluster:
        namespace = cluster.make_namespace()
        found = [
            *figures.local(Path(folder), count=asked.count, runs=asked.runs),
            figures.predictions(asked.count),
            *figures.large(Path(folder), count=figures.MANY_FILES, runs=asked.runs),
            *figures.monorepo(Path(folder), os.environ, counts=asked.files, runs=asked.runs),
            *figures.releases(Path(folder), count=figures.FLUX_APPLICATIONS, runs=asked.runs),
            *figures.fleets(Path(folder), figures.FLEET, runs=1),
            *figures.live(cluster, namespace, Path(folder), count=asked.count, runs=asked.runs),
        ]
        cluster.drop_namespace(namespace)
    print(table(found), end="")
    return 0 if all(figure.met for figure in found) else 1


if __name__ == "__main__":
    raise SystemExit(main())
