from pathlib import Path

import pytest

from tests import browser
from tests.cluster.build import Unavailable


def test_missing_programs_are_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))

    with pytest.raises(Unavailable, match="apt-get install chromium"):
        browser.chromium()
    with pytest.raises(Unavailable, match="npm"):
        browser.axe({"XDG_CACHE_HOME": str(tmp_path)})


def test_the_script_comes_from_the_cache(tmp_path: Path) -> None:
    cache = tmp_path / "kubectl-applylint-tests"
    cache.mkdir()
    (cache / "axe-core@4.11.0.js").write_text("axe")

    assert browser.axe({"XDG_CACHE_HOME": str(tmp_path)}) == "axe"
