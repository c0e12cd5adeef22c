"""Validation of the addresses of webhooks: kube-apiserver 1.36.3, dry runs of 2026-11-21."""

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
            {"webhooks": [{**HOOK, "clientConfig": {}}]},
            ["webhooks[0].clientConfig: Required value: exactly one of url or service is required"],
            id="nowhere",
        ),
        pytest.param(
            {"webhooks": [{**HOOK, "clientConfig": {"url": "https://a", "service": {"name": "a", "namespace": "b"}}}]},
            ["webhooks[0].clientConfig: Required value: exactly one of url or service is required"],
            id="both ways",
        ),
        pytest.param(
            {"webhooks": [{**HOOK, "clientConfig": {"url": "http://a/b"}}]},
            [
                (
                    "webhooks[0].clientConfig.url: Invalid value: \"http\": 'https' is the only "
                    "allowed URL scheme; desired format: https://host[/path]"
                )
            ],
            id="in the clear",
        ),
        pytest.param(
            {"webhooks": [{**HOOK, "clientConfig": {"url": "https://a/b?c=d"}}]},
            ['webhooks[0].clientConfig.url: Invalid value: "c=d": query parameters are not permitted in the URL'],
            id="query",
        ),
        pytest.param(
            {"webhooks": [{**HOOK, "clientConfig": {"service": {"name": "", "namespace": "b"}}}]},
            ["webhooks[0].clientConfig.service.namespace: Required value"],
            id="no name",
        ),
        pytest.param(
            {"webhooks": [{**HOOK, "clientConfig": {"service": {"name": "a", "namespace": "b", "port": 0}}}]},
            [
                (
                    "webhooks[0].clientConfig.service.port: Invalid value: 0: port is not valid: "
                    "must be between 1 and 65535, inclusive"
                )
            ],
            id="port",
        ),
        pytest.param(
            {"webhooks": [{**HOOK, "clientConfig": {"service": {"name": "a", "namespace": "b", "path": "c"}}}]},
            [
                "webhooks[0].clientConfig.service.path: Invalid value: \"c\": must start with a '/'",
                ('webhooks[0].clientConfig.service.path: Invalid value: "c": segment[0] may not be empty'),
            ],
            id="path",
        ),
    ],
)
def test_errors_of_how_a_webhook_is_reached(patch: JsonObject, errors: list[str]) -> None:
    assert rejection_messages(BASE, patch) == errors
