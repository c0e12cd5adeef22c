"""The store: packed charts, repositories and files by digest, and an index from sources to digests.

It is in the cache folder or in one file. A file is only read. Damaged entries are as if absent.
"""

import hashlib
import io
import json
import zipfile
from collections.abc import Iterable, Mapping
from datetime import date
from functools import lru_cache
from typing import Final

from kubectl_applylint.core.problem import Problem, UnreadableError
from kubectl_applylint.core.records import dataclass, field
from kubectl_applylint.core.values import Json, JsonObject, mapping, text_at
from kubectl_applylint.sources.store.absence import Absence, absence_of_entry
from kubectl_applylint.sources.store.chart_archive import (
    MOST_PACKED,
    ArchiveError,
    ChartArchive,
    read_archive,
    read_files,
)
from kubectl_applylint.sources.store.chart_source import ChartSource
from kubectl_applylint.sources.store.store_place import ABSENCES, INDEX, current_store
from kubectl_applylint.sources.system import cache_folder

_CHARTS: Final = "charts"
_MARK: Final = "applylint-store-v1"
"""The first entry of a store in one file."""
_FIRST_DAY: Final = (1980, 1, 1, 0, 0, 0)
_MOST_ENTRY: Final = 1 << 16
"""The maximum size of an entry of the index in bytes."""


@dataclass(frozen=True, slots=True)
class StoredChart:
    """A chart in the store."""

    digest: str
    """The SHA-256 digest of the packed archive, in hexadecimal."""
    name: str
    version: str
    app_version: str = ""
    resolved: str = ""
    """The day on which a range was resolved to the version; empty for an exact version."""
    is_private: bool = False
    """Whether it was downloaded with a login."""
    packed: bytes = field(default=b"", repr=False)

    def unpack(self) -> ChartArchive:
        """Return the files of the chart."""
        return read_archive(self.packed)

    def files(self) -> Mapping[str, bytes]:
        """Return the files of a repository, or the one file."""
        return _files(self)


@lru_cache(maxsize=8)
def _files(found: StoredChart) -> Mapping[str, bytes]:
    return read_files(found.packed)


@dataclass(frozen=True, slots=True)
class MissingChart:
    """A chart that is not in the store, and why."""

    source: ChartSource
    reason: str
    absence: Absence | None = None
    """The answer of the source that it does not have it."""


def chart(source: ChartSource) -> StoredChart | MissingChart:
    """Return a chart from the store; raise ``UnreadableError`` if the file of the store is none."""
    entry = _entry(source)
    if entry is None:
        return _missing(source)
    digest = text_at(entry, "digest")
    packed = _read(_CHARTS, digest, MOST_PACKED)
    if packed is None or hashlib.sha256(packed).hexdigest() != digest:
        return MissingChart(source, f"{source} is damaged in the store")
    return StoredChart(
        digest,
        text_at(entry, "name"),
        text_at(entry, "version"),
        text_at(entry, "appVersion"),
        text_at(entry, "resolved"),
        is_private=entry.get("private") is True,
        packed=packed,
    )


def _missing(source: ChartSource) -> MissingChart:
    found, reason = absence(source), f"{source} is not in the store"
    return MissingChart(source, f"{reason}: {found.sentence(source)}" if found else reason, found)


def absence(source: ChartSource) -> Absence | None:
    """Return the answer of a source that it does not have what it was asked for, ``None`` without one."""
    entry = _read_entry(ABSENCES, source)
    return absence_of_entry(entry) if entry else None


def recent_absence(source: ChartSource) -> Absence | None:
    """Return the answer of ``absence`` if it is not too old to be trusted."""
    found = absence(source)
    return found if found and found.is_current(date.today()) else None


def is_stored(source: ChartSource) -> bool:
    """Return whether the store has an entry for a source, without reading what it names."""
    return _entry(source) is not None


def _entry(source: ChartSource) -> JsonObject | None:
    return _read_entry(INDEX, source)


def _read_entry(sort: str, source: ChartSource) -> JsonObject | None:
    try:
        found: Json = json.loads(_read(sort, source.key, _MOST_ENTRY) or b"null")
    except (ValueError, RecursionError):
        return None
    return mapping(found) or None


