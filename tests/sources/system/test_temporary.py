import os
import signal
import stat
from pathlib import Path
from types import FrameType

import pytest

from kubectl_applylint.sources.system.temporary import PrivateFolder


def test_a_folder_is_private_empty_and_gone_afterwards() -> None:
    with PrivateFolder() as folder:
        assert os.listdir(folder) == []
        assert stat.S_IMODE(Path(folder).stat().st_mode) == 0o700
        assert Path(folder).name.startswith("applylint-")
        (Path(folder) / "inner").mkdir()

    assert not Path(folder).exists()


def test_the_folder_is_deleted_after_an_error() -> None:
    with pytest.raises(ValueError, match="inside"), PrivateFolder() as folder:
        raise ValueError("inside")

    assert not Path(folder).exists()


def test_its_path_has_no_links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "link"))

    with PrivateFolder() as folder:
        assert Path(folder).parent == tmp_path / "real"


def test_a_signal_does_not_keep_it_from_being_removed() -> None:
    def end(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGINT, end)
    try:
        with pytest.raises(KeyboardInterrupt), PrivateFolder() as folder:
            signal.raise_signal(signal.SIGINT)
    finally:
        signal.signal(signal.SIGINT, before)

    assert not Path(folder).exists()
