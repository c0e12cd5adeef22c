"""Validation of events: kube-apiserver 1.36.3, dry runs of 2026-11-21."""

from typing import Final

import pytest

from kubectl_applylint.core.values import JsonObject
from tests.server.validate.objects import rejection_messages

BASE: Final[JsonObject] = {
    "apiVersion": "v1",
    "kind": "Event",
    "metadata": {"name": "x", "namespace": "default"},
    "involvedObject": {"kind": "Pod", "name": "a", "namespace": "default"},
    "reason": "a",
    "type": "Normal",
    "eventTime": "2026-01-02T03:04:05.000000Z",
    "reportingComponent": "example.com/a",
    "reportingInstance": "b",
    "action": "c",
}


@pytest.mark.parametrize(
    ("patch", "errors"),
    [
        pytest.param({}, [], id="valid"),
        pytest.param({"involvedObject": {"namespace": "other"}}, [], id="elsewhere"),
        pytest.param(
            {"reportingComponent": ""},
            [
                'reportingComponent: Invalid value: "": name part must be non-empty',
                (
                    'reportingComponent: Invalid value: "": name part must consist of alphanumeric '
                    "characters, '-', '_' or '.', and must start and end with an alphanumeric "
                    "character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for "
                    "validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"
                ),
                "reportingComponent: Required value",
            ],
            id="nobody",
        ),
        pytest.param(
            {"reportingComponent": "A b"},
            [
                (
                    'reportingComponent: Invalid value: "A b": name part must consist of '
                    "alphanumeric characters, '-', '_' or '.', and must start and end with an "
                    "alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used "
                    "for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"
                )
            ],
            id="who",
        ),
        pytest.param({"reportingInstance": ""}, ["reportingInstance: Required value"], id="no instance"),
        pytest.param({"action": ""}, ["action: Required value"], id="no action"),
    ],
)
def test_errors_of_events(patch: JsonObject, errors: list[str]) -> None:
    assert rejection_messages(BASE, patch) == errors
