"""What the Flux operator creates for a FluxInstance."""

import pytest

from kubectl_applylint.core.values import dig
from kubectl_applylint.tools.flux.instances import created_objects
from tests.units.documents import documents

SYNC = "sync: {kind: GitRepository, url: https://host/team/deploy, ref: refs/heads/main, path: ./clusters/prod%s}"
INSTANCE = """\
apiVersion: fluxcd.controlplane.io/v1
kind: FluxInstance
metadata: {name: flux, namespace: gitops}
spec: {%s}
"""
RELEASE = """\
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: flux-instance}
spec: {values: {instance: {%s}}}
"""


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (INSTANCE % (SYNC % ""), "gitops/gitops"),
        (INSTANCE % (SYNC % ", name: main"), "gitops/main"),
        (RELEASE % (SYNC % ""), "flux-system/flux-system"),
    ],
)
def test_an_instance_creates_a_source_and_a_kustomization(text: str, name: str) -> None:
    source, kustomization = created_objects(documents(text)[0])

    assert [(one.ref.kind, f"{one.ref.namespace}/{one.ref.name}") for one in (source, kustomization)] == [
        ("GitRepository", name),
        ("Kustomization", name),
    ]
    assert source.object["spec"] == {"url": "https://host/team/deploy", "ref": {"name": "refs/heads/main"}}
    assert dig(kustomization.object, "spec", "path") == "./clusters/prod"
    assert dig(kustomization.object, "spec", "sourceRef", "name") == name.partition("/")[2]


@pytest.mark.parametrize(
    ("kind", "spec"),
    [
        ("OCIRepository", {"url": "oci://host/deploy", "ref": {"tag": "latest"}}),
        ("Bucket", {"endpoint": "oci://host/deploy", "bucketName": "latest"}),
    ],
)
def test_the_source_has_the_kind_of_the_instance(kind: str, spec: object) -> None:
    sync = f"sync: {{kind: {kind}, url: 'oci://host/deploy', ref: latest, path: .}}"

    assert created_objects(documents(INSTANCE % sync)[0])[0].object["spec"] == spec


@pytest.mark.parametrize(
    "spec",
    [
        "",
        "sync: {kind: GitRepository, url: https://host/a, ref: main}",
        "sync: {kind: Other, url: https://host/a, ref: main, path: .}",
        "sync: {kind: GitRepository, url: https://host/a, ref: main, path: 'clusters/${NAME}'}",
        SYNC % "" + ", kustomize: {patches: [{target: {kind: Kustomization}, patch: '[]'}]}",
        SYNC % "" + ", kustomize: {patches: [{patch: 'kind: Kustomization'}]}",
    ],
)
def test_nothing_is_created_if_the_object_alone_does_not_show_it(spec: str) -> None:
    assert created_objects(documents(INSTANCE % spec)[0]) == ()


def test_a_patch_of_a_controller_leaves_the_kustomization() -> None:
    spec = SYNC % "" + ", kustomize: {patches: [{target: {kind: Deployment}, patch: '[]'}]}"

    assert created_objects(documents(INSTANCE % spec)[0])


def test_another_object_creates_nothing() -> None:
    text = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n"

    assert created_objects(documents(text)[0]) == ()
