"""Measures the duration of work."""

import time
from collections.abc import Callable
from typing import TypeVar

Made = TypeVar("Made")


def measure(work: Callable[[], Made]) -> tuple[Made, float]:
    """Return the result of ``work``, and its duration in seconds."""
    begin = time.perf_counter()
    made = work()
    return made, time.perf_counter() - begin
