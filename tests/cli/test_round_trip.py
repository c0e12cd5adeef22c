from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import CONFIG_MAP, SECRET

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture(name="change")
def _change(folder: Path) -> Path:
    for side in ("before", "after"):
        (folder / side).mkdir()
        (folder / side / "settings.yaml").write_text(CONFIG_MAP)
    return folder


def test_a_reverted_change_is_restored(change: Path, run: Run) -> None:
    (change / "after" / "settings.yaml").write_text(CONFIG_MAP.replace("a: b", "a: c"))
    code, out, _ = run("revert", "after", "--against", "dir:before")

    assert (code, out) == (0, "a revert restores 1 object\n")


def test_fields_that_a_revert_does_not_restore_are_reported(change: Path, run: Run) -> None:
    (change / "after" / "more.yaml").write_text(CONFIG_MAP.replace("settings", "more"))
    code, out, _ = run("revert", "after", "--against", "dir:before")

    assert code == 1
    assert "after/more.yaml:1:1: configmap/more in shop: orphaned: the revert removes its manifest\n" in out


@pytest.mark.usefixtures("change")
def test_a_revert_leads_back_to_something(run: Run) -> None:
    code, out, err = run("revert", "after")

    assert (code, out) == (2, "")
    assert "revert: specify the state to revert to: --against REVISION, dir:PATH, file:PATH or last-applied" in err


def test_a_second_apply_that_changes_something_is_reported(change: Path, run: Run) -> None:
    assert run("again", "after")[:2] == (0, "a second apply changes nothing in 1 object\n")

    (change / "after" / "secret.yaml").write_text(SECRET)
    code, out, _ = run("again", "after")

    assert code == 1
    assert 'secret/token in shop: the second apply reports "configured" without a change\n' in out
    assert run("again", "after", "--exit-zero")[0] == 0
