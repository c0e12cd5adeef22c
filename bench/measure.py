"""The time that a command takes."""

import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parent.parent


@dataclass(frozen=True, slots=True)
class Cost:
    """What one run of a command took: seconds on the clock, and seconds of work in it and the processes it started.

    ``memory`` are the bytes that the largest of these processes had at most.
    """

    wall: float
    work: float
    memory: int = 0


def best_of(runs: int, command: Sequence[str], environment: Mapping[str, str], *, folder: Path = Path()) -> Cost:
    """Run a command ``runs`` times in a folder and return the least that each figure came to; its output is lost."""
    costs = [_cost(command, environment, folder) for _ in range(runs)]
    memory = min(cost.memory for cost in costs)
    return Cost(wall=min(cost.wall for cost in costs), work=min(cost.work for cost in costs), memory=memory)


def _cost(command: Sequence[str], environment: Mapping[str, str], folder: Path) -> Cost:
    started, quiet = time.perf_counter(), subprocess.DEVNULL
    process = subprocess.Popen(command, cwd=folder, env=environment, stdout=quiet, stderr=quiet)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return Cost(time.perf_counter() - started, used.ru_utime + used.ru_stime, used.ru_maxrss * 1024)


def like_installed(folder: Path) -> dict[str, str]:
    """Return this environment, in which the program is what a wheel holds: built and compiled in ``folder``."""
    built = folder / "built"
    if not built.is_dir():
        command = [sys.executable, "setup.py", "-q", "build_py", "--build-lib", str(built)]
        subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    rest = {name: text for name, text in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**rest, "PYTHONPATH": str(built), "PYTHONSAFEPATH": "1", "PYTHONPYCACHEPREFIX": str(folder / "compiled")}