def _read(sort: str, key: str, most: int) -> bytes | None:
    store = current_store()
    if store.file:
        return _read_in_file(store.file, f"{sort}/{key}", most)
    with cache_folder.use_folder(store.folder):
        return cache_folder.read(sort, key)


def add(source: ChartSource, packed: bytes, *, resolved: str = "", is_private: bool = False) -> StoredChart:
    """Add the packed chart of a source to the store in the cache folder.

    Raises ``ArchiveError`` if it is not a safe chart with the name that the source gives.
    """
    archive = read_archive(packed)
    if archive.name != source.name:
        raise ArchiveError(f"the name of the chart is {archive.name!r}, not {source.name!r}")
    digest = hashlib.sha256(packed).hexdigest()
    found = StoredChart(
        digest, archive.name, archive.version, archive.app_version, resolved, is_private=is_private, packed=packed
    )
    _write(source, found)
    return found


def add_files(
    source: ChartSource, packed: bytes, version: str, *, resolved: str = "", is_private: bool = False
) -> StoredChart:
    """Add the packed files of a repository, or one packed file; raises ``ArchiveError`` if they are not safe."""
    read_files(packed)
    digest = hashlib.sha256(packed).hexdigest()
    found = StoredChart(digest, source.name, version, "", resolved, is_private=is_private, packed=packed)
    _write(source, found)
    return found


def _write(source: ChartSource, found: StoredChart) -> None:
    with cache_folder.use_folder(current_store().folder):
        cache_folder.write(_CHARTS, found.digest, found.packed)
        cache_folder.write(INDEX, source.key, _index_entry(source, found))
        cache_folder.remove(ABSENCES, source.key)


def add_absence(source: ChartSource, found: Absence) -> None:
    """Remember the answer of a source that it does not have what it was asked for."""
    with cache_folder.use_folder(current_store().folder):
        cache_folder.write(ABSENCES, source.key, _encode(found.entry(source)))


def make_room() -> None:
    """Remove the charts that were not used for the longest time until the rest is within the limit."""
    with cache_folder.use_folder(current_store().folder):
        cache_folder.make_room(_CHARTS)
        cache_folder.make_room(INDEX)
        cache_folder.make_room(ABSENCES)


def _index_entry(source: ChartSource, found: StoredChart) -> bytes:
    entry: JsonObject = {
        "source": str(source),
        "digest": found.digest,
        "name": found.name,
        "version": found.version,
        "appVersion": found.app_version,
        "resolved": found.resolved,
        "private": found.is_private,
    }
    return _encode(entry)


def _encode(entry: JsonObject) -> bytes:
    return json.dumps(entry, sort_keys=True).encode()


def store_file(
    charts: Iterable[tuple[ChartSource, StoredChart]], absences: Iterable[tuple[ChartSource, Absence]] = ()
) -> bytes:
    """Return the content of a store in one file with some charts and answers; equal ones give equal files."""
    entries = {f"{ABSENCES}/{source.key}": _encode(found.entry(source)) for source, found in absences}
    for source, found in charts:
        entries[f"{INDEX}/{source.key}"] = _index_entry(source, found)
        entries[f"{_CHARTS}/{found.digest}"] = found.packed
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name, text in [(_MARK, b""), *sorted(entries.items())]:
            archive.writestr(zipfile.ZipInfo(name, _FIRST_DAY), text)
    return content.getvalue()


@lru_cache(maxsize=1)
def _open_file(file: str) -> zipfile.ZipFile:
    try:
        archive = zipfile.ZipFile(file)
        if archive.namelist()[:1] == [_MARK]:
            return archive
        reason = "it is not a store"
    except OSError as fault:
        reason = fault.strerror or "it cannot be read"
    except (zipfile.BadZipFile, ValueError):
        reason = "it is not a store"
    raise UnreadableError(Problem(file, reason, "write one with applylint fetch -o FILE")) from None


def _read_in_file(file: str, name: str, most: int) -> bytes | None:
    try:
        archive = _open_file(file)
        entry = archive.getinfo(name)
        is_plain = entry.compress_type == zipfile.ZIP_STORED and entry.file_size <= most
        return archive.read(entry) if is_plain else None
    except (KeyError, zipfile.BadZipFile, OSError, ValueError, RuntimeError, NotImplementedError):
        return None
