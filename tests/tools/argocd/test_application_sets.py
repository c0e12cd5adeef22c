"""The Applications that an ApplicationSet generates and deletes."""

import pytest

from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.tools.argocd.application_sets import deletes_applications, generated_application, with_patch
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
    assert deletes_applications({"spec": {"syncPolicy": {"applicationsSync": policy}}}, {}) is deletes


APPLICATION: JsonObject = {
    "metadata": {"name": "web", "finalizers": [FINALIZER]},
    "spec": {"project": "shop", "source": {"path": "web", "helm": {"valueFiles": ["a.yaml"]}}},
}


@pytest.mark.parametrize(
    ("patch", "found"),
    [
        ("", APPLICATION),
        (
            "metadata: {finalizers: [other]}",
            {**APPLICATION, "metadata": {"name": "web", "finalizers": [FINALIZER, "other"]}},
        ),
        ("spec: {project: admin}", APPLICATION),
        (
            "spec: {source: {path: null, helm: {valueFiles: [b.yaml]}}}",
            {**APPLICATION, "spec": {"project": "shop", "source": {"helm": {"valueFiles": ["b.yaml"]}}}},
        ),
        ("spec: {source: {path: '{{.unknown}}'}}", None),
        ("spec: {source: {$patch: replace}}", None),
        ("text", None),
    ],
)
def test_a_patch_of_the_template_changes_an_application(patch: str, found: JsonObject | None) -> None:
    assert with_patch(APPLICATION, patch) == found
