import io
import sys

import pytest

from kubectl_applylint.cli import progress
from kubectl_applylint.cli.progress import UnitLine, Watched, showing_units, watched
from kubectl_applylint.run.progress import reached


class Terminal(io.StringIO):
    """Says that it is one."""

    def isatty(self) -> bool:
        return True


def test_nothing_is_watched_where_nobody_looks() -> None:
    items = (1, 2)

    assert watched(items, "checking") is items


def test_quick_work_shows_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", terminal := Terminal())

    assert list(watched((1, 2), "checking")) == [1, 2]
    assert terminal.getvalue() == ""


def test_long_work_shows_how_far_it_is_and_cleans_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", terminal := Terminal())
    monkeypatch.setattr(progress, "_PATIENCE", -1.0)

    with pytest.raises(ZeroDivisionError):
        [1 // item for item in watched((1, 0), "checking object")]

    assert terminal.getvalue() == "\rchecking object 1 of 2\r\x1b[K"


def test_watched_items_are_the_same_items() -> None:
    items = Watched((1, 2, 3), "checking", 3)

    assert (len(items), items[1], list(items[1:])) == (3, 2, [2, 3])


def test_a_part_stands_for_the_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", terminal := Terminal())
    monkeypatch.setattr(progress, "_PATIENCE", -1.0)
    monkeypatch.setattr(progress, "_INTERVAL", 0.0)

    assert list(watched(range(4), "checking object")[::2]) == [0, 2]
    assert terminal.getvalue() == "\rchecking object 2 of 4\rchecking object 4 of 4\r\x1b[K"


def test_units_are_shown_once_they_take_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", terminal := Terminal())
    monkeypatch.setenv("COLUMNS", "40")
    with showing_units():
        reached("checking unit", 1, 3, "apps/quick")
    monkeypatch.setattr(progress, "_PATIENCE", -1.0)
    monkeypatch.setattr(progress, "_INTERVAL", 0.0)
    with showing_units():
        reached("checking unit", 2, 3, "apps/a\x1b[2J")
        reached("rendered unit", 3, 3, "apps/with-a-very-long-name-of-its-own")

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
        reached("checking unit", 1, 2, "a")

    assert capsys.readouterr() == ("", "")
