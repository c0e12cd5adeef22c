"""Validation of requests for certificates: kube-apiserver 1.36.3, dry runs of 2026-11-21."""

from base64 import b64encode
from typing import Final

import pytest

from kubectl_applylint.core.values import JsonObject
from tests.server.validate.objects import rejection_messages

_MARK: Final = "CERTIFICATE REQUEST-----"
_BEGIN: Final = b64encode(f"-----BEGIN {_MARK}\n".encode()).decode()
_NO_BASE64: Final = b64encode(f"-----BEGIN {_MARK}\n?!\n-----END {_MARK}\n".encode()).decode()
BASE: Final[JsonObject] = {
    "apiVersion": "certificates.k8s.io/v1",
    "kind": "CertificateSigningRequest",
    "metadata": {"name": "x"},
    "spec": {
        "request": (
            "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIS01IRUNBUUF3RHpFTk1Bc0dBMVVFQXd3RWFtRnVaVEJaTUJN"
            "R0J5cUdTTTQ5QWdFR0NDcUdTTTQ5QXdFSApBMElBQkN5SHVNK0hMeS9ZalNRZWUrZkkzY052VnhYL05hM3NUdU9ZMkJFT25hQTVE"
            "dStiNmJxNk9RUEsyNTNiCndBVkUvSFQ4NVRvWVYzQ3FaWHBxNFJ6dXVZZWdBREFLQmdncWhrak9QUVFEQWdOSkFEQkdBaUVBOGtE"
            "L0VSK3YKWGdCUjhzSktlejdyeVBQOEphTGFrc2dUMTF1cFM4R2R0amtDSVFDaXJ6UVFXVU4wQytZN1M2Rm5FSmlXNE82UApPb0Y5"
            "S2VvQ01iN1FYODJpSkE9PQotLS0tLUVORCBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0K"
        ),
        "signerName": "example.com/a",
        "usages": ["client auth"],
    },
}


@pytest.mark.parametrize(
    ("patch", "errors"),
    [
        pytest.param({}, [], id="valid"),
        pytest.param(
            {"spec": {"request": "YQ=="}},
            ['spec.request: Invalid value: "YQ==": PEM block type must be CERTIFICATE REQUEST'],
            id="no request",
        ),
        pytest.param(
            {"spec": {"request": _BEGIN}},
            [f'spec.request: Invalid value: "{_BEGIN}": PEM block type must be CERTIFICATE REQUEST'],
            id="no end",
        ),
        pytest.param(
            {"spec": {"request": _NO_BASE64}},
            [f'spec.request: Invalid value: "{_NO_BASE64}": PEM block type must be CERTIFICATE REQUEST'],
            id="no base64 in the block",
        ),
        pytest.param(
            {"spec": {"signerName": "a"}},
            [
                (
                    'spec.signerName: Invalid value: "a": must be a fully qualified domain and path '
                    "of the form 'example.com/signer-name'"
                )
            ],
            id="signer",
        ),
        pytest.param({"spec": {"usages": []}}, ["spec.usages: Required value"], id="no usages"),
        pytest.param(
            {"spec": {"usages": ["client auth", "client auth"]}},
            ['spec.usages[1]: Duplicate value: "client auth"'],
            id="usage twice",
        ),
        pytest.param(
            {"spec": {"usages": ["any at all"]}},
            [
                (
                    'spec.usages[0]: Unsupported value: "any at all": supported values: "any", "cert '
                    'sign", "client auth", "code signing", "content commitment", "crl sign", "data '
                    'encipherment", "decipher only", "digital signature", "email protection", '
                    '"encipher only", "ipsec end system", "ipsec tunnel", "ipsec user", "key '
                    'agreement", "key encipherment", "microsoft sgc", "netscape sgc", "ocsp '
                    'signing", "s/mime", "server auth", "signing", "timestamping"'
                )
            ],
            id="unknown usage",
        ),
        pytest.param(
            {"spec": {"expirationSeconds": 599}},
            [
                (
                    "spec.expirationSeconds: Invalid value: 599: may not specify a duration less "
                    "than 600 seconds (10 minutes)"
                )
            ],
            id="too short",
        ),
    ],
)
def test_errors_of_requests_for_certificates(patch: JsonObject, errors: list[str]) -> None:
    assert rejection_messages(BASE, patch) == errors
