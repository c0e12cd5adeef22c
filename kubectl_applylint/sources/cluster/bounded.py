"""Answers within bounds: one deadline for a request, however slowly the bytes come, and a largest size."""

import http.client
import io
import time
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Final

from urllib3 import BaseHTTPResponse, PoolManager
from urllib3.exceptions import DecodeError

MAX_BYTES: Final = 64 * 1024**2
"""The largest answer that is read, counted after decompression: 40 objects of the largest size that etcd stores."""
_CHUNK: Final = 64 * 1024
_GZIP: Final = 16 + zlib.MAX_WBITS
_DEADLINE: ContextVar[float | None] = ContextVar("deadline", default=None)


class TooLargeError(Exception):
    """An answer of more than ``MAX_BYTES``."""


@contextmanager
def deadline(moment: float | None) -> Iterator[None]:
    """Let every read of an answer in this block end at ``moment`` (``time.monotonic``), ``None`` for never."""
    token = _DEADLINE.set(moment)
    try:
        yield
    finally:
        _DEADLINE.reset(token)


def remaining(moment: float | None) -> float | None:
    """Return how many seconds are left until ``moment``; raise ``TimeoutError`` where there are none."""
    if moment is None:
        return None
    left = moment - time.monotonic()
    if left <= 0:
        raise TimeoutError("the request timed out")
    return left


class _DeadlineReader(io.RawIOBase):
    """The bytes of a socket. A socket's own time limit starts again with every byte; this one does not."""

    def __init__(self, sock: Any) -> None:
        self._sock = sock
        self._raw = sock.makefile("rb", buffering=0)
        self._deadline = _DEADLINE.get()
        self._pause = sock.gettimeout()

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:
        left = remaining(self._deadline)
        limits = [limit for limit in (left, self._pause) if limit is not None]
        self._sock.settimeout(min(limits) if limits else None)
        count: int | None = self._raw.readinto(buffer)
        return count

    def close(self) -> None:
        self._raw.close()
        super().close()


class _Response(http.client.HTTPResponse):
    def __init__(self, sock: Any, *args: Any, **named: Any) -> None:
        super().__init__(sock, *args, **named)
        self.fp.close()
        self.fp = io.BufferedReader(_DeadlineReader(sock))


def bound(pool: PoolManager) -> None:
    """Make the connections of a pool heed ``deadline`` while they read head and body of an answer."""
    pool.pool_classes_by_scheme = {scheme: _bound(kind) for scheme, kind in pool.pool_classes_by_scheme.items()}


def _bound(pool: Any) -> type:
    connection = type("BoundConnection", (pool.ConnectionCls,), {"response_class": _Response})
    return type("BoundPool", (pool,), {"ConnectionCls": connection})


def body_of(response: BaseHTTPResponse) -> bytes:
    """Return the body of an answer that is not read yet, decompressed; its connection can be used again afterwards.

    Raises ``TooLargeError``, and what urllib3 raises for bodies that are cut short or no gzip.
    """
    whole = bytearray()
    try:
        for piece in _decompress(response):
            whole += piece
            if len(whole) > MAX_BYTES:
                raise TooLargeError
    except BaseException:
        # What is left of the body must not be taken for the next answer.
        response.close()
        raise
    response.release_conn()
    return bytes(whole)


def _decompress(response: BaseHTTPResponse) -> Iterator[bytes]:
    encoding = response.headers.get("Content-Encoding", "").strip().lower()
    if encoding not in ("gzip", "x-gzip"):
        yield from _raw_chunks(response)
        return
    inflater, is_started = zlib.decompressobj(_GZIP), False
    for piece in _raw_chunks(response):
        rest = piece
        while rest:
            if inflater.eof:
                inflater, is_started = zlib.decompressobj(_GZIP), False
            is_started = True
            yield _inflate(inflater, rest)
            rest = inflater.unconsumed_tail or inflater.unused_data
    if is_started and not inflater.eof:
        raise DecodeError("the compressed data is truncated")


def _inflate(inflater: Any, piece: bytes) -> bytes:
    try:
        found: bytes = inflater.decompress(piece, _CHUNK)
    except zlib.error as error:
        raise DecodeError("the data is not gzip") from error
    return found


def _raw_chunks(response: BaseHTTPResponse) -> Iterator[bytes]:
    while piece := response.read(_CHUNK, decode_content=False):
        yield piece
