"""Errors that no server of ours can cause; the rest is in ``test_transport``."""

import ssl

import pytest
from urllib3 import exceptions

from kubectl_applylint.sources.cluster import http_errors
from kubectl_applylint.sources.cluster.http_result import FailureClass
from kubectl_applylint.sources.cluster.target import ClusterTarget

TARGET = ClusterTarget("cluster prod", "default", "https://host", "jane", {}, {}, timeout=None)


def verification(code: int) -> exceptions.SSLError:
    inner = ssl.SSLCertVerificationError("s3cret")
    inner.verify_code = code
    return exceptions.SSLError(inner)


def handshake(reason: str) -> exceptions.SSLError:
    inner = ssl.SSLError("s3cret")
    inner.reason = reason
    return exceptions.SSLError(inner)


@pytest.mark.parametrize(
    ("error", "trouble", "message"),
    [
        (verification(9), FailureClass.TLS, "the certificate of https://host is not valid yet"),
        (verification(26), FailureClass.TLS, "the certificate of https://host cannot be verified (code 26)"),
        (verification(62), FailureClass.TLS, "the certificate of https://host is not for host"),
        (
            handshake("TLSV13_ALERT_CERTIFICATE_REQUIRED"),
            FailureClass.TLS,
            "https://host does not accept the client certificate",
        ),
        (
            handshake("TLSV1_ALERT_PROTOCOL_VERSION"),
            FailureClass.TLS,
            "TLS connection with https://host failed: tlsv1 alert protocol version",
        ),
        (exceptions.SSLError("s3cret"), FailureClass.TLS, "TLS connection with https://host failed: no reason given"),
        (
            OSError(101, "Network is unreachable"),
            FailureClass.UNREACHABLE,
            "cannot reach https://host: it could not be connected to (network is unreachable)",
        ),
        (exceptions.ReadTimeoutError(None, "/", "s3cret"), FailureClass.SLOW, "https://host did not answer"),  # type: ignore[arg-type]  # the pool is not looked at
    ],
    ids=["too early", "other code", "other name", "client", "protocol", "no reason", "network", "no limit"],
)
def test_failures_that_are_hard_to_bring_about(error: Exception, trouble: FailureClass, message: str) -> None:
    found = http_errors.failure_of_error(error, TARGET)

    assert (found.failure_class, found.message) == (trouble, message)
    assert "s3cret" not in repr(found)
