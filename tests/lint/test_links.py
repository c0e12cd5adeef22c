"""References of fields to other objects."""

import pytest

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.paths import parse
from kubectl_applylint.lint.links import (
    DirectoryLink,
    Link,
    ObjectLink,
    SelectorLink,
    is_link_to,
    link_at,
    words_of,
)
from kubectl_applylint.sources.text.manifests import read_text


def document(text: str) -> Document:
    (found,) = read_text(text, "a.yaml").documents
    return found


POD = document(
    "apiVersion: v1\nkind: Pod\nmetadata: {name: a, namespace: shop}\nspec:\n  serviceAccountName: web\n"
    "  imagePullSecrets: [{name: pull}]\n  nodeName: ''\n"
    "  containers: [{name: web, envFrom: [{configMapRef: {name: settings}}, {prefix: a}]}]\n"
    "  volumes: [{persistentVolumeClaim: {claimName: data}}, {secret: {secretName: tls}}]\n"
)
SERVICE = document(
    "apiVersion: v1\nkind: Service\nmetadata: {name: a}\nspec: {selector: {app: web, tier: [x]}, path: /a}\n"
)
RELEASE = document(
    "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: a, namespace: shop}\nspec:\n"
    "  dependsOn: [{name: base, namespace: infra}]\n"
    "  chart: {spec: {chart: ./charts/web, sourceRef: {kind: GitRepository, name: repo}}}\n"
)
APPLICATION = document(
    "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: a}\nspec: {source: {path: apps}}\n"
)


@pytest.mark.parametrize(
    ("source", "path", "link"),
    [
        (POD, "spec.serviceAccountName", ObjectLink("ServiceAccount", "web")),
        (POD, "spec.imagePullSecrets[0].name", ObjectLink("Secret", "pull")),
        (POD, "spec.containers[0].envFrom[0].configMapRef.name", ObjectLink("ConfigMap", "settings")),
        (POD, "spec.volumes[0].persistentVolumeClaim.claimName", ObjectLink("PersistentVolumeClaim", "data")),
        (POD, "spec.volumes[1].secret", ObjectLink("Secret", "tls")),
        (POD, "spec.containers[0].envFrom[1].prefix", None),
        (POD, "spec.containers[0].name", None),
        (POD, "spec.nodeName", None),
        (POD, "metadata.name", None),
        (SERVICE, "spec.selector.app", SelectorLink({"app": "web", "tier": ["x"]})),
        (SERVICE, "spec.path", None),
        (RELEASE, "spec.chart.spec.chart", DirectoryLink("./charts/web")),
        (RELEASE, "spec.chart.spec.sourceRef.kind", ObjectLink("GitRepository", "repo")),
        (RELEASE, "spec.dependsOn[0].name", ObjectLink("HelmRelease", "base", "infra")),
        (APPLICATION, "spec.source.path", DirectoryLink("apps")),
        (APPLICATION, "", None),
    ],
)
def test_a_field_refers_to_what_its_name_says(source: Document, path: str, link: Link | None) -> None:
    assert link_at(source, parse(path)) == link


@pytest.mark.parametrize(
    ("name", "namespace", "is_target"),
    [("web", "shop", True), ("web", "", True), ("web", "other", False), ("b", "", False)],
)
def test_a_link_leads_to_objects_of_its_namespace(name: str, namespace: str, is_target: bool) -> None:
    target = document(f"apiVersion: v1\nkind: ServiceAccount\nmetadata: {{name: {name}, namespace: '{namespace}'}}\n")

    assert is_link_to(ObjectLink("ServiceAccount", "web"), POD, target) == is_target


def test_files_with_a_target_contain_a_word_of_the_link() -> None:
    assert words_of(ObjectLink("Secret", "tls")) == {"tls"}
    assert words_of(SelectorLink({"matchLabels": {"app": "web"}, "matchExpressions": [{"values": ["x", 1]}]})) == {
        "web",
        "x",
    }
    assert words_of(DirectoryLink("a")) == frozenset()
