"""Validation of definitions of kinds: kube-apiserver 1.36.3, dry runs of 2026-11-21."""

from typing import Final

import pytest

from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.server.validate.formats import dns_1035_label
from tests.server.validate.objects import LAMPS, rejection_messages

BASE: Final = LAMPS
DEPRECATED: Final[JsonObject] = {**LAMPS["spec"]["versions"][0], "deprecated": True}


@pytest.mark.parametrize(
    ("patch", "errors"),
    [
        pytest.param({}, [], id="valid"),
        pytest.param(
            {"spec": {"versions": [{**LAMPS["spec"]["versions"][0], "name": "V1"}]}},
            [
                f'{field}: Invalid value: "V1": {words}'
                for field in ("spec.version", "spec.versions[0].name")
                for words in dns_1035_label("V1")
            ],
            id="name of the first version",
        ),
        pytest.param(
            {"spec": {"names": {"shortNames": ["lp", ""]}}},
            [f'spec.names.shortNames[1]: Invalid value: "": {words}' for words in dns_1035_label("")],
            id="short name of no letters",
        ),
        pytest.param(
            {"metadata": {"name": "lamp.example.com"}},
            ['metadata.name: Invalid value: "lamp.example.com": must be spec.names.plural+"."+spec.group'],
            id="another name",
        ),
        pytest.param(
            {"spec": {"scope": "Galaxy"}},
            ['spec.scope: Unsupported value: "Galaxy": supported values: "Cluster", "Namespaced"'],
            id="scope",
        ),
        pytest.param(
            {"spec": {"versions": [{"name": "v1", "served": True, "storage": True}]}},
            ["spec.versions[0].schema.openAPIV3Schema: Required value"],
            id="no schema",
        ),
        pytest.param(
            {"spec": {"versions": [{**LAMPS["spec"]["versions"][0], "deprecationWarning": "use v2"}]}},
            ['spec.versions[0].deprecationWarning: Invalid value: "use v2": can only be set for deprecated versions'],
            id="deprecation warning of a version that is not deprecated",
        ),
        pytest.param(
            {"spec": {"versions": [{**DEPRECATED, "deprecationWarning": "ä\n"}]}},
            [
                (
                    'spec.versions[0].deprecationWarning: Invalid value: "ä\\n": must only contain printable UTF-8 '
                    "characters; non-printable character found at index 2"
                )
            ],
            id="deprecation warning of two lines",
        ),
        pytest.param(
            {"spec": {"names": {"shortNames": ["A b"]}}},
            [
                (
                    'spec.names.shortNames[0]: Invalid value: "A b": a DNS-1035 label must consist '
                    "of lower case alphanumeric characters or '-', start with an alphabetic "
                    "character, and end with an alphanumeric character (e.g. 'my-name',  or "
                    "'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')"
                )
            ],
            id="short names",
        ),
    ],
)
def test_errors_of_definitions_of_kinds(patch: JsonObject, errors: list[str]) -> None:
    assert rejection_messages(BASE, patch) == errors
