"""The sources of Applications."""

from typing import Any

import pytest

from kubectl_applylint.tools.argocd.application_sources import has_unknown_parameters, source_folders, sources_of

REPOSITORY = "https://charts.example.com"


def application(**spec: Any) -> dict[str, Any]:
    return {"metadata": {"name": "web"}, "spec": spec}


@pytest.mark.parametrize(
    ("spec", "paths"),
    [
        ({"source": {"path": "a"}}, ["a"]),
        ({"source": {"path": "a"}, "sources": [{"path": "b"}, {"ref": "values"}, 1]}, ["b", ""]),
        ({"source": {"path": "a"}, "sourceHydrator": {"drySource": {"path": "dry"}}}, ["dry"]),
        ({}, []),
    ],
)
def test_the_sources_of_an_application(spec: dict[str, Any], paths: list[str]) -> None:
    assert [one.path for one in sources_of(application(**spec))] == paths


@pytest.mark.parametrize(
    ("source", "chart"),
    [
        ({"repoURL": REPOSITORY, "chart": "web", "targetRevision": "1.x"}, "https://charts.example.com web 1.x"),
        (
            {"repoURL": "ghcr.io/o/charts", "chart": "web", "targetRevision": "1.0.0"},
            "oci://ghcr.io/o/charts/web 1.0.0",
        ),
        ({"repoURL": "oci://ghcr.io/o", "chart": "web", "targetRevision": "1.0.0"}, "oci://ghcr.io/o/web 1.0.0"),
        ({"repoURL": REPOSITORY, "path": "web"}, "None"),
    ],
)
def test_the_chart_of_a_source(source: dict[str, Any], chart: str) -> None:
    (found,) = sources_of(application(source=source))

    assert str(found.chart_source) == chart


@pytest.mark.parametrize(
    ("source", "is_plain"),
    [
        ({"path": "a"}, True),
        ({"path": "a", "kustomize": {}, "directory": {"recurse": True, "jsonnet": {}}}, True),
        ({"path": "a", "helm": {"values": "a: b", "valueFiles": ["prod.yaml"], "releaseName": "x"}}, True),
        ({"path": "a", "helm": {"valueFiles": ["values-*.yaml"]}}, False),
        ({"path": "a", "helm": {"valueFiles": ["$values/prod.yaml"]}}, False),
        ({"path": "a", "helm": {"skipCrds": True}}, False),
        ({"path": "a", "helm": {"values": "host: {{ .host }}"}}, False),
        ({"path": "a", "kustomize": {"namePrefix": "x-"}}, False),
        ({"path": "a", "directory": {"include": "*.yaml"}}, False),
        ({"path": "a", "plugin": {"name": "cmp"}}, False),
        ({"path": "a", "chart": "web"}, False),
        ({"ref": "values"}, False),
    ],
)
def test_a_source_is_plain_if_the_layout_finds_its_objects(source: dict[str, Any], *, is_plain: bool) -> None:
    (found,) = sources_of(application(source=source))

    assert found.is_plain is is_plain


def test_a_source_with_a_name_alone_makes_no_objects() -> None:
    (found,) = sources_of(application(source={"ref": "values", "repoURL": REPOSITORY}))

    assert not found.makes_objects


def test_parameters_are_found_in_any_text() -> None:
    assert has_unknown_parameters({"a": [{"b": "x-{{name}}"}]})
    assert not has_unknown_parameters({"a": [1, None, "b"]})


@pytest.mark.parametrize(
    ("spec", "folders"),
    [
        ({"source": {"path": "./apps/web"}}, ("apps/web/",)),
        ({"sources": [{"path": "."}, {"chart": "web"}, {"path": "../other"}]}, ("",)),
        ({"source": {"chart": "web"}}, ()),
    ],
)
def test_folders_that_an_application_applies(spec: dict[str, Any], folders: tuple[str, ...]) -> None:
    assert source_folders({"spec": spec}) == folders
