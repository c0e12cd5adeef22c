"""Exceptions and messages that a limit of the system has caused."""

import errno
import os

import pytest

from kubectl_applylint.core.shortage import remedy, shortage


def in_a_pool() -> AttributeError:
    """Return the exception of a pool in which a thread did not start."""
    fault = AttributeError("'DummyProcess' object has no attribute 'terminate'")
    fault.__context__ = RuntimeError("can't start new thread")
    return fault


@pytest.mark.parametrize(
    ("fault", "message", "limit"),
    [
        (MemoryError(), "out of memory; ", "ulimit -v"),
        (OSError(errno.ENOMEM, os.strerror(errno.ENOMEM)), "Cannot allocate memory; ", "ulimit -v"),
        (OSError(errno.EMFILE, os.strerror(errno.EMFILE)), "Too many open files; ", "ulimit -n"),
        (RuntimeError("can't start new thread"), "can't start new thread; ", "ulimit -u"),
        (BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN)), "Resource temporarily unavailable; ", "ulimit -u"),
        (in_a_pool(), "can't start new thread; ", "ulimit -u"),
    ],
    ids=["memory", "memory of the system", "files", "threads", "processes", "a pool of threads"],
)
def test_a_limit_is_named_that_was_reached(fault: BaseException, message: str, limit: str) -> None:
    assert shortage(fault).startswith(message)
    assert limit in shortage(fault)


@pytest.mark.parametrize(
    "fault", [ValueError("out of memory"), RuntimeError("odd"), OSError(28, "No space left on device"), OSError()]
)
def test_other_exceptions_have_other_causes(fault: BaseException) -> None:
    assert shortage(fault) == ""


def test_messages_of_programs_are_recognized() -> None:
    assert "ulimit -v" in remedy("fatal: Out of memory, malloc failed (tried to allocate 53 bytes)")
    assert remedy("fatal: bad object HEAD") == ""
