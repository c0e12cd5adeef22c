"""What is left open where webhooks are called."""

import pytest

from kubectl_applylint.core.outcome import Level
from kubectl_applylint.core.state import UNSEEN
from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.server.write import Answer, Stored
from tests.server.admission.objects import cluster_view, created, namespace, patched, placed

MAP = placed("v1", "ConfigMap", "shop", data={"a": "b"})
MAPS = {"apiGroups": [""], "apiVersions": ["v1"], "operations": ["CREATE"], "resources": ["configmaps"]}
CHANGES = "unknown: what the webhook w.example.com of MutatingWebhookConfiguration w changes"
REFUSES = "unknown: whether the webhook w.example.com of ValidatingWebhookConfiguration w rejects it"


def configuration(kind: str, **webhook: Json) -> JsonObject:
    return {
        "apiVersion": "admissionregistration.k8s.io/v1",
        "kind": f"{kind}WebhookConfiguration",
        "metadata": {"name": "w"},
        "webhooks": [{"name": "w.example.com", **webhook}],
    }


def left_open(answer: Answer) -> tuple[str, ...]:
    assert isinstance(answer, Stored), answer
    return answer.confidence.reasons


@pytest.mark.parametrize(("kind", "doubt"), [("Mutating", CHANGES), ("Validating", REFUSES)], ids=str)
def test_a_webhook_that_is_called_lowers_the_confidence_by_name(kind: str, doubt: str) -> None:
    answer = created(MAP, cluster_view(configuration(kind, rules=[MAPS])))
    assert isinstance(answer, Stored)

    assert left_open(answer) == (doubt,)
    assert answer.confidence.level is Level.MEDIUM


@pytest.mark.parametrize(
    "webhook",
    [
        pytest.param({"rules": [{**MAPS, "resources": ["secrets"]}]}, id="another resource"),
        pytest.param({"rules": [{**MAPS, "operations": ["UPDATE"]}]}, id="another operation"),
        pytest.param({}, id="no rules"),
        pytest.param({"rules": [MAPS], "objectSelector": {"matchLabels": {"a": "b"}}}, id="other labels"),
        pytest.param(
            {"rules": [MAPS], "namespaceSelector": {"matchLabels": {"inject": "true"}}}, id="other namespaces"
        ),
    ],
)
def test_a_webhook_that_is_not_called_changes_nothing(webhook: JsonObject) -> None:
    known = cluster_view(configuration("Mutating", **webhook), namespace("shop"))

    assert left_open(created(MAP, known)) == ()


def test_a_webhook_for_namespaces_whose_labels_nobody_knows_may_be_called() -> None:
    known = cluster_view(configuration("Mutating", rules=[MAPS], namespaceSelector={"matchLabels": {"inject": "true"}}))

    assert left_open(created(MAP, known)) == (CHANGES,)


def test_a_webhook_for_new_objects_is_not_called_for_others() -> None:
    before = created(MAP, UNSEEN)
    assert isinstance(before, Stored)
    answer = patched(before.object, {**MAP, "data": {"a": "c"}}, cluster_view(configuration("Mutating", rules=[MAPS])))

    assert left_open(answer) == ()


@pytest.mark.parametrize(("kind", "doubt"), [("Mutating", CHANGES), ("Validating", REFUSES)], ids=str)
def test_webhooks_are_called_for_namespaces_too(kind: str, doubt: str) -> None:
    rule = {**MAPS, "resources": ["namespaces"]}

    assert left_open(created(namespace("shop"), cluster_view(configuration(kind, rules=[rule])))) == (doubt,)
