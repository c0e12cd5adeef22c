"""The Applications that an ApplicationSet generates and deletes."""

import json

import pytest

from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.tools.argocd.application_sets import (
    EQUAL_NAMES,
    GeneratedApplication,
    deletes_applications,
    generated_application,
    generated_applications,
    with_patch,
)
from kubectl_applylint.tools.argocd.generators import MOST_APPLICATIONS, TOO_MANY, RepositoryView
from tests.units.documents import documents

FINALIZER = "resources-finalizer.argocd.argoproj.io"
SET = """\
apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata: {name: apps, namespace: argocd}
spec: {syncPolicy: {%s}}
"""


@pytest.mark.parametrize(
    ("policy", "metadata", "finalizers"),
    [
        ("", {}, [FINALIZER]),
        ("", {"finalizers": ["other"]}, ["other"]),
        ("preserveResourcesOnDeletion: true", {}, None),
    ],
)
def test_a_generated_application_deletes_its_objects(
    policy: str, metadata: JsonObject, finalizers: list[str] | None
) -> None:
    (document,) = documents(SET % policy)
    made = generated_application({"metadata": {"name": "web", **metadata}, "spec": {}}, document)

    assert (made["kind"], made["metadata"]["namespace"]) == ("Application", "argocd")
    assert made["metadata"].get("finalizers") == finalizers


@pytest.mark.parametrize(
    ("policy", "deletes"),
    [("", True), ("sync", True), ("create-delete", True), ("create-only", False), ("create-update", False)],
)
def test_a_policy_keeps_applications(policy: str, deletes: bool) -> None:
    assert deletes_applications({"spec": {"syncPolicy": {"applicationsSync": policy}}}, {}) is deletes


APPLICATION: JsonObject = {
    "metadata": {"name": "web", "finalizers": [FINALIZER]},
    "spec": {"project": "shop", "source": {"path": "web", "helm": {"valueFiles": ["a.yaml"]}}},
}


@pytest.mark.parametrize(
    ("patch", "found"),
    [
        ("", APPLICATION),
        (
            "metadata: {finalizers: [other]}",
            {**APPLICATION, "metadata": {"name": "web", "finalizers": [FINALIZER, "other"]}},
        ),
        ("spec: {project: admin}", APPLICATION),
        (
            "spec: {source: {path: null, helm: {valueFiles: [b.yaml]}}}",
            {**APPLICATION, "spec": {"project": "shop", "source": {"helm": {"valueFiles": ["b.yaml"]}}}},
        ),
        (
            "spec: {source: {path: '{{.unknown}}/a', helm: null}}",
            {**APPLICATION, "spec": {"project": "shop", "source": {"path": "{{.unknown}}/a"}}},
        ),
        (
            "spec: {source: {path: {{ .unknown }}, helm: null}}",
            {**APPLICATION, "spec": {"project": "shop", "source": {"path": "{{ .unknown }}"}}},
        ),
        ("{{- if .unknown }}spec: {source: {path: a}}{{ end }}", None),
        ("spec: {source: {$patch: replace}}", None),
        ("text", None),
    ],
)
def test_a_patch_of_the_template_changes_an_application(patch: str, found: JsonObject | None) -> None:
    assert with_patch(APPLICATION, patch) == found


ROWS = """\
spec:
  goTemplate: true
  generators: [%s]
  template:
    metadata: {name: '{{.name}}'}
    spec: {source: {path: 'apps/{{.app}}'}, destination: {server: '{{.server}}'}}
  templatePatch: |
    {{ $path := print "apps/" .app -}}
    spec: {destination: {namespace: "{{ .server }}"}, source: {path: "{{ $path }}"}}
"""
HEAD = "apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nmetadata: {name: apps, namespace: argocd}\n"
NOTHING = RepositoryView((), (), lambda _: b"", ())
APPS = "{list: {elements: [{app: web}]}}"


def applications_of(generators: str, *options: str) -> list[GeneratedApplication]:
    (document,) = documents(HEAD + ROWS % generators + "".join(f"  {one}\n" for one in options))
    return [*generated_applications(document, NOTHING)]


@pytest.mark.parametrize(
    "inner",
    [APPS, f"{{matrix: {{generators: [{{clusters: {{}}}}, {APPS}]}}}}"],
    ids=["clusters", "two generators of clusters"],
)
def test_a_set_with_unknown_clusters_is_evaluated(inner: str) -> None:
    (one,) = applications_of(f"{{matrix: {{generators: [{{clusters: {{}}}}, {inner}]}}}}")

    assert (one.gap, one.unknown_names) == ("", "clusters")
    assert one.application["spec"] == {
        "source": {"path": "apps/web"},
        "destination": {"server": "{{.server}}", "namespace": "{{ .server }}"},
    }


def test_a_very_long_patch_is_not_evaluated() -> None:
    text = HEAD + (ROWS % APPS).replace("templatePatch: |", f"templatePatch: |\n    # {'x' * 70_000}")
    (document,) = documents(text)
    (one,) = generated_applications(document, NOTHING)

    assert one.gap == "its templatePatch is not evaluated"


def test_a_name_without_a_value_may_reject_a_set() -> None:
    option = "goTemplateOptions: [missingkey=error]"
    (rejected,) = applications_of(APPS, option)

    assert rejected.gap.endswith("changes none of its Applications: .name is not set")
    assert [one.gap for one in applications_of(APPS)] == [""]
    assert [one.gap for one in applications_of("{clusters: {}}", option)] == [""]


HIDDEN = "values of its generator are not evaluated"


def test_applications_with_equal_names_are_not_applied() -> None:
    found = applications_of("{list: {elements: [{name: web}, {name: web}, {name: api}]}}")

    assert [one.gap for one in found] == [*[f"{EQUAL_NAMES}: web"] * 2, ""]


def test_too_many_applications_are_the_first_reason_of_a_set() -> None:
    found = applications_of(f"{{list: {{elements: [{', '.join(['{name: web}'] * (MOST_APPLICATIONS + 1))}]}}}}")

    assert [one.gap for one in found[:2]] == [TOO_MANY, f"{EQUAL_NAMES}: web"]


@pytest.mark.parametrize(
    ("value", "gap"),
    [("fixed", ""), ("{{.path.basename}}", ""), ("{{ bad", HIDDEN), ('{{ fail "x" }}', HIDDEN)],
)
def test_values_that_no_template_uses_may_be_rejected(value: str, gap: str) -> None:
    git = f"{{git: {{repoURL: '', directories: [{{path: apps/web}}], values: {json.dumps({'v': value})}}}}}"
    (document,) = documents(
        f"{HEAD}spec: {{goTemplate: true, generators: [{git}], template: {{metadata: {{name: a}}}}}}"
    )
    view = RepositoryView(("apps/web/a.yaml",), ("apps/web",), lambda _: b"", ())

    assert [one.gap for one in generated_applications(document, view)] == [gap]
