"""The store: what was added is found again, unless it is damaged."""

import hashlib
import zipfile
import zlib
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path

import pytest

from kubectl_applylint.core.problem import UnreadableError
from kubectl_applylint.core.records import replace
from kubectl_applylint.sources.store import store
from kubectl_applylint.sources.store.absence import Absence
from kubectl_applylint.sources.store.chart_archive import ArchiveError
from kubectl_applylint.sources.store.chart_source import ChartSource, SourceKind
from kubectl_applylint.sources.store.store import MissingChart, StoredChart
from kubectl_applylint.sources.store.store_place import NO_STORE, Store, is_usable, use_store
from tests.sources.store.packed import packed_chart

SOURCE = ChartSource(SourceKind.HELM, "https://user:password@example.com/charts", "web", "1.x")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path) -> Iterator[Path]:
    with use_store(Store(str(tmp_path / "cache"))):
        yield tmp_path / "cache"


def test_an_added_chart_is_found(folder: Path) -> None:
    added = store.add(SOURCE, packed_chart(), resolved="2026-11-26", is_private=True)

    assert store.chart(SOURCE) == added
    assert added.digest == hashlib.sha256(packed_chart()).hexdigest()
    assert (added.name, added.version, added.app_version, added.resolved) == ("web", "1.2.3", "5.0", "2026-11-26")
    assert "values.yaml" in added.unpack().files
    assert not any(b"password" in file.read_bytes() for file in folder.rglob("*") if file.is_file())
    store.make_room()
    assert store.chart(SOURCE) == added


def test_an_absent_chart_is_missing() -> None:
    found = store.chart(SOURCE)

    assert found == MissingChart(SOURCE, "https://example.com/charts web 1.x is not in the store")


@pytest.mark.parametrize("sort", ["charts", "chart-index"])
def test_a_damaged_entry_is_as_if_absent(folder: Path, sort: str) -> None:
    store.add(SOURCE, packed_chart())
    (file,) = (folder / sort).iterdir()
    content = bytearray(file.read_bytes())
    content[-1] ^= 1
    file.write_bytes(content)

    assert isinstance(store.chart(SOURCE), MissingChart)


def test_a_chart_with_another_name_is_not_stored(folder: Path) -> None:
    with pytest.raises(ArchiveError, match="the name of the chart is 'other', not 'web'"):
        store.add(SOURCE, packed_chart("other"))

    assert not folder.exists()


def test_a_store_in_one_file_is_read_and_never_written(tmp_path: Path, folder: Path) -> None:
    added = store.add(SOURCE, packed_chart())
    file = tmp_path / "charts.store"
    file.write_bytes(store.store_file([(SOURCE, added)]))
    file.chmod(0o400)

    with use_store(Store(file=str(file))):
        found = store.chart(SOURCE)
        absent = store.chart(ChartSource(SourceKind.OCI, "oci://example.com/web"))

    assert found == added
    assert isinstance(absent, MissingChart)
    assert store.store_file([(SOURCE, added)]) == file.read_bytes()


@pytest.mark.parametrize("content", [b"", b"no store", None, zipfile])
def test_another_file_is_no_store(tmp_path: Path, content: object) -> None:
    file = tmp_path / "other"
    if content is zipfile:
        with zipfile.ZipFile(file, "w") as archive:
            archive.writestr("other", "")
    elif isinstance(content, bytes):
        file.write_bytes(content)

    with use_store(Store(file=str(file))), pytest.raises(UnreadableError):
        store.chart(SOURCE)


def test_hostile_entries_of_a_file_are_as_if_absent(tmp_path: Path) -> None:
    added = store.add(SOURCE, packed_chart())
    other = StoredChart("0" * 64, "web", "1.2.3", packed=packed_chart())
    file = tmp_path / "charts.store"
    for content in (
        store.store_file([(SOURCE, other)]),
        store.store_file([(SOURCE, added)]).replace(b'"web"', b"[[[["),
    ):
        file.write_bytes(content)
        store._open_file.cache_clear()
        with use_store(Store(file=str(file))):
            assert isinstance(store.chart(SOURCE), MissingChart)


def test_without_a_folder_nothing_is_stored() -> None:
    with use_store(NO_STORE):
        store.add(SOURCE, packed_chart())

        assert isinstance(store.chart(SOURCE), MissingChart)
        assert not is_usable()


def test_an_absence_is_stored_until_the_source_is_added(folder: Path) -> None:
    answer = Absence(hint="its newest version is 0.9.0", asked="2026-11-27")
    store.add_absence(SOURCE, answer)
    store.make_room()
    missing = store.chart(SOURCE)

    assert store.absence(SOURCE) == answer
    assert isinstance(missing, MissingChart)
    assert missing.absence == answer
    assert missing.reason == (
        "https://example.com/charts web 1.x is not in the store: https://example.com/charts does not have "
        "a version in the range '1.x' of the chart web (asked on 2026-11-27; its newest version is 0.9.0)"
    )
    assert store.absence(replace(SOURCE, version="2.x")) is None
    assert not any(b"password" in zlib.decompress(file.read_bytes()[32:]) for file in folder.rglob("*/*"))

    store.add(SOURCE, packed_chart())
    assert store.absence(SOURCE) is None


def test_a_store_in_one_file_has_answers(tmp_path: Path) -> None:
    answer, file = Absence(asked="2026-11-27"), tmp_path / "charts.store"
    file.write_bytes(store.store_file([], [(SOURCE, answer)]))

    with use_store(Store(file=str(file))):
        assert store.absence(SOURCE) == answer


@pytest.mark.parametrize(("days", "is_recent"), [(0, True), (7, True), (8, False)])
def test_an_old_answer_is_not_trusted(days: int, is_recent: bool) -> None:
    asked = date.today() - timedelta(days=days)
    store.add_absence(SOURCE, Absence(asked=asked.isoformat()))

    assert (store.recent_absence(SOURCE) is not None) is is_recent
    assert store.absence(SOURCE) is not None
