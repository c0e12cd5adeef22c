import os
from pathlib import Path

import pytest

from kubectl_applylint.sources.system.displayed_path import displayed_path


@pytest.mark.parametrize(
    "path", ["web.yaml", "apps/web.yaml", ".", "", "apps/../web.yaml", "../other", "./a//b", "/abs"]
)
@pytest.mark.parametrize("current", [".", "apps", "other", ".."])
def test_paths_are_relative_to_the_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str, current: str
) -> None:
    for name in ("apps", "other"):
        (tmp_path / "top" / name).mkdir(parents=True)
    top = os.fspath(tmp_path / "top")
    monkeypatch.chdir(tmp_path / "top" / current)

    assert displayed_path(top, path) == os.path.relpath(os.path.join(top, path))
    assert displayed_path(os.path.relpath(top), path) == os.path.relpath(os.path.join(top, path))
