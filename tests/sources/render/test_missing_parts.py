"""Kustomizations without some of their parts."""

import json
from collections.abc import Mapping

import pytest

from kubectl_applylint.core.values import Json
from kubectl_applylint.sources.render.kustomization import Folders
from kubectl_applylint.sources.render.locality import find_inputs
from kubectl_applylint.sources.render.missing_parts import (
    PartialTree,
    count_parts,
    including,
    references_of,
    without_missing_parts,
)

FAR = "https://example.com/far.yaml"


def tree(files: Mapping[str, str]) -> PartialTree | None:
    texts = {path: text.encode() for path, text in files.items()}
    faults = find_inputs("", Folders(texts.__contains__, texts.__getitem__)).faults
    return without_missing_parts(texts, faults)


def amended_kustomization(files: Mapping[str, str]) -> Json:
    found = tree(files)
    assert found is not None
    return json.loads(found.amended["kustomization.yaml"])


@pytest.mark.parametrize(
    ("kustomization", "left"),
    [
        (f"resources: [a.yaml, {FAR}, gone.yaml]", {"resources": ["a.yaml"]}),
        (f"components: ['{FAR}']\nnamePrefix: x-", {"components": [], "namePrefix": "x-"}),
        ("patches: [{path: gone.yaml}, {path: a.yaml}]", {"patches": [{"path": "a.yaml"}]}),
        ("configMapGenerator: [{name: x, files: [a.yaml, gone]}]", {"configMapGenerator": []}),
        ("openapi: {path: gone}\nresources: [a.yaml]", {"resources": ["a.yaml"]}),
        ("helmCharts: [{name: x}]\nresources: [a.yaml]", {"helmCharts": [], "resources": ["a.yaml"]}),
        ("generators: ['{apiVersion: a.io/v1, kind: Gen}', plugin.yaml]", {"generators": []}),
        ("Resources: [gone.yaml]", {"Resources": []}),
    ],
)
def test_an_entry_that_cannot_be_rendered_is_left_out(kustomization: str, left: Json) -> None:
    files = {"kustomization.yaml": kustomization, "a.yaml": "", "plugin.yaml": "apiVersion: a.io/v1\nkind: Gen\n"}

    assert amended_kustomization(files) == left


@pytest.mark.parametrize(
    "kustomization",
    ["resources: [gone.yaml]\n---\nnamePrefix: x", "resources: [", "transformers: [broken.yaml]", "- a"],
    ids=["two documents", "broken", "broken plugin", "no map"],
)
def test_ambiguous_kustomizations_are_not_rendered_in_part(kustomization: str) -> None:
    found = tree({"kustomization.yaml": kustomization, "broken.yaml": "a: [\n"})

    assert found is None or not found.parts


def test_a_missing_part_is_left_out_of_its_base() -> None:
    found = tree(
        {"kustomization.yaml": "resources: [base]", "base/kustomization.yaml": "resources: [gone.yaml]", "x.yaml": ""}
    )

    assert found is not None
    assert [(part.file, str(part)) for part in found.parts] == [
        ("base/kustomization.yaml", "resources[0]: gone.yaml: file or directory not found")
    ]
    assert found.documents == {"base/kustomization.yaml": {"resources": []}}


def test_components_of_including_kustomizations_may_change_a_part() -> None:
    texts = {
        "kustomization.yaml": b"resources: [base, other]\ncomponents: [component]",
        "base/kustomization.yaml": b"resources: [gone.yaml]",
        "other/kustomization.yaml": b"components: [../far]",
        "component/kustomization.yaml": b"kind: Component\ncomponents: [../inner]",
        "inner/kustomization.yaml": b"kind: Component",
        "far/kustomization.yaml": b"kind: Component",
    }

    found = including(references_of(texts), ["base/kustomization.yaml"])

    assert found == {f"{folder}kustomization.yaml" for folder in ("", "base/", "component/", "inner/")}


def test_kustomizations_that_include_each_other_end() -> None:
    texts = {"a/kustomization.yaml": b"resources: [../b]", "b/kustomization.yaml": b"resources: [../a]"}

    assert including(references_of(texts), ["a/kustomization.yaml"]) == texts.keys()


def test_parts_are_counted_without_other_kustomizations() -> None:
    files = {
        "kustomization.yaml": b"resources: [base, a.yaml]\ngenerators: [x.yaml]\nconfigMapGenerator: [{name: a}]",
        "base/kustomization.yaml": b"resources: [gone.yaml]",
        "a.yaml": b"",
    }

    assert count_parts(files) == 4
