"""Definitions go through kustomize without their schemas, and come out as they do with them."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.sources.render import kustomize, kustomize_definitions
from kubectl_applylint.sources.render.kustomize import render_files
from kubectl_applylint.sources.render.kustomize_definitions import strip_schemas, with_schemas
from kubectl_applylint.sources.text.manifests import Input

TEXT = "why:  a longer text \u2028 <b>\n" * 1000
SCHEMA: JsonObject = {"type": "object", "properties": {"z": {"type": "string", "description": TEXT}, "a": {}}}
WEB = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {replicas: 1}\n"


def definition(name: str, *versions: str, schema: Json = SCHEMA) -> JsonObject:
    """Return a definition whose conversion names a Service, which kustomize may rename."""
    client = {"service": {"name": "hook", "namespace": "system", "path": "/convert"}}
    each = [{"served": True, "name": one, "storage": one == versions[0], "schema": schema} for one in versions]
    return {
        "kind": "CustomResourceDefinition",
        "apiVersion": "apiextensions.k8s.io/v1",
        "metadata": {"name": f"{name}s.example.org", "creationTimestamp": None, "annotations": {"on": "yes"}},
        "spec": {
            "group": "example.org",
            "names": {"plural": f"{name}s", "kind": name.title()},
            "scope": "Namespaced",
            "conversion": {"strategy": "Webhook", "webhook": {"clientConfig": client}},
            "versions": each,
        },
        "status": {"conditions": [], "storedVersions": []},
    }


def documents(*objects: JsonObject) -> bytes:
    return "\n---\n".join(json.dumps(one, indent=1) for one in objects).encode()


CRDS = documents(definition("cat", "v1"), definition("dog", "v1", "v1beta1"))
CONFIGURATION = "nameReference:\n- kind: Service\n  fieldSpecs: [{kind: CustomResourceDefinition, path: %s}]\n"
PATCHED = "patches: [{target: {%s}, patch: '[{op: remove, path: /spec/group}]'}]"


def files(kustomization: str, **others: str) -> Mapping[str, bytes]:
    texts = {"web.yaml": WEB, "kustomization.yaml": f"resources: [crds.yaml, web.yaml]\n{kustomization}\n", **others}
    return {"crds.yaml": CRDS, **{path.replace("_", "."): text.encode() for path, text in texts.items()}}


@pytest.mark.parametrize(
    "kustomization",
    [
        "",
        "namespace: shop\nnamePrefix: a-\nimages: [{name: web, newTag: v2}]",
        "commonLabels: {a: b}\nlabels: [{pairs: {c: d}, includeSelectors: true}]",
        PATCHED % "kind: Deployment, name: .*",
        "patches: [{path: web.yaml}]",
        "patchesStrategicMerge:\n- |\n  kind: Deployment\n  apiVersion: apps/v1\n  metadata: {name: web}",
        "configurations: [names.yaml]\nvars: []",
    ],
)
def test_schemas_are_left_out_where_nothing_can_change_them(kustomization: str) -> None:
    found = strip_schemas(
        files(kustomization, names_yaml=CONFIGURATION % "spec/conversion/webhook/clientConfig/service")
    )

    assert found.keys() == {"crds.yaml"}
    assert b"a longer text" not in found["crds.yaml"].text
    assert {name: [*each] for name, each in found["crds.yaml"].schemas.items()} == {
        "cats.example.org": ["v1"],
        "dogs.example.org": ["v1", "v1beta1"],
    }


@pytest.mark.parametrize(
    "kustomization",
    [
        "replacements: [{path: a.yaml}]",
        "transformers: [a.yaml]",
        "labels: [{pairs: {a: b}, fields: [{path: spec/versions/schema, create: true}]}]",
        PATCHED % "kind: CustomResourceDefinition",
        PATCHED % "kind: .*",
        PATCHED % "labelSelector: a=b",
        "patches: [{path: absent.yaml}]",
        "patches: [{path: crds.yaml}]",
        "patches:\n- patch: |\n    metadata: {name: web}",
        "configurations: [names.yaml]",
        "Configurations: [others.yaml]",
        "configurations: [absent.yaml]",
        "Patches: [{Target: {Kind: CustomResourceDefinition}, path: web.yaml}]",
    ],
)
def test_they_stay_where_something_might(kustomization: str) -> None:
    inside = CONFIGURATION % "spec/versions/schema"
    others = inside.replace("path:", "Path:")

    assert strip_schemas(files(kustomization, names_yaml=inside, others_yaml=others)) == {}


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(documents(definition("cat", "v1"), json.loads(json.dumps({"kind": "A", "x": TEXT}))), id="others"),
        pytest.param(documents(definition("cat", "v1"), definition("cat", "v1")), id="one twice"),
        pytest.param(documents(definition("cat", "v1", "v1")), id="one version twice"),
        pytest.param(documents(definition("cat", "v1"), definition("dog", "v1", schema=None)), id="no schema"),
        pytest.param(documents({**definition("cat", "v1"), "metadata": {"generateName": "cat"}}), id="no name"),
        pytest.param(documents({**definition("cat", "v1"), "spec": TEXT}), id="no spec"),
        pytest.param(CRDS + b"\n---\na: [", id="broken"),
        pytest.param(documents(definition("cat", "v1", schema={"type": "object"})), id="small"),
    ],
)
def test_other_files_stay_as_they_are(content: bytes) -> None:
    assert strip_schemas({"crds.yaml": content, "kustomization.yaml": b"resources: [crds.yaml]"}) == {}


def test_schemas_are_put_back_by_the_names_of_versions() -> None:
    bare: JsonObject = {"spec": {"versions": [{"name": "v1", "served": True}, {"name": "v2"}]}}

    whole = with_schemas(bare, {"v1": {"a": 1}, "v2": {}})

    assert whole == {
        "spec": {"versions": [{"name": "v1", "schema": {"a": 1}, "served": True}, {"name": "v2", "schema": {}}]}
    }
    assert whole is not None
    assert [*whole["spec"]["versions"][0]] == ["name", "schema", "served"]
    assert with_schemas(bare, {"v1": {}}) is None


@pytest.mark.parametrize(
    "kustomization",
    [
        "",
        "namespace: shop\nnamePrefix: a-\ncommonLabels: {a: b}\ncommonAnnotations: {'no': 'on'}",
        "configurations: [names.yaml]\nnameSuffix: -b",
        "resources: [absent.yaml]",
    ],
    ids=["as they are", "named otherwise", "names that are referred to", "broken"],
)
def test_a_real_kubectl_makes_the_same_with_and_without(
    kubectl: Path, kustomization: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", f"{kubectl.parent}:/usr/bin:/bin")
    hook = "apiVersion: v1\nkind: Service\nmetadata: {name: hook, namespace: system}\nspec: {ports: [{port: 443}]}\n"
    config = CONFIGURATION % "spec/conversion/webhook/clientConfig/service/name"
    texts = files(kustomization, names_yaml=config, web_yaml=f"{WEB}---\n{hook}")
    slim = render(texts)
    monkeypatch.setattr(kustomize, "strip_schemas", lambda texts: {})
    whole = render(texts)

    assert (slim.problems, slim.texts, slim.remarks) == (whole.problems, whole.texts, whole.remarks)
    assert [(one.file, one.index, json.dumps(one.object)) for one in slim.documents] == [
        (one.file, one.index, json.dumps(one.object)) for one in whole.documents
    ]
    assert [one.locate(()) for one in slim.documents] == [one.locate(()) for one in whole.documents]


def test_definitions_of_an_unknown_origin_keep_their_schemas(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Older versions of kustomize report no origins."""
    old = tmp_path / "kustomize"
    old.write_text('#!/bin/sh\ncat "$2/../tree/crds.yaml"\n')
    old.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")

    found = render(files("")).documents

    assert [version["schema"] for one in found for version in one.object["spec"]["versions"]] == [SCHEMA] * 3


def render(texts: Mapping[str, bytes]) -> Input:
    assert kustomize_definitions.strip_schemas(texts)
    return render_files(texts, "kustomization.yaml", str)
