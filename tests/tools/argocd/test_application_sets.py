"""The Applications that an ApplicationSet generates and deletes."""

import pytest

from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.tools.argocd.application_sets import deletes_applications, generated_application
from tests.units.documents import documents

FINALIZER = "resources-finalizer.argocd.argoproj.io"
SET = """\
apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata: {name: apps, namespace: argocd}
spec: {syncPolicy: {%s}}
"""


@pytest.mark.parametrize(
    ("policy", "metadata", "finalizers"),
    [
        ("", {}, [FINALIZER]),
        ("", {"finalizers": ["other"]}, ["other"]),
        ("preserveResourcesOnDeletion: true", {}, None),
    ],
)
def test_a_generated_application_deletes_its_objects(
    policy: str, metadata: JsonObject, finalizers: list[str] | None
) -> None:
    (document,) = documents(SET % policy)
    made = generated_application({"metadata": {"name": "web", **metadata}, "spec": {}}, document)

    assert (made["kind"], made["metadata"]["namespace"]) == ("Application", "argocd")
    assert made["metadata"].get("finalizers") == finalizers


@pytest.mark.parametrize(
    ("policy", "deletes"),
    [("", True), ("sync", True), ("create-delete", True), ("create-only", False), ("create-update", False)],
)
def test_a_policy_keeps_applications(policy: str, deletes: bool) -> None:
    assert deletes_applications({"spec": {"syncPolicy": {"applicationsSync": policy}}}) is deletes
