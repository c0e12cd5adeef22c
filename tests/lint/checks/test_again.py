"""Reasons why a second apply of the same manifest sends something again."""

import pytest

from kubectl_applylint.core.paths import render
from kubectl_applylint.core.state import Present
from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.lint.checks._again import resent_fields
from tests.rules.stories import subject

LABELS = {"app": "web"}
CONTAINER = {"name": "web", "image": "nginx:1.27"}


def manifest_of(api_version: str, kind: str, **fields: Json) -> JsonObject:
    return {"apiVersion": api_version, "kind": kind, "metadata": {"name": "web"}, **fields}


def deployment(spec: JsonObject, **container: Json) -> JsonObject:
    template = {"metadata": {"labels": LABELS}, "spec": {"containers": [{**CONTAINER, **container}], **spec}}
    return manifest_of("apps/v1", "Deployment", spec={"selector": {"matchLabels": LABELS}, "template": template})


def causes(manifest: JsonObject) -> list[tuple[str, str]]:
    return [
        (render(found.path).rpartition("template.spec.")[2], found.cause) for found in resent_fields(subject(manifest))
    ]


@pytest.mark.parametrize(
    ("manifest", "expected"),
    [
        pytest.param(deployment({}), [], id="settles"),
        pytest.param(
            manifest_of("v1", "Secret", stringData={"a": "b"}), [("stringData", "write-only")], id="stringData"
        ),
        pytest.param(
            manifest_of("v1", "Service", spec={"ports": [{"port": 53}, {"port": 53, "protocol": "UDP", "name": "b"}]}),
            [],
            id="refused",
        ),
        pytest.param(
            deployment({"nodeSelector": None, "volumes": [{"name": "v"}]}, resources={"limits": {"cpu": 1}}),
            [
                ("nodeSelector", "null"),
                ("volumes[name=v]", "retained"),
                ("containers[name=web].resources.limits.cpu", "spelling"),
            ],
            id="several causes",
        ),
        pytest.param(
            manifest_of(
                "v1", "Pod", spec={"containers": [CONTAINER], "tolerations": [{"key": "a", "operator": "Exists"}]}
            ),
            [("spec.tolerations", "filled")],
            id="entries that admission adds",
        ),
        pytest.param(
            manifest_of("v1", "LimitRange", spec={"limits": [{"type": "Container", "max": {"cpu": "1000m"}}]}),
            [("spec.limits[0].max.cpu", "spelling"), ("spec.limits", "filled")],
            id="two causes in one list",
        ),
        pytest.param(
            manifest_of("policy/v1", "PodDisruptionBudget", spec={"selector": {"matchLabels": LABELS}}),
            [("spec.selector", "whole")],
            id="a selector that is replaced",
        ),
        pytest.param(
            manifest_of("v1", "Service", spec={"clusterIP": "", "ports": [{"port": 80}]}),
            [("spec.clusterIP", "empty")],
            id="an empty text asks the server for a value",
        ),
        pytest.param(
            manifest_of("v1", "Service", spec={"selector": {"app": None}, "ports": [{"port": 80}]}),
            [("spec.selector", "null")],
            id="a map of nothing but nulls",
        ),
        pytest.param(
            {
                **manifest_of("v1", "ConfigMap"),
                "metadata": {"name": "web", "creationTimestamp": "2026-01-01T00:00:00Z"},
            },
            [("metadata.creationTimestamp", "other")],
            id="what only the server knows",
        ),
        pytest.param(
            manifest_of("example.org/v1", "Nobody", spec={"a": None}),
            [],
            id="nothing is reported about unknown kinds",
        ),
    ],
)
def test_causes(manifest: JsonObject, expected: list[tuple[str, str]]) -> None:
    assert sorted(causes(manifest)) == sorted(expected)


def test_a_deletion_that_the_server_undoes_is_sent_again() -> None:
    """The label comes back each time, and the last-applied annotation keeps the null that removes it."""
    label = "kubernetes.io/metadata.name"
    manifest = {**manifest_of("v1", "Namespace"), "metadata": {"name": "web", "labels": {label: None}}}

    assert causes(manifest) == [(f'metadata.labels["{label}"]', "null")]


def test_entries_that_merge_into_one_are_left_to_other_rules() -> None:
    manifest = deployment({"imagePullSecrets": [{"name": "a"}, {"name": "a"}]})
    live = {**deployment({"imagePullSecrets": [{"name": "a"}]}), "metadata": {"name": "web", "namespace": "default"}}

    found = list(resent_fields(subject(manifest, live=Present(live))))

    assert [each.cause for each in found] == ["twins"]
