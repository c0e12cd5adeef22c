"""Stored versions and names of definitions, as seen on Kubernetes 1.36.3."""

import pytest

from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.server.kinds.custom_resource_definition import prepare
from tests.server.defaults.support import fields_with_defaults

CONVERSION = {"conversion": {"strategy": "None"}}
HOOK = {"webhook": {"clientConfig": {"service": {"name": "n"}}}}


@pytest.mark.parametrize(
    ("versions", "status", "after"),
    [
        pytest.param([{"name": "v1"}, {"name": "v2", "storage": True}], {}, ["v2"], id="new"),
        pytest.param(
            [{"name": "v1"}, {"name": "v2", "storage": True}],
            {"storedVersions": ["v1"]},
            ["v1", "v2"],
            id="another version",
        ),
        pytest.param([{"storage": True}], {}, [""], id="a version without a name"),
    ],
)
def test_the_versions_that_were_stored(versions: list[JsonObject], status: JsonObject, after: list[str]) -> None:
    definition = {"spec": {"versions": versions}, "status": status}

    assert prepare(definition, None, 36)["status"] == {"storedVersions": after}


@pytest.mark.parametrize(
    ("spec", "after"),
    [
        pytest.param(
            {"names": {"kind": "Widget", "plural": "widgets"}},
            {
                **CONVERSION,
                "names": {"kind": "Widget", "plural": "widgets", "singular": "widget", "listKind": "WidgetList"},
            },
            id="names",
        ),
        pytest.param(
            {"names": {"kind": "W", "singular": "s", "listKind": "l"}, "conversion": HOOK},
            {
                "names": {"kind": "W", "singular": "s", "listKind": "l"},
                "conversion": {"webhook": {"clientConfig": {"service": {"name": "n", "port": 443}}}},
            },
            id="conversion by webhook",
        ),
        pytest.param(
            {"names": {"plural": "widgets"}},
            {**CONVERSION, "names": {"plural": "widgets"}},
            id="no kind",
        ),
    ],
)
def test_the_defaults(spec: JsonObject, after: JsonObject) -> None:
    assert fields_with_defaults("apiextensions.k8s.io/v1", "CustomResourceDefinition", {"spec": spec}) == {
        "spec": after
    }
