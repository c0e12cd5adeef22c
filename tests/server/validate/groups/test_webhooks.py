"""Validation of webhooks: kube-apiserver 1.36.3, dry runs of 2026-11-21."""

from typing import Final

import pytest

from kubectl_applylint.core.values import JsonObject
from tests.server.validate.objects import HOOK, WEBHOOKS, rejection_messages

BASE: Final = WEBHOOKS


@pytest.mark.parametrize(
    ("patch", "errors"),
    [
        pytest.param({}, [], id="valid"),
        pytest.param(
            {"webhooks": [{**HOOK, "name": "a"}]},
            [
                (
                    'webhooks[0].name: Invalid value: "a": should be a domain with at least three '
                    "segments separated by dots"
                )
            ],
            id="short name",
        ),
        pytest.param(
            {"webhooks": [HOOK, HOOK]}, ['webhooks[1].name: Duplicate value: "a.example.com"'], id="one name twice"
        ),
        pytest.param(
            {"webhooks": [{**HOOK, "sideEffects": "Some"}]},
            ['webhooks[0].sideEffects: Unsupported value: "Some": supported values: "None", "NoneOnDryRun"'],
            id="side effects",
        ),
        pytest.param(
            {"webhooks": [{**HOOK, "timeoutSeconds": 31}]},
            ["webhooks[0].timeoutSeconds: Invalid value: 31: the timeout value must be between 1 and 30 seconds"],
            id="time out",
        ),
        pytest.param(
            {"webhooks": [{**HOOK, "admissionReviewVersions": []}]},
            ["webhooks[0].admissionReviewVersions: Required value: must specify one of v1, v1beta1"],
            id="no versions",
        ),
        pytest.param(
            {"webhooks": [{**HOOK, "admissionReviewVersions": ["v2"]}]},
            ['webhooks[0].admissionReviewVersions: Invalid value: ["v2"]: must include at least one of v1, v1beta1'],
            id="unknown versions",
        ),
    ],
)
def test_errors_of_webhooks(patch: JsonObject, errors: list[str]) -> None:
    assert rejection_messages(BASE, patch) == errors
