"""Input of the identity of a part that is not rendered."""

import textwrap
from collections.abc import Mapping, Sequence

import pytest

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.holes import Hole
from kubectl_applylint.core.state import ref_of
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.sources.render.hole_identity import holes_of
from kubectl_applylint.sources.render.kustomization import Folders, parts
from kubectl_applylint.sources.render.kustomize_positions import FilePositions
from kubectl_applylint.sources.render.locality import find_inputs
from kubectl_applylint.sources.render.missing_parts import without_missing_parts

WEB: JsonObject = {
    "apiVersion": "apps/v1",
    "kind": "Deployment",
    "metadata": {"name": "web"},
    "spec": {"replicas": 2, "template": {"spec": {"containers": [{"name": "web", "image": "web:1"}]}}},
}
OTHER: JsonObject = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "web"}}
REMOTE = "resources: [https://example.com/far.yaml, web.yaml]\n"
KSOPS = {"ksops.yaml": "apiVersion: viaduct.ai/v1\nkind: other\nfiles: [secret.yaml]\n", "secret.yaml": "a"}


def holes(
    kustomization: str, files: Mapping[str, str] = {}, rendered: Sequence[JsonObject] = (WEB,), file: str = "k"
) -> list[Hole]:
    every = {"web.yaml": "", "patch.yaml": "a: b\n", **files, "kustomization.yaml": kustomization}
    texts = {path: text.encode() for path, text in every.items()}
    where = Folders(texts.__contains__, texts.__getitem__)
    found = find_inputs("", where)
    tree = without_missing_parts({path: texts[path] for path in parts("", where) | found.files}, found.faults)
    assert tree is not None
    documents = [Document(file, 0, one, ref_of(one), FilePositions()) for one in rendered]
    return [*holes_of(tree, documents, lambda path: f"k/{path}")]


def test_a_hole_has_a_place_and_a_reason() -> None:
    (hole,) = holes(f"namePrefix: x-\n{REMOTE}")

    assert hole.path == "k/kustomization.yaml:2:13"
    assert hole.what == (
        "resources[0]: https://example.com/far.yaml: it is not in the store; download it with applylint fetch"
    )
    assert not hole.is_missing
    assert holes("resources: [gone.yaml]")[0].is_missing


@pytest.mark.parametrize(
    ("kustomization", "changes"),
    [
        (REMOTE, False),
        ("resources: [web.yaml]\npatches: [{path: gone.yaml}]", True),
        ("resources: [web.yaml]\ncomponents: [https://example.com/far]", True),
    ],
    ids=["resource", "patch", "component"],
)
def test_a_hole_may_change_other_objects(kustomization: str, changes: bool) -> None:
    assert [one.changes_others for one in holes(kustomization)] == [changes]


CHANGES = {
    "another URL": (REMOTE, REMOTE.replace("far", "further")),
    "prefix": (REMOTE, f"{REMOTE}namePrefix: x-"),
    "image that is nowhere": (REMOTE, f"{REMOTE}images: [{{name: far, newTag: '2'}}]"),
    "replicas of an unknown object": (REMOTE, f"{REMOTE}replicas: [{{name: far, count: 2}}]"),
    "patch of all of a kind": (REMOTE, f"{REMOTE}patches: [{{path: patch.yaml, target: {{kind: Deployment}}}}]"),
    "patch of an unknown object": (
        REMOTE,
        f"{REMOTE}patches: [{{patch: '{{kind: Deployment, metadata: {{name: far}}}}'}}]",
    ),
    "chart version": ("helmCharts: [{name: x, version: '1'}]", "helmCharts: [{name: x, version: '2'}]"),
    "values in a Secret": (
        "secretGenerator: [{name: x, envs: [gone], literals: [a=b]}]",
        "secretGenerator: [{name: x, envs: [gone], literals: [a=c]}]",
    ),
}
KEPT = {
    "order": (REMOTE, "resources: [web.yaml, https://example.com/far.yaml]"),
    "image of a rendered object": (
        f"{REMOTE}images: [{{name: web, newTag: '1'}}]",
        f"{REMOTE}images: [{{name: web, newTag: '2'}}]",
    ),
    "replicas of a rendered object": (REMOTE, f"{REMOTE}replicas: [{{name: web, count: 2}}]"),
    "patch of a rendered object": (
        REMOTE,
        f"{REMOTE}patches: [{{patch: '[]', target: {{kind: Deployment, name: web}}}}]",
    ),
    "resource": (REMOTE, "resources: [https://example.com/far.yaml, web.yaml, patch.yaml]"),
}


@pytest.mark.parametrize(("was", "now"), CHANGES.values(), ids=CHANGES)
def test_changes_that_may_affect_a_hole_change_its_identity_or_digest(was: str, now: str) -> None:
    (before,), (after,) = holes(was), holes(now)

    assert (before.identity, before.digest) != (after.identity, after.digest)


