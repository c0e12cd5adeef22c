"""The time that a command takes."""

import os
import resource
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path


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
    """Return this process's environment, with compiled modules kept in ``folder`` as an installation keeps them."""
    rest = {name: text for name, text in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**rest, "PYTHONPYCACHEPREFIX": str(folder / "compiled")}
