"""Reads the packed archive of a chart into memory, with limits, and without anything that could leave its folder."""

import io
import tarfile
import zlib
from collections.abc import Iterator, Mapping
from typing import Final

from kubectl_applylint.core.records import dataclass, field
from kubectl_applylint.core.values import mapping, text_at
from kubectl_applylint.sources.render.chart_files import CHART
from kubectl_applylint.sources.system import inner_path
from kubectl_applylint.sources.system.inner_path import UnsafePath
from kubectl_applylint.sources.text.manifests import first_document

MEBIBYTE: Final = 1 << 20
MOST_PACKED: Final = 64 * MEBIBYTE
MOST_UNPACKED: Final = 512 * MEBIBYTE
MOST_ENTRIES: Final = 20_000
_GZIP: Final = 31
"""The format and the window of ``zlib``."""
_PLAIN_FILES: Final = (tarfile.REGTYPE, tarfile.AREGTYPE)
"""The types of files; sparse ones may be larger than the archive."""
_DAMAGED: Final = "the archive is damaged"


class ArchiveError(ValueError):
    """An archive is damaged, unsafe or too large; the text is the reason."""


@dataclass(frozen=True, slots=True)
class ChartArchive:
    """An unpacked chart: its files by their paths below the folder of the chart."""

    files: Mapping[str, bytes] = field(repr=False)
    name: str
    version: str
    app_version: str = ""


def read_archive(packed: bytes) -> ChartArchive:
    """Return the chart in a packed archive; raises ``ArchiveError``."""
    return _chart(read_files(packed))


def read_files(packed: bytes) -> Mapping[str, bytes]:
    """Return the files below the one folder of a packed archive; raises ``ArchiveError``."""
    files = unpack_files(packed)
    top = {path.partition("/")[0] for path in files}
    if len(top) != 1:
        raise ArchiveError("the archive has not exactly one folder")
    start = len(top.pop()) + 1
    return {path[start:]: content for path, content in files.items() if path[start:]}


def unpack_files(packed: bytes) -> Mapping[str, bytes]:
    """Return the files of a packed archive by path; raises ``ArchiveError``."""
    if len(packed) > MOST_PACKED:
        raise ArchiveError(f"the archive has more than {MOST_PACKED // MEBIBYTE} MiB")
    try:
        with tarfile.open(fileobj=_unpack(packed), mode="r:") as archive:
            return dict(_files(archive))
    except (tarfile.TarError, EOFError, OSError, UnicodeError) as fault:
        raise ArchiveError(_DAMAGED) from fault


def _chart(files: Mapping[str, bytes]) -> ChartArchive:
    content = files.get(CHART, b"")
    if len(content) > MEBIBYTE:
        raise ArchiveError(f"its {CHART} has more than 1 MiB")
    metadata = mapping(first_document(content))
    name, version = text_at(metadata, "name"), str(metadata.get("version") or "")
    if not name or not version:
        raise ArchiveError(f"the archive is not a chart: its {CHART} has no name or no version")
    return ChartArchive(files, name, version, str(metadata.get("appVersion") or ""))


def _unpack(packed: bytes) -> io.BytesIO:
    """Return the content of a gzip file with at most ``MOST_UNPACKED`` bytes."""
    decompressor, unpacked, rest = zlib.decompressobj(wbits=_GZIP), io.BytesIO(), packed
    try:
        while rest and not decompressor.eof:
            unpacked.write(decompressor.decompress(rest, MEBIBYTE))
            rest = decompressor.unconsumed_tail
            if unpacked.tell() > MOST_UNPACKED:
                raise ArchiveError(f"the archive has more than {MOST_UNPACKED // MEBIBYTE} MiB unpacked")
    except zlib.error:
        raise ArchiveError(_DAMAGED) from None
    if not decompressor.eof:
        raise ArchiveError(_DAMAGED)
    unpacked.seek(0)
    return unpacked


def _files(archive: tarfile.TarFile) -> Iterator[tuple[str, bytes]]:
    for number, member in enumerate(archive):
        if number >= MOST_ENTRIES:
            raise ArchiveError(f"the archive has more than {MOST_ENTRIES} entries")
        name = member.name.removeprefix("./").rstrip("/")
        if member.isdir() and name in ("", "."):
            continue
        path = inner_path.parse(name)
        if isinstance(path, UnsafePath):
            raise ArchiveError(f"the archive has an unsafe path: {path.reason}")
        if not member.isdir() and member.type not in _PLAIN_FILES:
            raise ArchiveError("the archive has a link or a device")
        if content := None if member.isdir() else archive.extractfile(member):
            yield name, content.read()
