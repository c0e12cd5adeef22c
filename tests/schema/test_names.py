"""Spellings of kinds on a command line."""

import pytest

from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.schema.load import load
from kubectl_applylint.schema.names import SHORT_NAMES, ObjectArgument, is_name_of_kind, names_of, parse_objects

SCHEMA = load("1.36")
WIDGET: JsonObject = {
    "apiVersion": "apiextensions.k8s.io/v1",
    "kind": "CustomResourceDefinition",
    "spec": {
        "group": "x.io",
        "names": {"kind": "Widget", "plural": "widgets", "singular": "widget", "shortNames": ["wd"]},
        "versions": [{"name": "v1", "served": True}],
    },
}


@pytest.mark.parametrize(
    ("word", "version", "kind", "expected"),
    [
        ("deploy", "apps/v1", "Deployment", True),
        ("deployments", "apps/v1", "Deployment", True),
        ("Deployment", "apps/v1", "Deployment", True),
        ("deployment.apps", "apps/v1", "Deployment", True),
        ("deployments.v1.apps", "apps/v1", "Deployment", True),
        ("deployments.v1beta1.apps", "apps/v1", "Deployment", False),
        ("deployments.extensions", "apps/v1", "Deployment", False),
        ("daemonset", "apps/v1", "Deployment", False),
        ("cm", "v1", "ConfigMap", True),
        ("configmaps.v1", "v1", "ConfigMap", True),
    ],
)
def test_a_word_means_a_kind(word: str, version: str, kind: str, expected: bool) -> None:
    known = SCHEMA.kind(version, kind)
    assert known is not None

    assert is_name_of_kind(word, version, kind, names_of(known)) is expected


def test_custom_resources_bring_their_names() -> None:
    kind = load("1.36", crds=[WIDGET]).kind("x.io/v1", "Widget")
    assert kind is not None

    assert names_of(kind) == ("widgets", "widget", "wd")


def test_every_short_name_is_of_a_kind_that_is_served() -> None:
    served = {
        f"{kind.resource}.{kind.api_version.rpartition('/')[0]}".rstrip(".")
        for gvk in (
            ("v1", "ConfigMap"),
            ("apps/v1", "Deployment"),
            ("autoscaling/v2", "HorizontalPodAutoscaler"),
            ("policy/v1", "PodDisruptionBudget"),
        )
        if (kind := SCHEMA.kind(*gvk))
    }

    assert served <= SHORT_NAMES.keys()
    assert len(set(SHORT_NAMES.values())) == len(SHORT_NAMES)


@pytest.mark.parametrize(
    ("texts", "objects"),
    [
        ("deploy/web", [("deploy", "web")]),
        ("deploy/web svc/api", [("deploy", "web"), ("svc", "api")]),
        ("deploy web", [("deploy", "web")]),
        ("deploy web api", [("deploy", "web"), ("deploy", "api")]),
        ("", []),
    ],
    ids=["with a slash", "two", "in two words", "two of a kind", "none"],
)
def test_objects_are_spelled_as_for_kubectl(texts: str, objects: list[tuple[str, str]]) -> None:
    assert parse_objects(texts.split()) == tuple(ObjectArgument(word, name) for word, name in objects)


@pytest.mark.parametrize("texts", ["deploy", "deploy/", "/web", "a/b/c", "deploy svc/web", "deploy/web api"])
def test_anything_else_names_no_object(texts: str) -> None:
    with pytest.raises(ValueError, match="is not an object; write it like deployment/web"):
        parse_objects(texts.split())
