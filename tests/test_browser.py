import io
import tarfile
from pathlib import Path

import pytest

from tests import browser
from tests.cluster.build import Unavailable


def test_what_is_missing_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))

    with pytest.raises(Unavailable, match="apt-get install chromium"):
        browser.chromium()
    with pytest.raises(Unavailable, match="npm"):
        browser.axe({"XDG_CACHE_HOME": str(tmp_path)})


def test_another_package_is_not_taken(tmp_path: Path) -> None:
    package = tmp_path / "axe.tgz"
    with tarfile.open(package, "w:gz") as files:
        files.addfile(tarfile.TarInfo("package/axe.min.js"), io.BytesIO(b""))

    with pytest.raises(Unavailable, match="is not the axe-core"):
        browser.script_of(package)


def test_the_script_comes_from_the_cache(tmp_path: Path) -> None:
    cache = tmp_path / "kubectl-applylint-tests"
    cache.mkdir()
    (cache / "axe-core@4.11.0.js").write_text("axe")

    assert browser.axe({"XDG_CACHE_HOME": str(tmp_path)}) == "axe"
