"""The requester and the spec of a certificate request, as seen on Kubernetes 1.36.3."""

from kubectl_applylint.server.kinds.certificate_signing_request import REQUESTER, prepare


def test_the_requester_of_a_certificate_is_the_user() -> None:
    request = {"spec": {"request": "r", "username": "me", "uid": "u"}}
    spec = prepare(request, None, 36)["spec"]

    assert spec == {"request": "r", "username": REQUESTER, "groups": REQUESTER, "uid": REQUESTER}


def test_the_spec_of_a_request_cannot_be_changed() -> None:
    old = {"spec": {"request": "r"}}
    result = prepare({"spec": {"request": "other"}}, old, 36)

    assert result["spec"] == {"request": "r"}
