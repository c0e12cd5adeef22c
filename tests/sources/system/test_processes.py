"""Work on all cores: the same result, whatever happens to the workers."""

import json
import subprocess
import sys
import threading

import pytest

from kubectl_applylint.sources.system.processes import LEAST, map_in_processes

# Copies are made only of a process without threads, which that of the test need not be.
_SCRIPT = """
import gc, json, os, time
from functools import partial
from kubectl_applylint.sources.system import processes
from kubectl_applylint.sources.system.processes import LEAST, map_in_processes

processes.cores = lambda: 2
many, here = range(2 * LEAST), os.getpid()
spread = partial(map_in_processes, applies=2 * LEAST)

def only_here(item):
    if os.getpid() != here:
        os.kill(os.getpid(), 9)
    return item

def slow(item):
    time.sleep(0.01)
    return os.getpid()

def fault():
    try:
        return spread(lambda item: 1 // (item - 1), many)
    except ZeroDivisionError as fault:
        return str(fault)

print(json.dumps({
    "processes": len(set(spread(slow, many))),
    "little": len(set(spread(lambda item: os.getpid(), many, applies=2 * LEAST - 1))),
    "one": len(spread(lambda item: os.getpid(), many[:1])),
    "none": spread(lambda item: os.getpid(), []),
    "squares": spread(lambda item: item * item, many) == [item * item for item in many],
    "more": spread(lambda item: item * item, range(2000)) == [item * item for item in range(2000)],
    "much": sum(map(len, spread(lambda item: str(item) * 10000, many))),
    "last": spread(slow, many)[-1] == here,
    "killed": spread(only_here, many) == list(many),
    "unfit": len(spread(lambda item: lambda: item, many)),
    "fault": fault(),
    "frozen": gc.get_freeze_count(),
    "left": open(f"/proc/{here}/task/{here}/children").read(),
}))
"""


_KILLED = """
import os, sys, time
from kubectl_applylint.sources.system import processes

processes.cores = lambda: 3
here = os.getpid()

def work(item):
    os.write(1, f"{os.getpid()}\\n".encode())
    if os.getpid() == here:
        time.sleep(0.2)
        os.kill(here, 9)
    time.sleep(float(sys.argv[1]))
    return "x" * 1_000_000

processes.map_in_processes(lambda item: work(item) if item else item, [*range(60), 0], applies=60 * processes.LEAST)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="processes are not copied elsewhere")
@pytest.mark.parametrize("seconds", ["0.01", "1"], ids=["in a write", "at work"])
def test_copies_end_with_a_parent_that_is_killed(seconds: str) -> None:
    """The pipes close when the last process ends: a copy that does not end holds standard output open."""
    done = subprocess.run([sys.executable, "-c", _KILLED, seconds], stdout=subprocess.PIPE, timeout=20, check=False)

    assert done.returncode == -9
    assert len(set(done.stdout.split())) > 1


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere nothing tells of processes that are left")
def test_copies_take_their_share_and_nothing_depends_on_them() -> None:
    done = subprocess.run([sys.executable, "-c", _SCRIPT], capture_output=True, text=True, check=True)

    assert done.stderr == ""
    assert json.loads(done.stdout) == {
        "processes": 2,
        "little": 1,
        "one": 1,
        "none": [],
        "squares": True,
        "more": True,
        "much": sum(len(str(item)) * 10000 for item in range(2 * LEAST)),
        "last": True,
        "killed": True,
        "unfit": 2 * LEAST,
        "fault": "integer division or modulo by zero",
        "frozen": 0,
        "left": "",
    }


def test_a_process_with_threads_is_not_copied() -> None:
    done = threading.Event()
    threading.Thread(target=done.wait).start()
    threads = set(map_in_processes(lambda _: threading.main_thread().native_id, range(9), applies=9 * LEAST))
    done.set()

    assert threads == {threading.main_thread().native_id}
