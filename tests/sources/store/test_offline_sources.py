"""Remote bases are read from the store that is in use."""

from pathlib import Path

from kubectl_applylint.sources.render.packed_chart import archive
from kubectl_applylint.sources.render.remote_bases import RemoteReference, stored_files
from kubectl_applylint.sources.store import store
from kubectl_applylint.sources.store.base_source import base_source
from kubectl_applylint.sources.store.offline_sources import use_offline_sources
from kubectl_applylint.sources.store.store_place import NO_STORE, Store

FILE = RemoteReference("https://git.example/a.yaml", is_file=True)


def test_bases_are_found_in_the_store_that_is_in_use(tmp_path: Path) -> None:
    with use_offline_sources(Store(str(tmp_path))):
        store.add_files(base_source(FILE), archive({"file.yaml": b"a: 1"}), "")
        assert stored_files(FILE) == {"file.yaml": b"a: 1"}
    with use_offline_sources(NO_STORE):
        assert stored_files(FILE) is None
    assert stored_files(FILE) is None
