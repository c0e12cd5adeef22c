from pathlib import Path

import pytest

from kubectl_applylint.sources.system.pipes import TooMuchOutputError
from kubectl_applylint.sources.system.subprocesses import ProcessResult, TimedOutError, run
from tests.sources.system.test_subprocesses import is_gone, wait_for


def test_more_output_than_is_wanted_ends_it(tmp_path: Path) -> None:
    with pytest.raises(TooMuchOutputError):
        run(["sh", "-c", f"echo $$ > {tmp_path}/pid; yes"], timeout=20, most_output=1000)

    assert is_gone(wait_for(tmp_path / "pid"))


@pytest.mark.parametrize("command", ["cat", "cat >&2", "cat | cat; cat"])
def test_much_is_read_and_written(command: str) -> None:
    content = bytes(1_000_000)

    done = run(["sh", "-c", command], timeout=20, stdin=content)

    assert done.stdout + done.stderr == content


def test_input_that_a_program_does_not_read_is_no_error() -> None:
    assert run(["sh", "-c", "exec <&-; echo done"], timeout=20, stdin=bytes(1_000_000)) == ProcessResult(
        0, b"done\n", b""
    )


def test_a_program_that_closes_its_output_still_times_out() -> None:
    with pytest.raises(TimedOutError):
        run(["sh", "-c", "exec >&- 2>&-; sleep 60"], timeout=0.2)
