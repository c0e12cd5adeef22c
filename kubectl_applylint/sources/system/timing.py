"""How long work takes."""

import time
from collections.abc import Callable
from typing import TypeVar

Made = TypeVar("Made")


def measure(work: Callable[[], Made]) -> tuple[Made, float]:
    """Return what work makes, and how many seconds it took."""
    begin = time.perf_counter()
    made = work()
    return made, time.perf_counter() - begin
