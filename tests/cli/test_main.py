import sys
from collections.abc import Callable

import pytest

from kubectl_applylint.cli import explain

Run = Callable[..., tuple[int, str, str]]


@pytest.mark.parametrize(
    ("fault", "code", "line"),
    [
        (KeyboardInterrupt(), 130, "interrupted"),
        (OSError(28, "No space left on device"), 3, "rules failed: standard output: No space left on device"),
        (
            ValueError("odd"),
            3,
            "rules failed: ValueError: odd; this is a bug in applylint, please repeat the command with -v and"
            " report the output with the input",
        ),
        (
            OSError(24, "Too many open files"),
            3,
            "rules failed: Too many open files; increase the limit of open files (ulimit -n)",
        ),
    ],
    ids=["interrupt", "full disk", "our fault", "a limit of the system"],
)
def test_every_failure_is_reported_in_one_line(
    run: Run, monkeypatch: pytest.MonkeyPatch, fault: BaseException, code: int, line: str
) -> None:
    def fail(*_: object) -> int:
        raise fault

    monkeypatch.setattr(explain, "rules", fail)

    assert run("rules") == (code, "", f"applylint: {line}\n")


def test_verbose_output_has_the_traceback_of_a_fault(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> int:
        raise ValueError("odd")

    monkeypatch.setattr(explain, "rules", fail)
    code, out, err = run("rules", "-v")
    first, *frames, last = err.splitlines()

    assert (code, out, last) == (3, "", "applylint: ValueError")
    assert first.endswith(
        "ValueError: odd; this is a bug in applylint, please report it with the input and these lines:"
    )
    assert frames[-1] == f'applylint:   File "{__file__}", line {fail.__code__.co_firstlineno + 1}, in fail'


def test_every_fault_of_the_configuration_is_reported(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("APPLYLINT_COLOR", "red")

    code, _, err = run("check", "web.yaml", "--fail-on", "x")

    assert code == 2
    assert err.splitlines() == [
        "applylint: APPLYLINT_COLOR: 'red' is not one of auto, always, never",
        "applylint: --fail-on: 'x' is not one of error, warning, info",
    ]


@pytest.mark.parametrize(
    ("flags", "code"),
    [
        ([], 2),
        (["--detailed-exitcode"], 1),
    ],
)
def test_wrong_use_does_not_count_as_a_change(
    run: Run, monkeypatch: pytest.MonkeyPatch, flags: list[str], code: int
) -> None:
    monkeypatch.setenv("APPLYLINT_COLOR", "red")

    assert run("plan", "web.yaml", *flags)[0] == code
    with pytest.raises(SystemExit) as end:
        run("plan", "--nonsense", *flags)
    assert end.value.code == code


def test_the_version_is_printed(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["applylint", "--version"])

    code, out, _ = run("--version")

    assert code == 0
    assert out.startswith("applylint 0.")


def test_the_version_is_printed_with_the_environment(run: Run) -> None:
    plain = run("--version")[1]

    assert plain.count("\n") == 1
    assert run("--version", "-v")[1].startswith(f"{plain}pure Python, run by ")
