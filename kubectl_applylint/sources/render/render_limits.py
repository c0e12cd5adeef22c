"""Limits for the time, memory and output of rendering programs."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

from kubectl_applylint.core.records import dataclass

MEBIBYTE: Final = 1 << 20
MEMORY_PATTERN: Final = "[1-9][0-9]{0,5}(Mi|Gi)"
MOST_OUTPUT: Final = 64 * MEBIBYTE
"""Maximum output of a program in bytes; a rendered file of more than 32 MiB is not examined."""


@dataclass(frozen=True, slots=True)
class RenderLimits:
    """The limits of one program: its timeout in seconds (0 for none), and its memory."""

    seconds: float = 120.0
    mebibytes: int = 2048


DEFAULTS: Final = RenderLimits()
_limits: Final = ContextVar("limits", default=DEFAULTS)


def mebibytes_of(memory: str) -> int:
    """Return an amount of memory in MiB; raises ``ValueError`` for invalid text."""
    if not re.fullmatch(MEMORY_PATTERN, memory):
        raise ValueError(f"{memory!r} is not an amount of memory such as 512Mi or 2Gi")
    return int(memory[:-2]) * (1024 if memory.endswith("Gi") else 1)


def render_limits() -> RenderLimits:
    """Return the limits that are in effect."""
    return _limits.get()


@contextmanager
def use_limits(limits: RenderLimits) -> Iterator[None]:
    """Apply limits until the block ends."""
    before = _limits.set(limits)
    try:
        yield
    finally:
        _limits.reset(before)
