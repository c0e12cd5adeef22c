"""Objects that the Flux operator creates for a FluxInstance."""

import pytest

from kubectl_applylint.core.values import dig
from kubectl_applylint.tools.flux.instances import (
    created_objects,
    is_created,
    is_instance,
    patches_of_sync,
    unfollowed_reason,
)
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
    ],
)
def test_nothing_is_created_if_the_object_alone_does_not_show_it(spec: str) -> None:
    assert created_objects(documents(INSTANCE % spec)[0]) == ()


@pytest.mark.parametrize(
    ("patches", "count"),
    [
        ("{target: {kind: Kustomization}, patch: '[]'}", 1),
        ("{target: {kind: (GitRepository|Bucket), name: a}, patch: '[]'}", 1),
        ("{target: {name: flux-system}, patch: '[]'}", 1),
        ("{patch: 'kind: Kustomization'}", 1),
        ("{target: {kind: Deployment}, patch: '[]'}", 0),
        ("{patch: 'kind: Deployment'}", 0),
    ],
)
def test_the_patches_of_the_kustomization_and_the_source_are_known(patches: str, count: int) -> None:
    (document,) = documents(INSTANCE % (SYNC % "" + f", kustomize: {{patches: [{patches}]}}"))

    assert len(patches_of_sync(document)) == count
    assert created_objects(document)


@pytest.mark.parametrize(
    ("spec", "reason"),
    [
        (SYNC % "", ""),
        ("", ""),
        ("sync: {kind: GitRepository, url: https://host/a, ref: main}", "its sync has no path"),
        ("sync: {kind: Other, url: https://host/a, ref: main, path: .}", "its sync has no known kind"),
        (
            "sync: {kind: GitRepository, url: https://host/a, ref: main, path: 'clusters/${NAME}'}",
            "a field of its sync has a variable that is not known",
        ),
    ],
)
def test_an_instance_that_is_not_followed_has_a_reason(spec: str, reason: str) -> None:
    assert unfollowed_reason(documents(INSTANCE % spec)[0]) == reason


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (INSTANCE % "", True),
        (RELEASE % (SYNC % ""), True),
        (RELEASE.replace("{values: {instance: {%s}}}", "{chartRef: {kind: OCIRepository, name: flux-instance}}"), True),
        (RELEASE.replace("{values: {instance: {%s}}}", "{chart: {spec: {chart: other}}}"), False),
        ("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: flux-instance}\n", False),
    ],
)
def test_an_instance_is_an_object_or_a_release_of_its_chart(text: str, *, expected: bool) -> None:
    assert is_instance(documents(text)[0]) is expected


def test_the_operator_creates_its_objects_with_a_label() -> None:
    source, _ = created_objects(documents(INSTANCE % (SYNC % ""))[0])

    assert is_created(source)
    assert not is_created(None)


def test_another_object_creates_nothing() -> None:
    text = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n"

    assert created_objects(documents(text)[0]) == ()
