"""Failures caused by a limit of the system: memory, open files, processes. They are not defects."""

from collections.abc import Iterator, Mapping
from typing import Final

_MEMORY: Final = "increase the memory limit (ulimit -v, or that of the container), or check fewer files at once"
_FILES: Final = "increase the limit of open files (ulimit -n)"
_PROCESSES: Final = "increase the limits of processes and memory (ulimit -u, ulimit -v)"
_REMEDIES: Final[Mapping[str, str]] = {
    "out of memory": _MEMORY,
    "cannot allocate memory": _MEMORY,
    "too many open files": _FILES,
    "can't start new thread": _PROCESSES,
    "resource temporarily unavailable": _PROCESSES,
}


def remedy(message: str) -> str:
    """Return which limit to increase, from a message of the system or of a program; empty for other messages."""
    return next((advice for words, advice in _REMEDIES.items() if words in message.lower()), "")


def shortage(fault: BaseException) -> str:
    """Return the message and the advice for an exception that a limit caused; empty for other exceptions."""
    messages = (message for message in map(_message, causes(fault)) if remedy(message))
    return next((f"{message}; {remedy(message)}" for message in messages), "")


def causes(fault: BaseException) -> Iterator[BaseException]:
    """Yield an exception and its causes, since a thread pool fails again when it ends its threads."""
    current: BaseException | None = fault
    while current is not None:
        yield current
        current = current.__cause__ or current.__context__


def _message(fault: BaseException) -> str:
    match fault:
        case MemoryError():
            return "out of memory"
        case OSError():
            return fault.strerror or ""
        case RuntimeError():
            return str(fault)
        case _:
            return ""
