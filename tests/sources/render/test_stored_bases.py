"""Kustomizations with stored copies of remote bases, rendered by the real kubectl without network."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from kubectl_applylint.core.problem import Problem
from kubectl_applylint.sources.render.build_options import BuildOptions
from kubectl_applylint.sources.render.kustomization import Folders
from kubectl_applylint.sources.render.kustomize import render_folder
from kubectl_applylint.sources.render.locality import UnrenderableReason
from kubectl_applylint.sources.render.remote_bases import RemoteReference, use_bases
from kubectl_applylint.sources.render.stored_bases import with_stored_bases
from kubectl_applylint.sources.text.manifests import Input

URL = "https://github.com/org/repo"
SETTINGS = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: NAME}\n"
STORED: Mapping[str, Mapping[str, bytes]] = {
    URL: {
        "base/kustomization.yaml": b"resources: [a.yaml, ../shared]\n",
        "base/a.yaml": SETTINGS.replace("NAME", "a").encode(),
        "shared/kustomization.yaml": b"resources: ['github.com/org/nested//x?ref=v2', https://a.example/f.yaml]\n",
        "component/kustomization.yaml": b"apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nnameSuffix: c",
        "evil/kustomization.yaml": b"resources: [a.yaml]\nconfigMapGenerator: [{name: x, files: [../../../secret]}]\n",
        "evil/a.yaml": SETTINGS.replace("NAME", "a").encode(),
        "cycle/kustomization.yaml": b"resources: ['github.com/org/nested//cycle?ref=v2']\n",
        "loop/kustomization.yaml": b"resources: ['https://github.com/org/repo//loop?ref=v1']\n",
    },
    "https://github.com/org/nested": {
        "x/kustomization.yaml": b"resources: [n.yaml]\n",
        "cycle/kustomization.yaml": b"resources: ['https://github.com/org/repo//cycle?ref=v1']\n",
        "x/n.yaml": SETTINGS.replace("NAME", "n").encode(),
    },
    "https://a.example/f.yaml": {"file.yaml": SETTINGS.replace("NAME", "f").encode()},
}


@pytest.fixture(autouse=True)
def _path(kubectl: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(kubectl.parent))


def render(kustomization: str, *, is_restricted: bool = True, more: Mapping[str, str] | None = None) -> Input:
    texts = {"app/kustomization.yaml": kustomization, "secret": "s", **(more or {})}
    files = {path: text.encode() for path, text in texts.items()}

    def fault(path: str) -> Problem:
        return Problem(path, "it cannot be read", "")

    where = Folders(files.__contains__, files.__getitem__)
    with use_bases(lambda reference: STORED.get(reference.url)):
        return render_folder(
            "app",
            where,
            lambda paths: {path: files[path] for path in paths if path in files},
            lambda path: f"./{path}",
            fault,
            options=BuildOptions(has_load_restrictor=is_restricted),
        )


@pytest.mark.parametrize("is_restricted", [True, False])
def test_bases_of_bases_and_files_are_rendered_with_their_names(is_restricted: bool) -> None:
    found = render(f"namePrefix: p-\nresources:\n- {URL}//base?ref=v1\n", is_restricted=is_restricted)

    assert found.problems == ()
    assert found.holes == ()
    assert {one.ref.name: one.file for one in found.documents} == {
        "p-a": "github.com/org/repo@v1/base/a.yaml",
        "p-n": "github.com/org/nested@v2/x/n.yaml",
        "p-f": "a.example/f.yaml",
    }


def test_a_component_is_taken_from_the_store() -> None:
    text = f"resources: [a.yaml]\ncomponents: ['{URL}//component?ref=v1']\n"
    found = render(text, more={"app/a.yaml": SETTINGS.replace("NAME", "own")})

    assert [(one.ref.name, one.file) for one in found.documents] == [("ownc", "./app/a.yaml")]


@pytest.mark.parametrize("is_restricted", [True, False])
def test_a_base_reads_nothing_outside_of_it(is_restricted: bool) -> None:
    found = render(f"resources: ['{URL}//evil?ref=v1']\n", is_restricted=is_restricted)

    assert [one.ref.name for one in found.documents] == ["a"]
    assert ["it is outside the repository" in one.what for one in found.holes] == [True]


def test_a_base_that_is_not_stored_stays_a_hole() -> None:
    found = render(f"resources: [{URL}//base, https://b.example/g.yaml]\n")

    assert len(found.documents) == 3
    assert [one.what for one in found.holes] == [
        "resources[1]: https://b.example/g.yaml: it is not in the store; download it with applylint fetch"
    ]


def test_a_base_that_names_itself_ends() -> None:
    found = render(f"resources: ['{URL}//loop?ref=v1']\n")

    assert found.documents == ()
    assert found.problems[0].message.startswith("it cannot be rendered")


def test_a_cycle_of_bases_is_named_and_nothing_to_fetch() -> None:
    text = f"resources: ['{URL}//cycle?ref=v1', a.yaml]\n"
    found = render(text, more={"app/a.yaml": SETTINGS.replace("NAME", "a")})
    with use_bases(lambda reference: STORED.get(reference.url)):
        bases = with_stored_bases("", Folders({"kustomization.yaml"}.__contains__, lambda path: text.encode()))

    (hole,) = found.holes
    assert "refers to a base that includes it" in hole.what
    assert hole.path == "github.com/org/nested@v2/cycle/kustomization.yaml:1:13"
    assert [one.ref.name for one in found.documents] == ["a"]
    assert [*bases.missing()] == []


def test_uses_and_missing_bases_have_their_places() -> None:
    files = {"kustomization.yaml": f"resources:\n- {URL}//base?ref=v1\n- https://b.example/g.yaml\n".encode()}
    with use_bases(lambda reference: STORED.get(reference.url)):
        found = with_stored_bases("", Folders(files.__contains__, files.__getitem__))

    assert [str(one.reference) for one in found.uses] == [
        "github.com/org/repo@v1",
        "github.com/org/nested@v2",
        "a.example/f.yaml",
    ]
    assert [(one.reference, one.place) for one in found.missing()] == [
        (RemoteReference("https://b.example/g.yaml", is_file=True), "kustomization.yaml:3")
    ]
    assert [one.reason for one in found.inputs.faults] == [UnrenderableReason.NOT_STORED]


def test_a_missing_folder_of_a_base_is_named_by_its_repository() -> None:
    found = render(f"resources:\n- {URL}//base?ref=v1\n- {URL}//none?ref=v1\n")

    assert found.problems == ()
    assert [one.what for one in found.holes] == [
        "resources[1]: github.com/org/repo@v1/none: file or directory not found"
    ]
