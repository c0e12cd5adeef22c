"""The message of Flux for a reconciliation that fails."""

import pytest

from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.tools.flux.kustomization import GROUP
from kubectl_applylint.tools.flux.program import sorted_documents
from tests.engine.test_set_apply import config, manifest
from tests.fidelity.flux_message import message
from tests.rules.stories import document
from tests.tools.flux.test_stages import BAD, ROLE, reconcile, service

NIGHTLY = {**manifest("CronJob", "nightly", "shop"), "apiVersion": "batch/v1beta1"}
IGNORED = {**ROLE, "metadata": {"name": "r", "labels": {f"{GROUP}/reconcile": "disabled"}}}


@pytest.mark.parametrize(
    ("manifests", "text"),
    [
        pytest.param([config("a")], "", id="success"),
        pytest.param(
            [config("a"), BAD],
            'ConfigMap/shop/bad dry-run failed (Invalid): ConfigMap "bad" is invalid: data[a b]: Invalid value: "a b":'
            " a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or"
            " 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')",
            id="a check",
        ),
        pytest.param(
            [NIGHTLY],
            'CronJob/shop/nightly dry-run failed: no matches for kind "CronJob" in version "batch/v1beta1"',
            id="no such kind",
        ),
        pytest.param([IGNORED], "timeout waiting for: [ClusterRole/r status: 'NotFound']", id="nothing to wait for"),
        pytest.param(
            [service("a"), service("b")],
            'Service/shop/b apply failed: Service "b" is invalid: spec.ports[0].nodePort: Invalid value: 30080:'
            " provided port is already allocated",
            id="an apply",
        ),
    ],
)
def test_the_message_is_that_of_the_first_failure(manifests: list[JsonObject], text: str) -> None:
    assert message(reconcile(*manifests).outcomes) == text


def test_a_namespace_that_is_missing_is_not_found() -> None:
    shop = manifest("Namespace", "shop", spec={"finalizers": 1})

    assert message(reconcile(config("a"), shop).outcomes).startswith("Namespace/shop dry-run failed")


def test_documents_are_sorted_by_stage() -> None:
    assert [one.ref.name for one in sorted_documents(document(item) for item in (config("a"), ROLE))] == ["r", "a"]
