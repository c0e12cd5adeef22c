"""Remote bases are sources of the store, and their stored files are found again."""

from pathlib import Path

from kubectl_applylint.sources.render.packed_chart import archive
from kubectl_applylint.sources.render.remote_bases import RemoteReference
from kubectl_applylint.sources.store import store
from kubectl_applylint.sources.store.base_source import base_files, base_source
from kubectl_applylint.sources.store.chart_source import SourceKind, git_source
from kubectl_applylint.sources.store.store_place import Store, use_store
from tests.sources.store.packed import packed_chart

BASE = RemoteReference("https://git.example/org/repo", "base", "v1")
FILE = RemoteReference("https://git.example/a.yaml", is_file=True)


def test_folders_of_a_repository_are_one_source() -> None:
    assert base_source(BASE) == base_source(RemoteReference(BASE.url, "other", "v1"))
    assert base_source(BASE) == git_source(BASE.url, "v1")
    assert base_source(FILE).kind is SourceKind.FILE


def test_stored_files_are_found(tmp_path: Path) -> None:
    with use_store(Store(str(tmp_path / "cache"))):
        assert base_files(BASE) is None
        store.add_files(base_source(BASE), archive({"base/a.yaml": b"a: 1"}), "1234")
        assert base_files(BASE) == {"base/a.yaml": b"a: 1"}
        (entry,) = (tmp_path / "cache" / "charts").iterdir()
        entry.write_bytes(entry.read_bytes()[:-1] + b"x")
        assert base_files(BASE) is None
        store.add(git_source("https://git.example/web"), packed_chart("web"))
        assert "Chart.yaml" in (base_files(RemoteReference("https://git.example/web")) or {})
