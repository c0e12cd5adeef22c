"""Managed fields of a configuration that kubectl applies server-side, besides the object itself."""

import json

import pytest

from kubectl_applylint.core.state import LAST_APPLIED
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.server.apply import last_applied_of


@pytest.mark.parametrize(
    ("metadata", "kept"),
    [
        pytest.param({"name": "a"}, {"name": "a"}, id="no annotations"),
        pytest.param({"name": "a", "annotations": None}, {"name": "a"}, id="null"),
        pytest.param({"annotations": {}}, {"annotations": {}}, id="empty"),
        pytest.param({"annotations": {LAST_APPLIED: "{}"}}, {"annotations": {}}, id="the annotation alone"),
        pytest.param({"annotations": {LAST_APPLIED: "{}", "a": "b"}}, {"annotations": {"a": "b"}}, id="others too"),
    ],
)
def test_the_annotation_never_holds_itself(metadata: JsonObject, kept: JsonObject) -> None:
    """``buildLastApplied`` of apimachinery sets the annotations that are left, be they none; recorded on 1.36.3."""
    assert json.loads(last_applied_of({"kind": "ConfigMap", "metadata": metadata})) == {
        "kind": "ConfigMap",
        "metadata": kept,
    }
