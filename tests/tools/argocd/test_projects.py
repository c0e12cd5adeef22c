"""AppProjects, against what ``argo-cd/v3`` v3.6.1 returned for them (``projects.jsonl``, recorded on 2026-11-27)."""

import json
from pathlib import Path

import pytest

from kubectl_applylint.core.records import replace
from kubectl_applylint.core.state import ObjectRef
from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.tools.argocd.projects import (
    OWN_SERVER,
    AppProject,
    Destination,
    Permissions,
    declared_project,
    destination_of,
    permits_destination,
    permits_kind,
    permits_source,
)

RECORDED = [json.loads(line) for line in Path(__file__).with_name("projects.jsonl").read_text().splitlines()]
OWN = Destination(OWN_SERVER, "in-cluster", is_named=True)


@pytest.mark.parametrize(("spec", "url", "server", "name", "namespace", "item", "expected"), RECORDED)
def test_projects_permit_what_argo_cd_does(
    spec: JsonObject, url: str, server: str, name: str, namespace: str, item: list[Json], expected: list[bool]
) -> None:
    project, destination = AppProject("team", spec), Destination(server, name)
    group, kind, own_name, is_namespaced = item
    ref = ObjectRef(f"{group}/v1" if group else "v1", kind, "", own_name)

    assert permits_source(project, url) is expected[0]
    assert permits_destination(project, destination, namespace) is expected[1]
    assert permits_kind(project, ref, is_namespaced=is_namespaced) is expected[2]
    assert permits_destination(project, Destination(server), namespace) in (expected[1], None)
    assert permits_destination(project, Destination(None, name), namespace) in (expected[1], None)


@pytest.mark.parametrize(
    ("url", "pattern"),
    [
        ("{{ .url }}", "https://github.com/org/*"),
        ("https://github.com/org/app", "${REPOSITORY}"),
        ("https://github.com/org/app", "https://github.com/{org,other}/lib"),
        ("host:8443/org/app", "https://github.com/org/*"),
    ],
)
def test_urls_that_go_changes_and_unknown_ones_have_no_answer(url: str, pattern: str) -> None:
    assert permits_source(AppProject("team", {"sourceRepos": [pattern]}), url) is None


def test_clusters_of_a_project_are_not_known() -> None:
    spec = {"destinations": [{"server": "*", "namespace": "*"}], "permitOnlyProjectScopedClusters": True}

    assert permits_destination(AppProject("team", spec), OWN, "shop") is None


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"name": "in-cluster"}, OWN),
        ({"name": "prod"}, Destination(None, "prod", is_named=True)),
        ({"server": OWN_SERVER}, Destination(OWN_SERVER)),
        ({"server": "{{ .server }}"}, Destination()),
        ({"server": OWN_SERVER, "name": "prod"}, Destination()),
        ({}, Destination()),
    ],
)
def test_destination_is_what_the_application_says(given: JsonObject, expected: Destination) -> None:
    assert destination_of({"spec": {"destination": given}}) == expected


SPEC = {"sourceRepos": ["https://github.com/org/*"], "destinations": [{"server": OWN_SERVER, "namespace": "shop"}]}


@pytest.mark.parametrize(
    ("url", "destination", "namespace", "expected"),
    [
        ("https://github.com/org/app", OWN, "shop", ""),
        ("https://github.com/org/app", Destination(), "web", ""),
        (
            "https://example.com/app",
            OWN,
            "shop",
            "application repo https://example.com/app is not permitted in project 'team'",
        ),
        (
            "https://github.com/org/app",
            OWN,
            "web",
            "application destination server 'in-cluster' and namespace 'web' do not match any of the allowed"
            " destinations in project 'team'",
        ),
        (
            "https://github.com/org/app",
            Destination(OWN_SERVER),
            "web",
            f"application destination server '{OWN_SERVER}' and namespace 'web' do not match any of the allowed"
            " destinations in project 'team'",
        ),
    ],
)
def test_applications_outside_of_the_project(url: str, destination: Destination, namespace: str, expected: str) -> None:
    permissions = Permissions((AppProject("team", SPEC),), (url,), destination, namespace)

    assert permissions.application_error == expected
    assert replace(permissions, projects=()).application_error == ""


@pytest.mark.parametrize(
    ("ref", "is_namespaced", "expected"),
    [
        (ObjectRef("v1", "ConfigMap", "shop", "a"), True, ""),
        (ObjectRef("v1", "ConfigMap", "", "a"), True, ""),
        (ObjectRef("v1", "ConfigMap", "web", "a"), True, "namespace web is not permitted in project 'team'"),
        (ObjectRef("v1", "Namespace", "", "web"), False, "resource :Namespace is not permitted in project team"),
    ],
)
def test_objects_outside_of_the_project(ref: ObjectRef, is_namespaced: bool, expected: str) -> None:
    permissions = Permissions((AppProject("team", SPEC),), destination=OWN, namespace="shop")

    assert permissions.object_error(ref, is_namespaced=is_namespaced) == expected


@pytest.mark.parametrize(
    ("name", "spec", "is_permitted"),
    [
        ("default", {}, True),
        ("default", {"sourceRepos": ["https://github.com/org/*"]}, False),
        ("default", {"sourceRepos": []}, False),
        ("team", {}, False),
    ],
    ids=["left as Argo CD creates it", "others permitted", "none permitted", "another project"],
)
def test_a_manifest_of_the_default_project_changes_only_what_it_has(
    name: str, spec: JsonObject, is_permitted: bool
) -> None:
    project = declared_project({"metadata": {"name": name}, "spec": spec})

    assert permits_source(project, "https://example.com/app") is is_permitted
