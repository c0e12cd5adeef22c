import io
import sys

import pytest

from kubectl_applylint.cli import progress
from kubectl_applylint.cli.progress import Watched, watched


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
