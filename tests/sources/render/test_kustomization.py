"""Files that a kustomization consists of."""

from collections.abc import Mapping

import pytest

from kubectl_applylint.sources.render.kustomization import Folders, kustomization_in, parts, roots

OURS = "kustomize.config.k8s.io"
FILES = {
    "base/kustomization.yaml": "resources: [web.yaml, https://example.com/far.yaml, ../gone]\n",
    "base/web.yaml": "",
    "base/unused.yaml": "",
    "prod/kustomization.yml": (
        "resources: [../base, ../../outside]\n"
        "components: [../debug]\n"
        "patches: [{path: patch.yaml}, {patch: 'a\n\n  b'}]\n"
        "configMapGenerator: [{name: c, files: [key=conf.txt, same.txt], envs: [.env]}]\n"
    ),
    "prod/patch.yaml": "",
    "prod/conf.txt": "",
    "prod/same.txt": "",
    "prod/.env": "",
    "debug/Kustomization": f"kind: Component\napiVersion: {OURS}/v1alpha1\npatches: [{{path: debug.yaml}}]\n",
    "debug/debug.yaml": "",
    "flux/kustomization.yaml": "apiVersion: kustomize.toolkit.fluxcd.io/v1\nspec: {path: ../prod}\n",
    "round/kustomization.yaml": "resources: [../round]\n",
    "broken/kustomization.yaml": "resources: [\n",
}


def folders(files: Mapping[str, str] = FILES) -> Folders:
    return Folders(files.__contains__, lambda path: files[path].encode())


@pytest.mark.parametrize(
    ("folder", "files"),
    [
        pytest.param("base", {"base/kustomization.yaml", "base/web.yaml"}, id="its own files"),
        pytest.param(
            "prod",
            {name for name in FILES if name.startswith(("prod/", "debug/"))}
            | {"base/kustomization.yaml", "base/web.yaml"},
            id="those of others, and what generators read",
        ),
        pytest.param("round", {"round/kustomization.yaml"}, id="a circle"),
        pytest.param("broken", {"broken/kustomization.yaml"}, id="one that does not parse"),
        pytest.param("nowhere", set(), id="none"),
    ],
)
def test_a_kustomization_is_made_of_what_it_refers_to(folder: str, files: set[str]) -> None:
    assert parts(folder, folders()) == files


def test_applied_are_those_that_no_other_refers_to() -> None:
    kustomizations = [name for name in FILES if "ustomization" in name]

    assert roots(kustomizations, folders()) == ["broken", "prod"]


def test_one_at_the_top_has_no_folder() -> None:
    top = folders({"kustomization.yaml": "resources: [deploy]\n", "deploy/kustomization.yaml": "resources: [..]\n"})

    assert (kustomization_in("", top), roots(["kustomization.yaml"], top)) == ("kustomization.yaml", [""])
    assert parts("", top) == {"kustomization.yaml", "deploy/kustomization.yaml"}


def test_other_names_of_a_kustomization_in_the_same_folder_are_parts_of_it() -> None:
    two = folders({"a/kustomization.yaml": "resources: []\n", "a/Kustomization": "resources: [b.yaml]\n"})

    assert kustomization_in("a", two) == "a/kustomization.yaml"
    assert parts("a", two) == {"a/kustomization.yaml", "a/Kustomization"}
