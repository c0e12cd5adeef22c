"""Folders and kustomizations of Applications."""

from pathlib import Path
from typing import Any

import pytest

from kubectl_applylint.run.sides.application_paths import directory_files, folder_objects, kustomized_objects
from kubectl_applylint.run.sides.sides import of_folder
from kubectl_applylint.tools.argocd.kustomize_options import KustomizeOptionsError
from tests.run.running import write

PATHS = ("a/x.yaml", "a/y.json", "a/z.txt", "a/sub/x.yaml", "a/sub/y.jsonnet", "b/x.yaml")
MAP = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\n"


@pytest.mark.parametrize(
    ("options", "found"),
    [
        ({}, ["a/x.yaml", "a/y.json"]),
        ({"recurse": True}, ["a/sub/x.yaml", "a/sub/y.jsonnet", "a/x.yaml", "a/y.json"]),
        ({"recurse": True, "include": "*.yaml"}, ["a/sub/x.yaml", "a/x.yaml"]),
        ({"recurse": True, "exclude": "sub/*"}, ["a/x.yaml", "a/y.json"]),
        ({"recurse": True, "exclude": "{sub/*,y.jso?}"}, ["a/x.yaml"]),
        ({"recurse": True, "include": "x.yaml}"}, []),
        ({"include": "[x-y].*"}, ["a/x.yaml", "a/y.json"]),
        ({"include": "[!x].json"}, ["a/y.json"]),
        ({"include": "\\x.yaml"}, ["a/x.yaml"]),
        ({"exclude": "[z-a]"}, ["a/x.yaml", "a/y.json"]),
        ({"include": "*.txt", "disableExtensionFilter": True}, ["a/z.txt"]),
        ({"recurse": True, "include": "{x.yaml"}, ["a/x.yaml"]),
    ],
)
def test_the_files_of_a_folder(options: dict[str, Any], found: list[str]) -> None:
    assert [*directory_files(PATHS, "a", options)] == found


@pytest.mark.parametrize(
    ("resource", "is_restricted", "found"),
    [
        ("../x.yaml", True, []),
        ("../x.yaml", False, ["x"]),
        ("../../outside.yaml", False, []),
        ("/etc/passwd", False, []),
    ],
)
def test_kustomize_loads_files_from_elsewhere_in_the_source_if_argo_cd_is_set_to_it(
    tmp_path: Path, resource: str, is_restricted: bool, found: list[str]
) -> None:
    write(
        tmp_path, {"repo/x.yaml": MAP, "outside.yaml": MAP, "repo/web/kustomization.yaml": f"resources: [{resource}]"}
    )
    side = of_folder(str(tmp_path / "repo"))

    rendered = kustomized_objects(side, "web", {}, {}, has_load_restrictor=is_restricted)

    assert [one.ref.name for one in rendered.documents] == found
    assert bool(rendered.problems or rendered.holes) is not bool(found)


def test_a_marked_file_is_skipped(tmp_path: Path) -> None:
    (tmp_path / "x.yaml").write_text(MAP)
    (tmp_path / "skipped.yaml").write_text(f"{MAP.replace('x}', 'other}')}# +argocd:skip-file-rendering\n")
    found = folder_objects(of_folder(str(tmp_path)), "", {}, {})

    assert [one.ref.name for one in found.documents] == ["x"]


def test_a_file_in_jsonnet_is_evaluated(tmp_path: Path, jsonnet: Path, monkeypatch: Any) -> None:
    monkeypatch.setenv("PATH", str(jsonnet.parent), prepend=":")
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib/map.libsonnet").write_text("{apiVersion: 'v1', kind: 'ConfigMap'}")
    (tmp_path / "y.jsonnet").write_text("(import 'map.libsonnet') + {metadata: {name: std.extVar('name')}}")
    options = {"jsonnet": {"libs": ["/lib"], "extVars": [{"name": "name", "value": "$ARGOCD_APP_NAME"}]}}
    side = of_folder(str(tmp_path))

    (made,) = folder_objects(side, "", options, {"ARGOCD_APP_NAME": "web"}).documents
    assert (made.ref.name, made.file.rpartition("/")[2]) == ("web", "y.jsonnet")
    (problem,) = folder_objects(side, "", {"jsonnet": {"libs": ["../x"]}}, {}).problems
    assert problem.message == "it is not evaluated: libs lead out of the repository"


@pytest.mark.cluster
def test_a_kustomization_is_built_with_the_options(tmp_path: Path, kubectl: Path, monkeypatch: Any) -> None:
    monkeypatch.setenv("PATH", str(kubectl.parent), prepend=":")
    (tmp_path / "x.yaml").write_text(MAP)
    (tmp_path / "kustomization.yaml").write_text("resources: [x.yaml]\n")
    side = of_folder(str(tmp_path))

    (plain,) = kustomized_objects(side, "", {}, {}).documents
    options = {"namePrefix": "shop-", "components": ["no"], "ignoreMissingComponents": True}
    (named,) = kustomized_objects(side, "", options, {}).documents
    assert (plain.ref.name, named.ref.name) == ("x", "shop-x")


def test_options_of_kustomize_need_a_kustomization(tmp_path: Path) -> None:
    with pytest.raises(KustomizeOptionsError, match="its path has no kustomization"):
        kustomized_objects(of_folder(str(tmp_path)), "", {}, {})


def test_a_part_that_is_not_rendered_is_located_in_the_file_as_it_is_written(tmp_path: Path) -> None:
    text = "kind: Kustomization\nresources:\n- x.yaml\n- https://example.com/far.yaml\n"
    write(tmp_path, {"x.yaml": MAP, "kustomization.yaml": text})

    rendered = kustomized_objects(of_folder(str(tmp_path)), "", {"namePrefix": "a-"}, {})

    assert [one.path.rpartition("kustomization.yaml")[2] for one in rendered.holes] == [":4:3"]
