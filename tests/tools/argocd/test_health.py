"""Objects that Argo CD waits for without end. Facts: ``pkg/health`` of gitops-engine."""

import pytest

from kubectl_applylint.core.paths import render
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.tools.argocd.health import suspended_at


@pytest.mark.parametrize(
    ("api_version", "kind", "more", "expected"),
    [
        ("apps/v1", "Deployment", {"spec": {"paused": True}}, "spec.paused"),
        ("apps/v1", "Deployment", {"spec": {"paused": False}}, ""),
        ("apps/v1", "Deployment", {"spec": {"suspend": True}}, ""),
        ("apps/v1", "StatefulSet", {"spec": {"paused": True}}, ""),
        ("batch/v1", "Job", {"spec": {"suspend": True}}, "spec.suspend"),
        ("batch/v1", "Job", {"spec": {"suspend": True}, "status": {"conditions": [{"type": "Complete"}]}}, ""),
        ("batch/v1", "CronJob", {"spec": {"suspend": True}}, ""),
    ],
)
def test_suspended_objects_have_the_field_that_suspends_them(
    api_version: str, kind: str, more: JsonObject, expected: str
) -> None:
    path = suspended_at({"apiVersion": api_version, "kind": kind, "metadata": {"name": "web"}, **more})

    assert (render(path) if path else "") == expected
