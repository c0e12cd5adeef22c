"""How kinds are spelled on a command line."""

import pytest

from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.schema.load import load
from kubectl_applylint.schema.names import SHORT_NAMES, ObjectArgument, means, names_of, spelled

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

    assert means(word, version, kind, names_of(known)) is expected


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


def test_an_object_is_spelled() -> None:
    assert spelled("deploy/web") == ObjectArgument("deploy", "web")


@pytest.mark.parametrize("text", ["deploy", "deploy/", "/web", "a/b/c", ""])
def test_anything_else_names_no_object(text: str) -> None:
    with pytest.raises(ValueError, match="is not an object; write it like deployment/web"):
        spelled(text)
