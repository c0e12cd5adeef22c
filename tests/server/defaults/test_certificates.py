"""Defaults of certificates.k8s.io, as kube-apiserver 1.36 sets them."""

import pytest

from kubectl_applylint.core.values import JsonObject
from tests.server.defaults.support import fields_with_defaults


@pytest.mark.parametrize(
    ("api_version", "kind", "fields", "added"),
    [
        pytest.param(
            "certificates.k8s.io/v1beta1",
            "PodCertificateRequest",
            {"spec": {}},
            {"spec": {"maxExpirationSeconds": 86400}},
            id="a day",
        ),
        pytest.param(
            "certificates.k8s.io/v1beta1",
            "PodCertificateRequest",
            {"spec": {"maxExpirationSeconds": 3600}},
            {"spec": {"maxExpirationSeconds": 3600}},
            id="written",
        ),
        pytest.param(
            "certificates.k8s.io/v1",
            "CertificateSigningRequest",
            {"spec": {"signerName": "a/b"}},
            {"spec": {"signerName": "a/b"}},
            id="a signing request has none",
        ),
    ],
)
def test_a_kind_gets_its_defaults(api_version: str, kind: str, fields: JsonObject, added: JsonObject) -> None:
    assert fields_with_defaults(api_version, kind, fields) == added
