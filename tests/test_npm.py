"""Packages of npm: fetched only if they are the expected ones."""

import hashlib
import io
import tarfile
from pathlib import Path

import pytest

from tests.cluster.build import Unavailable
from tests.npm import extract, file_of


@pytest.fixture(name="package")
def _package(tmp_path: Path) -> Path:
    """A package with one file."""
    package = tmp_path / "tool.tgz"
    with tarfile.open(package, "w:gz") as files:
        member = tarfile.TarInfo("package/tool")
        member.size = 4
        files.addfile(member, io.BytesIO(b"tool"))
    return package


def test_a_file_comes_out_of_the_expected_package(package: Path) -> None:
    checksum = hashlib.sha512(package.read_bytes()).hexdigest()

    assert extract(package, "tool@1", checksum, "package/tool") == b"tool"


def test_another_package_is_not_taken(package: Path) -> None:
    with pytest.raises(Unavailable, match=r"tool\.tgz is not the tool@1"):
        extract(package, "tool@1", "0", "package/tool")


def test_without_npm_it_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))

    with pytest.raises(Unavailable, match="npm, which fetches tool@1"):
        file_of("tool@1", "0", "package/tool")
