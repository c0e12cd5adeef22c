"""Kustomizations that only list files: which ones they are, and that kustomize prints the same."""

import json
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest
import yaml

from kubectl_applylint.sources.render.kustomization import files_of
from kubectl_applylint.sources.render.kustomize import render_files
from kubectl_applylint.sources.render.origin_annotation import without_origin
from kubectl_applylint.sources.render.plain_kustomization import plain_objects

LIST = "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: [a.yaml]\n"
SETTINGS = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n"
ACCOUNT = "---\napiVersion: v1\nkind: ServiceAccount\nmetadata: {name: robot, namespace: x}\n"
BINDING = """\
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: b}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: view}
subjects: [SUBJECT]
"""
TREE = {
    "kustomization.yaml": "resources: [late.yaml, inner, a/b.yaml]\n",
    "late.yaml": "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingWebhookConfiguration\n"
    "metadata: {name: w}\nwebhooks: []\n---\napiVersion: example.com/v1\nkind: Lamp\nmetadata: {name: l}\n"
    "spec: {a10: 1, a9: 2, a-b: 3, a_b: [true, null, text, 10Mi, 'yes'], a1b: {}, a1-: '', on.off: x}\n",
    "inner/kustomization.yaml": LIST,
    "inner/a.yaml": f"# a comment\n---\n{SETTINGS}data:\n  text: |\n    one\n\n    two\n  other: 'x: 1'\n"
    f"---\n{SETTINGS.replace('name: a', 'name: z, namespace: default')}{ACCOUNT}",
    "a/b.yaml": BINDING.replace("SUBJECT", "{kind: Group, apiGroup: rbac.authorization.k8s.io, name: all}"),
}


def paths(texts: Mapping[str, str]) -> list[str] | None:
    where = files_of(texts, lambda path: texts.get(path, "").encode())
    found = plain_objects("kustomization.yaml", where)
    return (
        [f"{path} {one.ref.kind}" for path, one in zip(found.paths, found.found.documents, strict=True)]
        if found
        else None
    )


def test_objects_are_in_the_order_of_kustomize() -> None:
    assert paths(TREE) == [
        "inner/a.yaml ServiceAccount",
        "a/b.yaml ClusterRoleBinding",
        "inner/a.yaml ConfigMap",
        "inner/a.yaml ConfigMap",
        "late.yaml Lamp",
        "late.yaml ValidatingWebhookConfiguration",
    ]


@pytest.mark.parametrize(
    ("texts", "content"),
    [
        pytest.param({"kustomization.yaml": f"{LIST}namespace: x\n"}, SETTINGS, id="another field"),
        pytest.param({"kustomization.yaml": LIST.replace("v1beta1", "v1")}, SETTINGS, id="another version"),
        pytest.param({"kustomization.yaml": LIST.replace("a.yaml", "../a.yaml")}, SETTINGS, id="a file outside"),
        pytest.param({"kustomization.yaml": LIST.replace("a.yaml", "b.yaml")}, SETTINGS, id="a missing file"),
        pytest.param({"kustomization.yaml": LIST.replace("[a.yaml]", "[]")}, SETTINGS, id="nothing"),
        pytest.param({"kustomization.yaml": LIST.replace("a.yaml", "a.yaml, .")}, SETTINGS, id="itself"),
        pytest.param({"kustomization.yml": LIST}, SETTINGS, id="two kustomizations in a folder"),
        pytest.param({}, f"{SETTINGS}---\n{SETTINGS}", id="an object twice"),
        pytest.param({}, SETTINGS.replace("name: a", "generateName: a-"), id="an object without a name"),
        pytest.param({}, f"{SETTINGS}data: {{a: yes}}\n", id="a boolean of YAML 1.1"),
        pytest.param({}, f"{SETTINGS}data: {{a: 010}}\n", id="an octal number"),
        pytest.param({}, f"{SETTINGS}data: {{a: 2001-01-01}}\n", id="a date"),
        pytest.param({}, f"{SETTINGS}data: {{a: 1.0}}\n", id="a float"),
        pytest.param({}, f"{SETTINGS}data: {{on: x}}\n", id="a key that is no text"),
        pytest.param({}, f"{SETTINGS}data: {{a: x, a: y}}\n", id="a key twice"),
        pytest.param({}, f"{SETTINGS}data: &x {{a: x}}\n", id="an anchor"),
        pytest.param({}, f"{SETTINGS}data: {{a: !!str x}}\n", id="a tag"),
        pytest.param({}, f"{SETTINGS}data:\n  a: >\n    x\n", id="a folded text"),
        pytest.param({}, f"{SETTINGS}data:\n  a: |\n    x", id="no newline at the end"),
        pytest.param({}, f"{SETTINGS}data: {{a: [}}\n", id="no YAML"),
        pytest.param({}, f"{SETTINGS}--- # next\n", id="a comment after a separator"),
        pytest.param({}, json.dumps(yaml.safe_load(SETTINGS)) + "\n", id="JSON"),
        pytest.param({}, "a: b\n", id="no manifest"),
        pytest.param({}, "apiVersion: v1\nkind: List\nmetadata: {name: a}\nitems: []\n", id="a list"),
        pytest.param({}, f"{SETTINGS}  # config.kubernetes.io/local-config\n", id="an annotation for kustomize"),
        pytest.param({}, ACCOUNT + BINDING.replace("SUBJECT", "{name: robot}"), id="a subject that gets a namespace"),
        pytest.param({}, BINDING.replace("SUBJECT", "{}"), id="a subject without a name"),
        pytest.param(
            {},
            "apiVersion: v1\nkind: Node\nmetadata: {name: n}\nspec: {configSource: {configMap: {name: a}}}\n",
            id="another reference with a namespace",
        ),
    ],
)
def test_kustomize_is_asked_wherever_it_may_do_more(texts: dict[str, str], content: str) -> None:
    assert paths({"kustomization.yaml": LIST, "a.yaml": SETTINGS}) == ["a.yaml ConfigMap"]
    assert paths({"kustomization.yaml": LIST, "a.yaml": content, **texts}) is None


def test_kubectl_prints_the_same(kubectl: Path, tmp_path: Path) -> None:
    for name, text in TREE.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    printed = subprocess.run([kubectl, "kustomize", tmp_path], capture_output=True, check=True).stdout
    found = plain_objects("kustomization.yaml", files_of(TREE, lambda path: TREE.get(path, "").encode()))

    assert found
    assert [without_origin(one.object) for one in found.found.documents] == [
        without_origin(one) for one in yaml.load_all(printed, yaml.SafeLoader)
    ]


def test_no_program_starts_for_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "kustomize").write_text("#!/bin/sh\nexit 1\n")
    (tmp_path / "kustomize").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    found = render_files({name: text.encode() for name, text in TREE.items()}, "kustomization.yaml", "HEAD:{}".format)

    assert found.problems == ()
    assert str(found.documents[2].locate(())) == "HEAD:inner/a.yaml:13:1"
