"""The start of an API server."""

from pathlib import Path

import pytest

from tests.cluster.server import holds_certificate
from tests.sources.apiserver import pem


def test_a_whole_certificate_is_found() -> None:
    assert holds_certificate(Path(pem("authority.crt")))


def test_a_file_that_does_not_exist_has_no_certificate(tmp_path: Path) -> None:
    assert not holds_certificate(tmp_path / "apiserver.crt")


@pytest.mark.parametrize("written", [0, 1, 400, -30])
def test_a_file_that_is_being_written_has_no_certificate(tmp_path: Path, written: int) -> None:
    whole = Path(pem("authority.crt")).read_text().strip()
    (tmp_path / "apiserver.crt").write_text(whole[:written])
    assert not holds_certificate(tmp_path / "apiserver.crt")
