"""The clusters that Secrets declare, as the clusters generator of Argo CD 3.6.1 reads them."""

from typing import Any

import pytest

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.tools.argocd.clusters import declared_clusters, has_known_clusters, selected_clusters
from tests.rules.stories import document

LABELS = {"argocd.argoproj.io/secret-type": "cluster", "env": "prod"}
OWN = {"name": "in-cluster", "server": "https://kubernetes.default.svc", "project": ""}
PROD = {
    "name": "prod",
    "project": "",
    "metadata.labels.argocd.argoproj.io/secret-type": "cluster",
    "metadata.labels.env": "prod",
}
UNNAMED = {key: text for key, text in PROD.items() if key != "name"}


def secret(**fields: Any) -> Document:
    return document({"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "a", "labels": LABELS}, **fields})


def external(data: JsonObject) -> Document:
    spec = {"target": {"template": {"metadata": {"labels": LABELS}, "data": data}}}
    item = {"apiVersion": "external-secrets.io/v1", "kind": "ExternalSecret", "metadata": {"name": "a"}, "spec": spec}
    return document(item)


@pytest.mark.parametrize(
    ("declaring", "expected"),
    [
        (secret(stringData={"name": "prod", "server": "https://prod.example.com", "config": "x"}), [PROD, OWN]),
        (secret(data={"name": "cHJvZA=="}), [PROD, OWN]),
        (secret(data={"name": "?"}), []),
        (secret(stringData={"name": "ENC[AES256_GCM,data:x]"}), []),
        (secret(stringData={"name": "prod"}, metadata={"name": "a"}), []),
        (secret(stringData={"server": "https://kubernetes.default.svc"}), [{**UNNAMED, "server": OWN["server"]}]),
        (external({"name": "prod", "server": "https://prod"}), [{**PROD, "server": "https://prod"}, OWN]),
        (external({"name": "prod", "server": "{{ .server }}"}), [PROD, OWN]),
    ],
    ids=["texts", "data", "no base64", "encrypted", "no label", "own cluster", "external", "template"],
)
def test_clusters_are_read_from_secrets(declaring: Document, expected: list[JsonObject]) -> None:
    clusters = declared_clusters([declaring])
    found = list(selected_clusters(clusters, {})) if clusters else []

    assert found == expected


def test_a_selector_leaves_out_other_clusters_and_the_own_one() -> None:
    clusters = declared_clusters([secret(stringData={"name": "prod"})])

    assert list(selected_clusters(clusters, {"env": "prod"})) == [PROD]
    assert list(selected_clusters(clusters, {"env": "test"})) == []


@pytest.mark.parametrize(
    ("spec", "is_known"),
    [
        ({}, True),
        ({"selector": {"matchLabels": {"env": "prod"}}}, True),
        ({"selector": {"matchLabels": {"env": "test"}}}, False),
        ({"selector": {"matchExpressions": [{"key": "env", "operator": "Exists"}]}}, False),
        ({"flatList": True}, False),
        (None, False),
    ],
)
def test_clusters_are_known_if_a_selector_matches_one(spec: JsonObject | None, is_known: bool) -> None:
    (one,) = declared_clusters([secret(stringData={"name": "prod"})])

    assert has_known_clusters({"clusters": spec}, [one]) is is_known
    assert not has_known_clusters({"clusters": spec}, [])
