"""Archives of charts, also hostile ones."""

import gzip
import io
import tarfile

import pytest

from kubectl_applylint.sources.store import chart_archive
from kubectl_applylint.sources.store.chart_archive import ArchiveError, read_archive
from tests.sources.store.packed import pack, packed_chart


def member(name: str, kind: bytes = tarfile.REGTYPE) -> tarfile.TarInfo:
    found = tarfile.TarInfo(name)
    found.type, found.linkname = kind, "/etc/passwd"
    return found


def test_a_chart_is_read() -> None:
    found = read_archive(packed_chart())

    assert (found.name, found.version, found.app_version) == ("web", "1.2.3", "5.0")
    assert [*found.files] == ["Chart.yaml", "values.yaml", "templates/one.yaml"]


@pytest.mark.parametrize(
    ("name", "kind", "reason"),
    [
        ("../out", tarfile.REGTYPE, "unsafe path"),
        ("web/../../out", tarfile.REGTYPE, "unsafe path"),
        ("/etc/out", tarfile.REGTYPE, "unsafe path"),
        ("web\\..\\out", tarfile.REGTYPE, "unsafe path"),
        ("web/link", tarfile.SYMTYPE, "a link or a device"),
        ("web/hard", tarfile.LNKTYPE, "a link or a device"),
        ("web/device", tarfile.CHRTYPE, "a link or a device"),
        ("web/block", tarfile.BLKTYPE, "a link or a device"),
        ("web/pipe", tarfile.FIFOTYPE, "a link or a device"),
        ("other/file", tarfile.REGTYPE, "not exactly one folder"),
    ],
)
def test_an_unsafe_entry_rejects_the_archive(name: str, kind: bytes, reason: str) -> None:
    chart = (tarfile.TarInfo("web/Chart.yaml"), b"apiVersion: v2\nname: web\nversion: 1.0.0\n")

    with pytest.raises(ArchiveError, match=reason):
        read_archive(pack([chart, (member(name, kind), b"")]))


def test_an_archive_has_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    bomb = gzip.compress(b"\0" * (chart_archive.MEBIBYTE * 3))

    monkeypatch.setattr(chart_archive, "MOST_UNPACKED", chart_archive.MEBIBYTE)
    with pytest.raises(ArchiveError, match="more than 1 MiB unpacked"):
        read_archive(bomb)
    monkeypatch.setattr(chart_archive, "MOST_ENTRIES", 2)
    with pytest.raises(ArchiveError, match="more than 2 entries"):
        read_archive(packed_chart())
    monkeypatch.setattr(chart_archive, "MOST_PACKED", 10)
    with pytest.raises(ArchiveError, match="more than 0 MiB"):
        read_archive(packed_chart())


def sparse_bomb() -> bytes:
    header = tarfile.TarInfo("web/sparse")
    header.type, header.size = tarfile.GNUTYPE_SPARSE, 0
    return gzip.compress(header.tobuf(tarfile.GNU_FORMAT) + b"\0" * 1024)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"no archive",
        gzip.compress(b"no archive"),
        packed_chart()[:-20],
        pack([]),
        pack([(tarfile.TarInfo("web/values.yaml"), b"")]),
        pack([(tarfile.TarInfo("web/Chart.yaml"), b"name: [")]),
        pack([(tarfile.TarInfo("web/Chart.yaml"), b"name: web\nversion: 1.0.0\n" + b"#" * (1 << 20))]),
        sparse_bomb(),
    ],
    ids=["empty", "text", "packed text", "cut", "no files", "no metadata", "not YAML", "large metadata", "sparse"],
)
def test_archives_without_a_chart_are_rejected(content: bytes) -> None:
    with pytest.raises(ArchiveError):
        read_archive(content)


def test_folders_are_no_files() -> None:
    chart = (tarfile.TarInfo("./web/Chart.yaml"), b"apiVersion: v2\nname: web\nversion: 1.0.0\n")
    folders = [(member(name, tarfile.DIRTYPE), b"") for name in ("./", "./web/", "./web/templates")]

    assert [*read_archive(pack([*folders, chart])).files] == ["Chart.yaml"]


def test_the_folder_of_a_chart_may_have_any_name() -> None:
    content = io.BytesIO(pack([(tarfile.TarInfo("main/Chart.yaml"), b"name: web\nversion: 1.0.0\n")]))

    assert read_archive(content.read()).name == "web"
