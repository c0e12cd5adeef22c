"""Entries of Secrets that pods require, and that another client writes."""

import pytest

from kubectl_applylint.core.state import Absent
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.lint.run import lint
from kubectl_applylint.rulebook.rulebook import load
from tests.rules.stories import subject

RULES = [rule for rule in load(()).rules if rule.id == "entry-missing-keeps-pods-from-starting"]
CONTAINER: JsonObject = {
    "name": "web",
    "image": "web:1",
    "env": [{"name": "PASSWORD", "valueFrom": {"secretKeyRef": {"name": "login", "key": "password"}}}],
}
POD: JsonObject = {
    "apiVersion": "v1",
    "kind": "Pod",
    "metadata": {"name": "web", "namespace": "shop"},
    "spec": {"containers": [CONTAINER]},
}
SECRET: JsonObject = {
    "apiVersion": "v1",
    "kind": "Secret",
    "metadata": {"name": "login", "namespace": "shop"},
    "stringData": {"user": "admin"},
}


def external_secret(name: str, spec: JsonObject, namespace: str = "shop") -> JsonObject:
    metadata = {"name": name, "namespace": namespace}
    return {"apiVersion": "external-secrets.io/v1", "kind": "ExternalSecret", "metadata": metadata, "spec": spec}


@pytest.mark.parametrize(
    ("peers", "findings"),
    [
        pytest.param([], 1, id="none"),
        pytest.param([external_secret("login", {})], 0, id="its name"),
        pytest.param([external_secret("vault", {"target": {"name": "login"}})], 0, id="its target"),
        pytest.param([external_secret("login", {"target": {"name": "other"}})], 1, id="another target"),
        pytest.param([external_secret("login", {}, namespace="other")], 1, id="another namespace"),
    ],
)
def test_an_external_secret_may_write_the_entry(peers: list[JsonObject], findings: int) -> None:
    assert len(lint([subject(POD, live=Absent(), peers=[SECRET, *peers])], RULES).findings) == findings
