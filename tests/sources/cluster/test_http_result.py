import pytest

from kubectl_applylint.sources.cluster.http_result import Trouble

FINAL = {Trouble.UNREACHABLE, Trouble.TLS, Trouble.UNAUTHORIZED}


@pytest.mark.parametrize("trouble", Trouble)
def test_after_some_failures_no_other_request_can_succeed(trouble: Trouble) -> None:
    """A slow or forbidden request says nothing of others; a certificate that is not accepted never will be."""
    assert trouble.ends_all == (trouble in FINAL)
