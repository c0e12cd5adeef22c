"""The time in reports."""

import pytest

from kubectl_applylint.cli.terminal.clock import now


def test_a_build_that_is_reproduced_says_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1780000000")

    assert now() == "2026-05-28 20:26 UTC"


@pytest.mark.parametrize("given", ["", "soon", "-1", "9" * 40], ids=["none", "word", "negative", "too long"])
def test_an_invalid_time_is_ignored(monkeypatch: pytest.MonkeyPatch, given: str) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", given)

    assert now() > "2026-11"
