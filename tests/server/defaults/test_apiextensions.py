"""Defaults of definitions and API services, as kube-apiserver 1.36 sets them."""

import pytest

from kubectl_applylint.core.values import JsonObject
from tests.server.defaults.support import defaulted

CONVERSION = {"conversion": {"strategy": "None"}}
HOOK = {"webhook": {"clientConfig": {"service": {"name": "n"}}}}


@pytest.mark.parametrize(
    ("api_version", "kind", "fields", "added"),
    [
        pytest.param(
            "apiextensions.k8s.io/v1",
            "CustomResourceDefinition",
            {"spec": {"names": {"kind": "Widget", "plural": "widgets"}}},
            {
                "spec": {
                    **CONVERSION,
                    "names": {"kind": "Widget", "plural": "widgets", "singular": "widget", "listKind": "WidgetList"},
                }
            },
            id="names of a definition",
        ),
        pytest.param(
            "apiextensions.k8s.io/v1",
            "CustomResourceDefinition",
            {"spec": {"names": {"kind": "W", "singular": "s", "listKind": "l"}, "conversion": HOOK}},
            {
                "spec": {
                    "names": {"kind": "W", "singular": "s", "listKind": "l"},
                    "conversion": {"webhook": {"clientConfig": {"service": {"name": "n", "port": 443}}}},
                }
            },
            id="conversion by webhook",
        ),
        pytest.param(
            "apiregistration.k8s.io/v1",
            "APIService",
            {"spec": {"service": {}}},
            {"spec": {"service": {"port": 443}}},
            id="API service",
        ),
        pytest.param(
            "apiextensions.k8s.io/v1",
            "CustomResourceDefinition",
            {"spec": {"names": {"plural": "widgets"}}},
            {"spec": {**CONVERSION, "names": {"plural": "widgets"}}},
            id="no names without a kind",
        ),
    ],
)
def test_what_a_kind_gets(api_version: str, kind: str, fields: JsonObject, added: JsonObject) -> None:
    assert defaulted(api_version, kind, fields) == added
