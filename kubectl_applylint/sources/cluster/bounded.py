"""Bounds for answers: a deadline for the whole request, and a maximum size."""

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
"""Maximum size of an answer in bytes, after decompression: 40 objects of the maximum size in etcd."""
_CHUNK: Final = 64 * 1024
_GZIP: Final = 16 + zlib.MAX_WBITS
_DEADLINE: ContextVar[float | None] = ContextVar("deadline", default=None)


class TooLargeError(Exception):
    """Raised for an answer of more than ``MAX_BYTES``."""


@contextmanager
def deadline(moment: float | None) -> Iterator[None]:
    """Set the deadline of all reads in this block to ``moment`` (``time.monotonic``; ``None`` for no deadline)."""
    token = _DEADLINE.set(moment)
    try:
        yield
    finally:
        _DEADLINE.reset(token)


def remaining(moment: float | None) -> float | None:
    """Return the seconds left until ``moment``; raises ``TimeoutError`` if none are left."""
    if moment is None:
        return None
    left = moment - time.monotonic()
    if left <= 0:
        raise TimeoutError("the request timed out")
    return left


class _DeadlineReader(io.RawIOBase):
    """The bytes of a socket, with an overall deadline. A socket's own timeout restarts with every byte."""

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
    """Make the connections of a pool respect ``deadline`` while they read the head and body of an answer."""
    pool.pool_classes_by_scheme = {scheme: _bound(kind) for scheme, kind in pool.pool_classes_by_scheme.items()}


def _bound(pool: Any) -> type:
    connection = type("BoundConnection", (pool.ConnectionCls,), {"response_class": _Response})
    return type("BoundPool", (pool,), {"ConnectionCls": connection})


def body_of(response: BaseHTTPResponse) -> bytes:
    """Return the decompressed body of an unread answer; its connection can be reused afterwards.

    Raises ``TooLargeError``, and urllib3's exceptions for truncated bodies and invalid gzip data.
    """
    whole = bytearray()
    try:
        for piece in _decompress(response):
            whole += piece
            if len(whole) > MAX_BYTES:
                raise TooLargeError
    except BaseException:
        # The rest of the body must not be read as the next answer.
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