@pytest.mark.parametrize(("was", "now"), KEPT.values(), ids=KEPT)
def test_changes_of_other_objects_keep_the_identity_of_a_hole(was: str, now: str) -> None:
    (before,), (after,) = holes(was), holes(now)

    assert (before.identity, before.digest) == (after.identity, after.digest)


def test_the_identity_does_not_depend_on_values_of_secrets() -> None:
    was, now = CHANGES["values in a Secret"]

    assert holes(was)[0].identity == holes(now)[0].identity


@pytest.mark.parametrize(
    ("entry", "is_same"),
    [("resources: [gone.yaml]", True), ("transformers: [ksops.yaml]", False), ("patches: [{path: gone}]", False)],
)
def test_a_hole_that_changes_other_objects_depends_on_them(entry: str, is_same: bool) -> None:
    (before,), (after,) = holes(entry, KSOPS), holes(entry, KSOPS, [OTHER])

    assert (before.digest == after.digest) is is_same


@pytest.mark.parametrize(
    ("api", "is_same"),
    [
        pytest.param("resources: [web.yaml]\npatches: [{path: 'https://x.io/a.yaml'}]\n", True, id="another base"),
        pytest.param("resources: [web.yaml, ../web]\npatches: [{path: 'https://x.io/a.yaml'}]\n", False, id="its base"),
        pytest.param("components: [../far]\nresources: [web.yaml]\n", True, id="a component of another base"),
    ],
)
def test_a_patch_depends_on_objects_that_it_may_change(api: str, is_same: bool) -> None:
    files = {
        "api/kustomization.yaml": api,
        "api/web.yaml": "",
        "web/kustomization.yaml": "resources: [hr.yaml]\n",
        "web/hr.yaml": "",
        "far/kustomization.yaml": "kind: Component\npatches: [{path: 'https://x.io/a.yaml'}]\n",
    }
    changed: JsonObject = {**WEB, "spec": {"replicas": 3}}
    was, now = (holes("resources: [api, web]\n", files, [one], file="k/web/hr.yaml")[-1] for one in (WEB, changed))

    assert (was.digest == now.digest) is is_same
    assert was.identity == now.identity


@pytest.mark.parametrize("file", ["ksops.yaml", "secret.yaml"])
def test_the_files_of_a_plugin_belong_to_it(file: str) -> None:
    changed = {**KSOPS, file: f"{KSOPS[file]} "}

    (before,), (after,) = holes("generators: [ksops.yaml]", KSOPS), holes("generators: [ksops.yaml]", changed)

    assert before.identity != after.identity


@pytest.mark.parametrize("file", ["values.yaml", "more.yaml", "chart.yaml"])
@pytest.mark.parametrize("is_inline", [False, True], ids=["file", "inline"])
def test_the_value_files_of_a_chart_generator_belong_to_it(file: str, *, is_inline: bool) -> None:
    generator = (
        "apiVersion: builtin\nkind: HelmChartInflationGenerator\nmetadata: {name: web}\nname: web\n"
        "valuesFile: values.yaml\nadditionalValuesFiles: [more.yaml]\n"
    )
    entry = "generators:\n- |\n" + textwrap.indent(generator, "  ") if is_inline else "generators: [chart.yaml]\n"
    was = {"values.yaml": "a: 1\n", "more.yaml": "b: 1\n", "chart.yaml": generator}
    now = {**was, file: f"{was[file]}# changed\n"}

    (before,), (after,) = holes(entry, was), holes(entry, now)

    assert (before.identity != after.identity) is not (is_inline and file == "chart.yaml")


def test_the_files_of_a_folder_with_a_plugin_belong_to_it() -> None:
    was = {f"ksops/{path}": text for path, text in KSOPS.items()}
    was["ksops/kustomization.yaml"] = "resources: [ksops.yaml]\nnamePrefix: x-\n"
    now = {**was, "ksops/ksops.yaml": was["ksops/ksops.yaml"].replace("secret.yaml", "other.yaml")}

    (before,), (after,) = holes("generators: [ksops]", was), holes("generators: [ksops]", now)

    assert before.identity != after.identity


BASES = "resources: [base, other]\n"


@pytest.mark.parametrize(
    ("now", "is_same"),
    [
        ({"other/kustomization.yaml": "resources: [../other.yaml]\nnamePrefix: x-"}, True),
        ({"base/kustomization.yaml": "resources: [gone.yaml]\nnamePrefix: x-"}, False),
        ({"component/kustomization.yaml": "kind: Component\nnamePrefix: x-"}, False),
    ],
    ids=["other base", "own kustomization", "component"],
)
def test_only_kustomizations_that_include_a_hole_change_its_objects(now: Mapping[str, str], is_same: bool) -> None:
    was = {
        "base/kustomization.yaml": "resources: [gone.yaml]",
        "other/kustomization.yaml": "resources: [../other.yaml]",
        "component/kustomization.yaml": "kind: Component",
        "other.yaml": "",
    }
    root = f"{BASES}components: [component]\n"

    (before,), (after,) = holes(root, was), holes(root, {**was, **now})

    assert (before.digest == after.digest) is is_same
