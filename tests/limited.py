"""Runs the program as a user does, with bounds on time and memory, so that what hangs fails its own test."""

import resource
import subprocess
import sys
from pathlib import Path

SECONDS = 30
"""Of processor time; what is run here takes a second or two."""
MEBIBYTES = 1024


def run_limited(
    *arguments: str, cwd: Path, stdin: bytes = b"", mebibytes: int = MEBIBYTES
) -> subprocess.CompletedProcess[str]:
    """Run ``applylint`` in ``cwd``; the bounds end it with a negative return code, or with a ``MemoryError``."""

    def bound() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
        resource.setrlimit(resource.RLIMIT_AS, (mebibytes * 2**20,) * 2)

    run = subprocess.run(
        [sys.executable, "-m", "kubectl_applylint", *arguments],
        cwd=cwd,
        input=stdin,
        capture_output=True,
        timeout=10 * SECONDS,
        check=False,
        preexec_fn=bound,
    )
    return subprocess.CompletedProcess(run.args, run.returncode, run.stdout.decode(), run.stderr.decode())
