"""Runs the program on files that were broken on purpose, and reports where it did not do as it should.

python -m tests.hostile.fuzz --seed 1 --number 20000
"""

import argparse
import contextlib
import io
import json
import os
import signal
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any, Final

from kubectl_applylint.cli.main import main as run_program
from tests.hostile.documents import Broken, Wanted, broken

LIMIT: Final = 10.0
"""Seconds after which a run counts as hanging."""
COMMANDS: Final = (
    ("plan", "--against", "none"),
    ("plan", "--against", "file:before.yaml"),
    ("plan", "--against", "none", "--server-side"),
    ("check", "--against", "none"),
    ("check", "--against", "file:before.yaml"),
)
"""The commands that read files, in turn; the expected result of a file is known for the first."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A file that the program dealt with otherwise than it should."""

    file: Broken
    what: str

    def __str__(self) -> str:
        return f"{self.file.how}: {self.what}\n{self.file.content.decode('utf-8', 'replace')[:2000]}"


class _Hangs(BaseException):
    """Raised inside the program when its time is over; not an ``Exception``, so that nothing of it is caught."""


def faults(files: Sequence[Broken]) -> Iterator[Fault]:
    """Yield what is wrong with what the program says of each file; each is a run of its own."""
    with tempfile.TemporaryDirectory() as folder, _inside(folder):
        for number, file in enumerate(files):
            what = _fault(file, COMMANDS[number % len(COMMANDS)])
            if what:
                yield Fault(file, what)


@contextlib.contextmanager
def _inside(folder: str) -> Iterator[None]:
    before = os.getcwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


def _fault(file: Broken, command: Sequence[str]) -> str:
    """Return what is wrong, empty if nothing is."""
    Path("m.yaml").write_bytes(file.content)
    Path("before.yaml").write_bytes(file.original)
    out, err = io.StringIO(), io.StringIO()
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), _at_most(LIMIT):
            code = run_program("applylint", [*command, "-f", "m.yaml", "-o", "json"])
    except _Hangs:
        return f"took longer than {LIMIT:.0f} s"
    except SystemExit as ending:
        return f"left with {ending.code}"
    except BaseException as fault:  # whatever gets out of the program is a fault of it
        return f"raised {type(fault).__name__}: {fault}"
    wrong = _fault_of_output(file, command, code, out.getvalue(), err.getvalue())
    return f"{' '.join(command)}: {wrong}" if wrong else ""


def _fault_of_output(file: Broken, command: Sequence[str], code: int, out: str, err: str) -> str:
    if "Traceback" in err or "bug in applylint" in err + out:
        return f"reported a fault: {_line(err + out, 'fault')}"
    try:
        report = json.loads(out)
    except ValueError:
        return f"printed no JSON and ended with {code}: {err.strip()[:300]}"
    expected = _code(report, command[0])
    if code != expected:
        return f"ended with {code} where the report says {expected}"
    return _against_oracle(file.wanted, code, report) if command == COMMANDS[0] else ""


def _line(text: str, word: str) -> str:
    return next((line.strip()[:300] for line in text.splitlines() if word in line), "")


def _code(report: dict[str, Any], command: str) -> int:
    if report["problems"]:
        return 3
    is_refused = any(item["verdict"] in ("rejected", "conflict") for item in report.get("objects", ()))
    # The findings of a plan count only with --detailed-exitcode.
    return 1 if is_refused or (command != "plan" and report["summary"]["error"]) else 0


def _against_oracle(wanted: Wanted, code: int, report: dict[str, Any]) -> str:
    match wanted:
        case Wanted.PASSES if code != 0:
            return f"ended with {code}: {json.dumps(report['problems'])[:300]}"
        case Wanted.REJECTED if code != 1:
            return f"ended with {code}, and a server rejects it"
        case Wanted.UNREADABLE if code != 3 or "m.yaml" not in json.dumps(report["problems"]):
            return f"ended with {code}, and it cannot be read"
        case _:
            return ""


@contextlib.contextmanager
def _at_most(seconds: float) -> Iterator[None]:
    def stop(number: int, frame: FrameType | None) -> None:
        raise _Hangs

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def main(argv: Sequence[str] | None = None) -> int:
    """Print the faults that files of a seed show; 1 if there are any."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--number", type=int, default=1000)
    arguments = parser.parse_args(argv)
    count = 0
    for fault in faults(list(broken(arguments.seed, arguments.number))):
        count += 1
        print(fault, end="\n----\n")
    print(f"{count} faults in {arguments.number} files")
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
