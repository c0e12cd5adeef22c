import pytest

from kubectl_applylint.sources.cluster.http_result import FailureClass

FINAL = {FailureClass.UNREACHABLE, FailureClass.TLS, FailureClass.UNAUTHORIZED}


@pytest.mark.parametrize("trouble", FailureClass)
def test_after_some_failures_no_other_request_can_succeed(trouble: FailureClass) -> None:
    """A slow or forbidden request says nothing of others; a certificate that is not accepted never will be."""
    assert trouble.ends_all == (trouble in FINAL)
