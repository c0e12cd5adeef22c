"""Files that change how Argo CD renders a path."""

from typing import Any

import pytest

from kubectl_applylint.tools.argocd.special_files import (
    folders_of_absent_tools,
    has_special_files,
    may_evaluate_jsonnet,
    missing_value_files,
    special_files,
)

FILES = frozenset(
    (
        *("plain/x.yaml", "jsonnet/deep/x.jsonnet", "chart/Chart.yaml", "both/Chart.yaml", "both/kustomization.yaml"),
        *(
            "kustomize/kustomization.yml",
            "kustomize/y.jsonnet",
            "own/.argocd-source-web.yaml",
            "all/.argocd-source.yaml",
        ),
    )
)


@pytest.mark.parametrize(
    ("source", "is_special"),
    [
        ({"path": "plain"}, False),
        ({"path": "../x"}, False),
        ({"path": "jsonnet"}, False),
        ({"path": "jsonnet/deep"}, True),
        ({"path": "jsonnet", "directory": {"recurse": True}}, True),
        ({"path": ".", "directory": {"recurse": True}}, True),
        ({"path": "kustomize"}, False),
        ({"path": "kustomize", "directory": {}}, True),
        ({"path": "kustomize", "helm": {}}, True),
        ({"path": "chart", "helm": {}}, False),
        ({"path": "chart", "kustomize": {}}, True),
        ({"path": "both"}, True),
        ({"path": "./own/"}, True),
        ({"path": "all"}, True),
        ({"chart": "own"}, False),
    ],
)
def test_sources_with_special_files(source: dict[str, Any], is_special: bool) -> None:
    application = {"metadata": {"name": "web"}, "spec": {"source": source}}

    assert has_special_files(application, special_files(FILES)) is is_special
    other = {"metadata": {"name": "other"}, "spec": {"source": source}}
    assert has_special_files(other, special_files(FILES)) is (is_special and "own" not in source["path"])


@pytest.mark.parametrize(
    ("path", "options", "is_absent"),
    [
        ("plain", {"helm": {}}, True),
        ("plain", {"kustomize": {"namePrefix": "a-"}}, True),
        (".", {"helm": {}}, True),
        ("plain", {"directory": {}}, False),
        ("plain", {}, False),
        ("chart", {"helm": {}}, False),
        ("kustomize", {"kustomize": {}}, False),
        ("both", {"helm": {}}, False),
        ("../plain", {"helm": {}}, False),
    ],
)
def test_sources_that_name_a_tool_for_plain_manifests(path: str, options: dict[str, Any], is_absent: bool) -> None:
    application = {"spec": {"source": {"path": path, **options}}}

    assert bool([*folders_of_absent_tools(application, special_files(FILES))]) is is_absent


@pytest.mark.parametrize(
    ("path", "name", "is_missing"),
    [
        ("chart", "prod.yaml", True),
        ("chart", "../plain/x.yaml", False),
        ("chart", "/plain/x.yaml", False),
        ("./chart/", "/prod.yaml", True),
        ("chart", "../../x.yaml", True),
        ("plain", "prod.yaml", False),
        ("../x", "prod.yaml", False),
    ],
)
def test_value_files_that_the_repository_does_not_have(path: str, name: str, is_missing: bool) -> None:
    application = {"spec": {"source": {"path": path, "helm": {"valueFiles": [name]}}}}

    assert any(missing_value_files(application, FILES, special_files(FILES))) is is_missing


@pytest.mark.parametrize(
    ("path", "is_evaluated"), [("apps", True), (".", True), ("./apps/web", True), ("app", False), ("../apps", False)]
)
def test_applications_with_files_in_jsonnet(path: str, is_evaluated: bool) -> None:
    application: dict[str, Any] = {"spec": {"source": {"repoURL": "https://example.com/a.git", "path": path}}}

    assert may_evaluate_jsonnet(application, ["apps/web/a.jsonnet", "app/a.libsonnet"]) is is_evaluated


@pytest.mark.parametrize(
    ("name", "url", "missing"),
    [
        ("$values/plain/x.yaml", "https://host/team/deploy.git", []),
        ("$values/plain/none.yaml", "https://host/team/deploy.git", ["plain/none.yaml"]),
        ("$values/plain/none.yaml", "https://host/team/other.git", []),
        ("$other/x.yaml", "https://host/team/deploy.git", ["chart/$other/x.yaml"]),
        ("https://host/x.yaml", "https://host/team/deploy.git", []),
        ("../plain/*.yaml", "https://host/team/deploy.git", []),
    ],
)
def test_value_files_of_another_source(name: str, url: str, missing: list[str]) -> None:
    chart = {"path": "chart", "helm": {"valueFiles": [name]}}
    application: dict[str, Any] = {"spec": {"sources": [chart, {"repoURL": url, "ref": "values"}]}}
    remotes = ["https://host/team/deploy"]

    assert [*missing_value_files(application, FILES, special_files(FILES), remotes)] == missing
