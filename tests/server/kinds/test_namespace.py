"""Finalizers and phase of namespaces, as seen on Kubernetes 1.36.3."""

import pytest

from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.server.kinds.namespace import prepare


@pytest.mark.parametrize(
    ("old", "written", "after"),
    [
        pytest.param(None, {}, ["kubernetes"], id="new"),
        pytest.param(None, {"finalizers": ["x"]}, ["x", "kubernetes"], id="new with another"),
        pytest.param(None, {"finalizers": ["kubernetes"]}, ["kubernetes"], id="new with its own"),
        pytest.param(["kubernetes"], {"finalizers": ["x"]}, ["kubernetes"], id="they cannot be changed"),
    ],
)
def test_the_finalizers_of_a_namespace(old: list[str] | None, written: JsonObject, after: list[str]) -> None:
    stored = {"spec": {"finalizers": old}} if old else None
    result = prepare({"metadata": {"name": "n"}, "spec": written}, stored, 36)

    assert (result["spec"], result.get("status")) == ({"finalizers": after}, None if old else {"phase": "Active"})
