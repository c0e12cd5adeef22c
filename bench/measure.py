"""The time that a command takes."""

import os
import resource
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
    """What one run of a command took: seconds on the clock, and seconds of work in the processes that it started."""

    wall: float
    work: float


def best_of(runs: int, command: Sequence[str], environment: Mapping[str, str], *, folder: Path = Path()) -> Cost:
    """Run a command ``runs`` times in a folder and return the least that each figure came to; its output is lost."""
    costs = [_cost(command, environment, folder) for _ in range(runs)]
    return Cost(wall=min(cost.wall for cost in costs), work=min(cost.work for cost in costs))


def _cost(command: Sequence[str], environment: Mapping[str, str], folder: Path) -> Cost:
    before, started = _work(), time.perf_counter()
    quiet = subprocess.DEVNULL
    subprocess.run(command, cwd=folder, env=environment, stdout=quiet, stderr=quiet, check=False)
    return Cost(time.perf_counter() - started, _work() - before)


def _work() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def like_installed(folder: Path) -> dict[str, str]:
    """Return this environment, in which the program is what a wheel holds: built and compiled in ``folder``."""
    built = folder / "built"
    if not built.is_dir():
        command = [sys.executable, "setup.py", "-q", "build_py", "--build-lib", str(built)]
        subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    rest = {name: text for name, text in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**rest, "PYTHONPATH": str(built), "PYTHONSAFEPATH": "1", "PYTHONPYCACHEPREFIX": str(folder / "compiled")}
