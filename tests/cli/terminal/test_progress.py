import io
import os
import sys
import time

import pytest

from kubectl_applylint.cli.terminal import progress
from kubectl_applylint.cli.terminal.progress import (
    ProgressSequence,
    UnitLine,
    showing_units,
    spread_with_progress,
    time_left,
    with_progress,
)
from kubectl_applylint.run.progress import report_unit


class Terminal(io.StringIO):
    """Says that it is one."""

    def isatty(self) -> bool:
        return True


def test_progress_is_not_shown_without_a_terminal() -> None:
    items = (1, 2)

    assert list(with_progress(items, "checking")) == list(items)


def test_quick_work_shows_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", terminal := Terminal())

    assert list(with_progress((1, 2), "checking")) == [1, 2]
    assert terminal.getvalue() == ""


def test_long_work_shows_how_far_it_is_and_cleans_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", terminal := Terminal())
    monkeypatch.setattr(progress, "_PATIENCE", -1.0)

    with pytest.raises(ZeroDivisionError):
        [1 // item for item in with_progress((1, 0), "checking object")]

    assert terminal.getvalue() == "\r\x1b[Kchecking object 1 of 2\r\x1b[K"


def test_watched_items_are_the_same_items() -> None:
    items = ProgressSequence((1, 2, 3), "checking")

    assert (len(items), items[1], list(items[1:])) == (3, 2, [2, 3])


def test_work_that_is_shared_is_shown_by_this_process_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", terminal := Terminal())
    monkeypatch.setattr(progress, "_PATIENCE", -1.0)
    monkeypatch.setattr(progress, "_INTERVAL", 0.0)
    shown = spread_with_progress(
        lambda item: (os.getpid(), terminal.getvalue()), range(60), "checking unit", applies=1000
    )

    assert len({text for process, text in shown if process != os.getpid()}) <= 1, "nothing but what was shown before"
    assert "\r\x1b[Kchecking unit " in terminal.getvalue()
    assert terminal.getvalue().endswith(" of 60\r\x1b[K")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="work is shared by copies of the process")
def test_items_that_copies_of_the_process_take_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", terminal := Terminal())
    monkeypatch.setattr(progress, "_PATIENCE", -1.0)
    monkeypatch.setattr(progress, "_INTERVAL", -1.0)
    items = ProgressSequence(range(10), "checking object")
    items[9]
    process = os.fork()
    if process == 0:
        for index in range(5):
            items[index]
        os._exit(0)
    os.waitpid(process, 0)
    items[5]

    assert terminal.getvalue() == "\r\x1b[Kchecking object 1 of 10\r\x1b[Kchecking object 7 of 10"


def test_shared_work_is_silent_in_a_pipe(capsys: pytest.CaptureFixture[str]) -> None:
    assert spread_with_progress(abs, [-1, 2], "checking unit", applies=1) == [1, 2]
    assert capsys.readouterr() == ("", "")


def test_units_are_shown_once_they_take_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", terminal := Terminal())
    monkeypatch.setenv("COLUMNS", "40")
    with showing_units():
        report_unit("checking unit", 1, 3, "apps/quick")
    monkeypatch.setattr(progress, "_PATIENCE", -1.0)
    monkeypatch.setattr(progress, "_INTERVAL", 0.0)
    with showing_units():
        report_unit("checking unit", 2, 3, "apps/a\x1b[2J")
        report_unit("rendered unit", 3, 3, "apps/with-a-very-long-name-of-its-own")

    assert terminal.getvalue() == (
        "\r\x1b[Kchecking unit 2 of 3: apps/a\\u001b[2J\r\x1b[Krendered unit 3 of 3: apps/with-a-very-\r\x1b[K"
    )


def test_units_are_shown_at_most_ten_times_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", terminal := Terminal())
    monkeypatch.setattr(progress, "_PATIENCE", -1.0)
    line = UnitLine()
    for number in range(50):
        line("checking unit", number, 50, "a")

    assert terminal.getvalue().count("checking unit") < 50


def test_no_unit_is_shown_in_a_pipe(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "_PATIENCE", -1.0)
    with showing_units():
        report_unit("checking unit", 1, 2, "a")

    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("seconds", "done", "whole", "words"),
    [
        pytest.param(2.9, 1, 10, "", id="too early"),
        pytest.param(9.0, 0, 10, "", id="nothing is done"),
        pytest.param(10.0, 1, 10, ", 1:30 left", id="minutes"),
        pytest.param(4.0, 4, 9, ", 0:05 left", id="seconds"),
        pytest.param(60.0, 1, 66, ", 1:05:00 left", id="hours"),
        pytest.param(60.0, 10, 10, ", 0:00 left", id="the end"),
    ],
)
def test_the_remaining_time_depends_on_the_completed_work(seconds: float, done: int, whole: int, words: str) -> None:
    assert time_left(seconds, done, whole) == words


def test_both_lines_show_the_remaining_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", terminal := Terminal())
    monkeypatch.setattr(progress, "_PATIENCE", -1.0)
    monkeypatch.setattr(progress, "_INTERVAL", -1.0)
    clock = iter(range(0, 1000, 10))
    monkeypatch.setattr(time, "monotonic", lambda: float(next(clock)))
    with showing_units():
        report_unit("checking unit", 1, 3, "a")
        report_unit("checking unit", 2, 3, "b")
    list(with_progress((1, 2), "planning for target"))

    assert "checking unit 2 of 3, 0:20 left: b" in terminal.getvalue()
    assert "planning for target 2 of 2, 0:20 left" in terminal.getvalue()
