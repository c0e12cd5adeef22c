"""The source files of rendered objects, by their names and by the origins that kustomize notes."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from kubectl_applylint.core.state import ObjectRef
from kubectl_applylint.sources.render.kustomization import files_of
from kubectl_applylint.sources.render.kustomize import render_files
from kubectl_applylint.sources.render.locality import find_inputs
from kubectl_applylint.sources.render.rendered_sources import ObjectSources, object_sources

SETTINGS = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n"
NAMED = SETTINGS.replace("name: a", "name: a, namespace: x")
RENAMING = "- {op: replace, path: /metadata/name, value: b}\n"
TREE = {
    "over/kustomization.yaml": "resources: [../base, c.yaml]\ncomponents: [../part]\nlabels: [{pairs: {a: b}}]\n",
    "over/c.yaml": SETTINGS.replace("name: a", "name: c"),
    "part/kustomization.yaml": "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\n"
    "patches: [{target: {kind: ConfigMap}, patch: '- {op: add, path: /immutable, value: true}'}]\n",
    "base/kustomization.yaml": "resources: [a.yaml]\nconfigMapGenerator: [{name: gen, literals: [a=b]}]\n",
    "base/a.yaml": SETTINGS,
}


def sources(texts: Mapping[str, str]) -> ObjectSources | None:
    where = files_of(texts, lambda path: texts.get(path, "").encode())
    return object_sources("over/kustomization.yaml", where, find_inputs("over", where).files)


def ref(name: str, namespace: str = "") -> ObjectRef:
    return ObjectRef("v1", "ConfigMap", namespace, name)


@pytest.mark.parametrize(
    ("texts", "wanted", "path"),
    [
        pytest.param({}, ref("a"), "base/a.yaml", id="a listed object"),
        pytest.param({}, ref("gen-abcdefghij"), "base/kustomization.yaml", id="a generated object"),
        pytest.param({}, ref("gen"), "base/kustomization.yaml", id="one without a hash"),
        pytest.param({}, ref("b"), "", id="an unknown object"),
        pytest.param({"base/a.yaml": SETTINGS.replace("a}", "gen}")}, ref("gen"), "", id="listed or generated"),
        pytest.param({"base/a.yaml": NAMED, "over/c.yaml": SETTINGS}, ref("a", "x"), None, id="one without namespace"),
        pytest.param(
            {"base/a.yaml": NAMED, "over/c.yaml": NAMED.replace("e: x", "e: z")},
            ref("a", "z"),
            "over/c.yaml",
            id="the same name in two namespaces",
        ),
        pytest.param(
            {"over/kustomization.yaml": "resources: [../base]\nnamePrefix: x-\n"}, ref("a"), None, id="prefix"
        ),
        pytest.param({"over/c.yaml": SETTINGS}, ref("a"), None, id="the same name twice"),
        pytest.param(
            {"over/kustomization.yaml": f"resources: [../base]\npatches: [{{patch: '{RENAMING}'}}]\n"},
            ref("a"),
            None,
            id="an inline patch that renames",
        ),
        pytest.param(
            {"over/kustomization.yaml": "resources: [../base]\npatches: [{path: p.yaml}]\n", "over/p.yaml": RENAMING},
            ref("a"),
            None,
            id="a patch that renames",
        ),
        pytest.param(
            {
                "over/kustomization.yaml": "resources: [../base]\n"
                "configMapGenerator: [{name: gen, behavior: merge, literals: [c=d]}]\n"
            },
            ref("gen"),
            None,
            id="a generator that adds to another",
        ),
    ],
)
def test_a_source_is_known_by_the_name_of_its_object(
    texts: dict[str, str], wanted: ObjectRef, path: str | None
) -> None:
    found = sources({**TREE, **texts})

    assert (found and found.path(wanted)) == path


@pytest.mark.parametrize("field", ["", "nameSuffix: -x\n"], ids=["by name", "by origin"])
def test_objects_of_the_real_kubectl_have_their_sources(
    field: str, kubectl: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", f"{kubectl.parent}:/usr/bin:/bin")
    texts = {**TREE, "over/kustomization.yaml": TREE["over/kustomization.yaml"] + field}
    found = render_files({path: text.encode() for path, text in texts.items()}, "over/kustomization.yaml", str)

    assert [one.file for one in found.documents] == ["base/a.yaml", "over/c.yaml", "base/kustomization.yaml"]
    assert all("annotations" not in one.object["metadata"] for one in found.documents)
