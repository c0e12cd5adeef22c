"""Packed charts for tests."""

import gzip
import io
import tarfile
from collections.abc import Iterable


def packed_chart(name: str = "web", version: str = "1.2.3", more: Iterable[tuple[str, bytes]] = ()) -> bytes:
    """Return a packed chart with one ConfigMap."""
    metadata = f"apiVersion: v2\nname: {name}\nversion: {version}\nappVersion: '5.0'\n".encode()
    template = b"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: '{{ .Release.Name }}'}\ndata: {a: {{ .Values.a }}}\n"
    files = [("Chart.yaml", metadata), ("values.yaml", b"a: b\n"), ("templates/one.yaml", template)]
    return pack([(tarfile.TarInfo(f"{name}/{path}"), content) for path, content in (*files, *more)])


def pack(entries: Iterable[tuple[tarfile.TarInfo, bytes]]) -> bytes:
    """Return a packed archive; equal entries give equal archives."""
    content = io.BytesIO()
    with tarfile.open(fileobj=content, mode="w") as archive:
        for member, text in entries:
            member.size = len(text)
            archive.addfile(member, io.BytesIO(text))
    return gzip.compress(content.getvalue(), mtime=0)
