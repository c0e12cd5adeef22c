"""Answers that come slowly, are large, or are not compressed as they say; over a real socket."""

import gzip
import time
import zlib

import pytest
import urllib3
from urllib3.exceptions import DecodeError, HTTPError, IncompleteRead

from kubectl_applylint.sources.cluster import bounded
from kubectl_applylint.sources.cluster.bounded import TooLargeError, body_of, bound, deadline, remaining
from tests.sources.apiserver import Reply, serving

TEXT = b"kubernetes" * 30_000


def response_body(body: bytes, *, encoding: str = "", cut: int = 0) -> bytes:
    headers = {"Content-Encoding": encoding} if encoding else {}
    pool = urllib3.PoolManager(retries=False)
    bound(pool)
    with serving({"/x": Reply(200, body, headers, cut=cut)}) as server:
        try:
            return body_of(pool.request("GET", f"{server.url}/x", preload_content=False))
        finally:
            pool.clear()


@pytest.mark.parametrize(
    ("body", "encoding"),
    [
        pytest.param(TEXT, "", id="plain"),
        pytest.param(b"", "", id="empty"),
        pytest.param(gzip.compress(TEXT), "gzip", id="gzip"),
        pytest.param(gzip.compress(TEXT), " X-GZIP ", id="gzip by its old name"),
        pytest.param(gzip.compress(TEXT[:7]) + gzip.compress(TEXT[7:]), "gzip", id="gzip in two members"),
        pytest.param(b"", "gzip", id="gzip of nothing at all"),
    ],
)
def test_a_body_is_read_whole(body: bytes, encoding: str) -> None:
    assert response_body(body, encoding=encoding) == (TEXT if body else b"")


@pytest.mark.parametrize(
    ("body", "message"),
    [
        pytest.param(gzip.compress(TEXT)[:-9], "truncated", id="half of it"),
        pytest.param(TEXT, "not gzip", id="no gzip"),
        pytest.param(zlib.compress(TEXT), "not gzip", id="another compression"),
    ],
)
def test_a_body_in_another_encoding_is_an_error(body: bytes, message: str) -> None:
    with pytest.raises(DecodeError, match=message):
        response_body(body, encoding="gzip")


def test_a_body_that_is_cut_short_is_an_error() -> None:
    with pytest.raises((IncompleteRead, HTTPError)):
        response_body(TEXT, cut=1)


@pytest.mark.parametrize("encoding", ["", "gzip"])
def test_no_more_is_read_than_the_bound(monkeypatch: pytest.MonkeyPatch, encoding: str) -> None:
    """A small answer may become a large one; what counts is what comes out."""
    monkeypatch.setattr(bounded, "MAX_BYTES", len(TEXT))
    body = TEXT + b"x"

    assert response_body(gzip.compress(TEXT) if encoding else TEXT, encoding=encoding) == TEXT
    with pytest.raises(TooLargeError):
        response_body(gzip.compress(body) if encoding else body, encoding=encoding)


def test_the_remaining_time_ends_with_an_error() -> None:
    assert remaining(None) is None
    assert 5 < (remaining(time.monotonic() + 10) or 0) <= 10
    with pytest.raises(TimeoutError):
        remaining(time.monotonic() - 1)


def test_an_answer_after_the_deadline_is_not_read() -> None:
    with deadline(time.monotonic() - 1), pytest.raises((HTTPError, TimeoutError)):
        response_body(TEXT)
    assert response_body(TEXT) == TEXT


@pytest.mark.slow
def test_a_server_that_says_nothing_ends_at_the_deadline() -> None:
    pool = urllib3.PoolManager(retries=False)
    bound(pool)
    begin = time.monotonic()
    with serving({"/x": Reply(hangs=True)}) as server, deadline(begin + 0.3):
        with pytest.raises((HTTPError, TimeoutError)):
            pool.request("GET", f"{server.url}/x", preload_content=False)
        assert time.monotonic() - begin < 5
        pool.clear()
