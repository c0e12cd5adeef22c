"""One apply of what the caller names."""

from pathlib import Path

import pytest

from tests.run.running import WEB, runs, write


def test_one_apply_has_no_unit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path, {"all/dev/web.yaml": WEB})
    found = runs("all/dev", is_one_apply=True)

    assert [run.unit for run in found.each] == [None]
    assert len(found.subjects) == 1
    assert found.origin == ""
