"""Parts of a kustomization that set a value of a rendered object."""

import json

import pytest

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.location import Span
from kubectl_applylint.core.paths import parse
from kubectl_applylint.core.state import ref_of
from kubectl_applylint.sources.render.kustomize_origins import Origins, origins
from kubectl_applylint.sources.render.kustomize_positions import FilePositions

RENDERED = {
    "apiVersion": "apps/v1",
    "kind": "Deployment",
    "metadata": {"name": "dev-web", "annotations": {"a/b": "c"}},
    "spec": {
        "replicas": 3,
        "template": {"spec": {"containers": [{"name": "side"}, {"name": "web", "image": "shop/web:2", "tty": True}]}},
    },
}
SOURCE = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "web"}}
IMAGE = "spec.template.spec.containers[name=web].image"
PATCH = """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 3
  template:
    spec:
      containers:
      - name: web
        image: shop/web:2
"""
OPERATIONS = """\
- {op: replace, path: /spec/replicas, value: 3}
- op: add
  path: /metadata/annotations/a~1b
  value: c
- op: add
  path: /spec/template/spec/containers/1
  value: {name: web, image: "shop/web:2", tty: true}
"""


def where(path: str, kustomization: str, patch: str = "") -> str:
    """Return where a value is said, the folder left out; empty where nothing says it."""
    texts = {"k/kustomization.yaml": kustomization.encode(), "k/p.yaml": patch.encode()}
    document = Document("k/web.yaml", 0, RENDERED, ref_of(RENDERED), FilePositions(), source=SOURCE)
    found = origins(texts).location(document, parse(path))
    return str(found).removeprefix("k/") if found else ""


@pytest.mark.parametrize(
    ("path", "place"),
    [("spec.replicas", "5:3"), (IMAGE, "10:9"), ("spec.template.spec.containers[1].image", "10:9"), ("kind", "2:1")],
)
def test_a_patch_says_what_it_has(path: str, place: str) -> None:
    assert where(path, "patches: [{path: p.yaml}]", PATCH) == f"p.yaml:{place}"
    assert where(path, "patchesStrategicMerge: [p.yaml]", PATCH) == f"p.yaml:{place}"


@pytest.mark.parametrize(
    "patch",
    [
        pytest.param(PATCH.replace("name: web}", "name: other}"), id="another name"),
        pytest.param(PATCH.replace("kind: Deployment", "kind: StatefulSet"), id="another kind"),
        pytest.param(PATCH.replace("replicas: 3", "replicas: 4"), id="another value"),
        pytest.param("a: [", id="no YAML"),
        pytest.param("", id="nothing"),
    ],
)
def test_another_patch_says_nothing(patch: str) -> None:
    assert where("spec.replicas", "patches: [{path: p.yaml}]", patch) == ""


@pytest.mark.parametrize(
    ("target", "is_meant"),
    [("{kind: Deployment}", True), ("{kind: Deployment, name: dev-web}", True), ("{kind: Job}", False)],
)
def test_a_target_counts_more_than_the_name_in_the_patch(target: str, is_meant: bool) -> None:
    patch = PATCH.replace("name: web}", "name: any}")

    assert (where("spec.replicas", f"patches: [{{path: p.yaml, target: {target}}}]", patch) != "") is is_meant


@pytest.mark.parametrize(
    ("path", "place"),
    [
        ("spec.replicas", "1:39"),
        ('metadata.annotations["a/b"]', "4:3"),
        (IMAGE, "7:22"),
        ("spec.template.spec.containers[1].tty", "7:43"),
        ("metadata.name", ""),
    ],
)
def test_an_operation_says_its_value_and_parts_of_it(path: str, place: str) -> None:
    kustomization = "patches: [{path: p.yaml, target: {kind: Deployment}}]"

    assert where(path, kustomization, OPERATIONS) == (f"p.yaml:{place}" if place else "")


def test_an_inline_patch_says_it_where_it_begins() -> None:
    kustomization = (
        "patches:\n- patch: |-\n    - {op: replace, path: /spec/replicas, value: 3}\n  target: {name: web}\n"
    )

    assert where("spec.replicas", kustomization) == "kustomization.yaml:2:10"
    assert where("spec.replicas", f"patchesStrategicMerge: [{json.dumps(PATCH)}]") == "kustomization.yaml:1:25"


@pytest.mark.parametrize(
    ("kustomization", "path", "place"),
    [
        ("images: [{name: shop/web, newTag: '2'}]", IMAGE, "1:27"),
        ("images: [{name: web, newName: shop/web, newTag: '2'}]", IMAGE, "1:41"),
        ("images: [{name: web, newName: shop/web}]", IMAGE, "1:22"),
        ("images: [{name: shop/web, newTag: '3'}]", IMAGE, ""),
        ("images: [{name: shop/web, digest: 'sha256:1'}]", IMAGE, ""),
        ("replicas: [{name: web, count: 3}]", "spec.replicas", "1:24"),
        ("replicas: [{name: web, count: 4}]", "spec.replicas", ""),
        ("replicas: [{name: other, count: 3}]", "spec.replicas", ""),
        ("replicas: [{name: web, count: 3}]", "spec", ""),
        ("replicas: [{name: web, count: 3}]", "spec.none", ""),
        ("patches: x\nimages: [1]\n", IMAGE, ""),
    ],
)
def test_images_and_replicas_say_theirs(kustomization: str, path: str, place: str) -> None:
    assert where(path, kustomization) == (f"kustomization.yaml:{place}" if place else "")


def test_nothing_says_nothing() -> None:
    document = Document("k/web.yaml", 0, RENDERED, ref_of(RENDERED), FilePositions())

    assert Origins().location(document, parse("spec.replicas")) is None
    assert document.origin(parse("spec")).span == Span(1, 1, 1, 1)
