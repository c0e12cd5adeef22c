"""Applications that declare each other."""

from pathlib import Path

import pytest

from kubectl_applylint.run.discover.circles import circle_notes
from kubectl_applylint.run.discover.repository_units import list_units
from kubectl_applylint.run.request import Request
from tests.run.running import runs, write

APPLICATION = """
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: %s, namespace: argocd}
spec:
  source: {path: %s}
  destination: {server: https://kubernetes.default.svc, namespace: argocd}
"""
NOTE = "Applications declare each other in a circle, and each is examined once: "


def application(name: str) -> str:
    return APPLICATION % (name, name)


@pytest.mark.parametrize(
    ("files", "names"),
    [
        ({"a/b.yaml": "b", "b/a.yaml": "a"}, "argocd/a, argocd/b"),
        (
            {"root.yaml": "a", "a/b.yaml": "b", "b/c.yaml": "c", "c/a.yaml": "a", "c/d.yaml": "d"},
            "argocd/a, argocd/b, argocd/c",
        ),
        ({"a/a.yaml": "a", "a/b.yaml": "b"}, ""),
        ({"root.yaml": "a", "a/b.yaml": "b"}, ""),
    ],
    ids=["two", "three with one below", "one that contains itself", "none"],
)
def test_circles_are_named_once(
    files: dict[str, str], names: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write(Path("all"), {path: application(name) for path, name in files.items()})
    write(
        Path("all"),
        {f"{name}/object.yaml": "{apiVersion: v1, kind: ConfigMap, metadata: {name: x}}" for name in "abcd"},
    )
    expected = [NOTE + names] if names else []

    assert [one for one in list_units(Request(files=("all",))).notes if NOTE in one] == expected
    assert [one for one in runs("all").notes if NOTE in one] == expected


def test_many_names_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write(Path("all"), {f"app{one}/next.yaml": application(f"app{(one + 1) % 7}") for one in range(7)})

    assert [*circle_notes(list_units(Request(files=("all",))).units, lambda path: f"all/{path}")] == [
        f"{NOTE}argocd/app0, argocd/app1, argocd/app2, argocd/app3, argocd/app4 and 2 more"
    ]


def test_applications_of_one_set_are_no_circle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    built = (application(name).replace(f"path: {name}", f"path: {name}, directory: {{include: '*'}}") for name in "ab")
    write(Path("all"), {"apps.yaml": "---".join(built), "a/x.yaml": "", "b/x.yaml": ""})
    listed = list_units(Request(files=("all",)))

    assert {one.root for one in listed.units} >= {"Application/argocd/a", "Application/argocd/b"}
    assert not any(NOTE in note for note in listed.notes)


def test_an_application_that_is_also_read_without_its_namespace_is_no_circle(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    template = "{metadata: {name: root}, spec: {source: {path: '{{path}}'}, destination: {name: in-cluster}}}"
    generator = "{list: {elements: [{path: root}]}}"
    root = (
        "apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nmetadata: {name: root}\n"
        f"spec: {{generators: [{generator}], template: {template}}}\n"
    )
    write(
        Path("all"), {"root/kustomization.yaml": "{namespace: argocd, resources: [root.yaml]}", "root/root.yaml": root}
    )

    assert [one for one in runs("all").notes if NOTE in one] == []
