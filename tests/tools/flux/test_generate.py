"""Kustomizations that Flux generates or amends; recorded builds are in ``test_build.py``."""

import pytest

from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.tools.flux.generate import Generated, GenerateError, folder_of, generate, kustomization_file

HEADER = {"apiVersion": "kustomize.config.k8s.io/v1beta1", "kind": "Kustomization"}
FILES = (
    "app/b.yaml",
    "app/a/z.yml",
    "app/a.yaml",
    "app/own/kustomization.yaml",
    "app/own/in/x.yaml",
    "app/no.txt",
    "c/x",
)


def generated_by(spec: JsonObject, existing: Json = None, files: tuple[str, ...] = FILES) -> Generated:
    return generate({"spec": {"path": "app", **spec}}, files, existing)


@pytest.mark.parametrize(
    ("path", "folder"),
    [("", ""), ("./", ""), ("./app/", "app"), ("/app", "app"), ("../../app", "app"), ("a/../..", "")],
)
def test_the_path_does_not_lead_out_of_the_source(path: str, folder: str) -> None:
    assert folder_of({"spec": {"path": path}}) == folder


def test_the_first_kustomization_file_counts() -> None:
    assert kustomization_file("a", ["a/Kustomization", "a/kustomization.yml"]) == "a/kustomization.yml"
    assert kustomization_file("", ["Kustomization"]) == "Kustomization"
    assert kustomization_file("a", ["kustomization.yaml"]) == ""


def test_a_folder_without_one_gets_its_manifests_and_inner_kustomizations() -> None:
    resources = ["./a/z.yml", "./a.yaml", "./b.yaml", "./own"]

    assert generated_by({}) == Generated("app/kustomization.yaml", {**HEADER, "resources": resources})


def test_a_folder_without_manifests_gets_a_placeholder() -> None:
    assert generated_by({"path": "c"}).kustomization == {**HEADER, "namespace": "_placeholder"}


def test_a_folder_that_does_not_exist_is_an_error() -> None:
    with pytest.raises(GenerateError, match="kustomization path not found: none"):
        generated_by({"path": "none"})


def test_an_existing_file_stays_if_nothing_changes() -> None:
    files = (*FILES, "app/kustomization.yml")

    assert generated_by({}, {"resources": ["a.yaml"]}, files).is_written
    assert generated_by({}, {"resources": ["a.yaml"], "typo": 1}, files) == Generated(
        "app/kustomization.yml", {**HEADER, "resources": ["a.yaml"]}
    )
    with pytest.raises(GenerateError, match="not an object"):
        generated_by({}, ["a"], files)


def test_without_resources_objects_get_their_origin() -> None:
    found = generated_by({}, {"components": ["../c"]}, (*FILES, "app/kustomization.yaml"))

    assert found.kustomization == {**HEADER, "components": ["../c"], "buildMetadata": ["originAnnotations"]}


def test_settings_of_the_object_are_added() -> None:
    spec: JsonObject = {
        "targetNamespace": "shop",
        "namePrefix": "a-",
        "nameSuffix": "-z",
        "patches": [{"patch": "p", "target": {"kind": "Job", "other": "x"}}, {"patch": "q"}],
        "components": ["../c", "../none"],
        "buildMetadata": ["originAnnotations"],
    }
    existing = {"resources": ["a.yaml"], "namespace": "old", "patches": [{"path": "o"}], "components": ["x"]}

    assert generated_by(spec, existing, (*FILES, "app/kustomization.yaml")).kustomization == {
        **HEADER,
        "resources": ["a.yaml"],
        "namespace": "shop",
        "namePrefix": "a-",
        "nameSuffix": "-z",
        "patches": [{"path": "o"}, {"patch": "p", "target": {"kind": "Job"}}, {"patch": "q"}],
        "components": ["x", "../c", "../none"],
        "buildMetadata": ["originAnnotations"],
    }


def test_missing_components_can_be_ignored() -> None:
    spec = {"components": ["../c", "../none", "..", "../c/x"], "ignoreMissingComponents": True}

    assert generated_by(spec).kustomization["components"] == ["../c", "..", "../c/x"]


@pytest.mark.parametrize("component", ["https://example.org/x", "git@host:x", "github.com/a/b", "/etc", "file:///etc"])
def test_components_are_local(component: str) -> None:
    with pytest.raises(GenerateError, match="must be local and relative"):
        generated_by({"components": [component]})


def test_an_image_changes_the_entry_of_its_name() -> None:
    existing = {
        "resources": ["a"],
        "images": [{"name": "x", "newName": "y", "digest": "d"}, {"name": "z", "newTag": "1"}],
    }
    images = [{"name": "x", "newTag": "2"}, {"name": "z", "newName": "q"}, {"name": "new", "digest": "e"}]

    assert generated_by({"images": images}, existing, (*FILES, "app/kustomization.yaml")).kustomization["images"] == [
        {"name": "x", "newName": "y", "newTag": "2"},
        {"name": "z", "newName": "q", "newTag": "1"},
        {"name": "new", "digest": "e"},
    ]
