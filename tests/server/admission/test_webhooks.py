"""Open questions if webhooks are called."""

import pytest

from kubectl_applylint.core.state import UNSEEN
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.server.admission import webhooks
from kubectl_applylint.server.admission.attributes import ALLOWED
from kubectl_applylint.server.write import Answer, Stored
from tests.server.admission.objects import answer_to_create, answer_to_patch, cluster_view, namespace, write_of
from tests.server.admission.webhook_cases import MAP, MAPS, configuration

CHANGES = "unknown: what the webhook w.example.com of MutatingWebhookConfiguration w changes"


def left_open(answer: Answer) -> tuple[str, ...]:
    assert isinstance(answer, Stored), answer
    return answer.confidence.reasons


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

    assert left_open(answer_to_create(MAP, known)) == ()


def test_a_webhook_for_namespaces_with_unknown_labels_may_be_called() -> None:
    known = cluster_view(configuration("Mutating", rules=[MAPS], namespaceSelector={"matchLabels": {"inject": "true"}}))

    assert left_open(answer_to_create(MAP, known)) == (CHANGES,)


def test_a_webhook_for_new_objects_is_not_called_for_others() -> None:
    before = answer_to_create(MAP, UNSEEN)
    assert isinstance(before, Stored)
    answer = answer_to_patch(
        before.object, {**MAP, "data": {"a": "c"}}, cluster_view(configuration("Mutating", rules=[MAPS]))
    )

    assert left_open(answer) == ()


@pytest.mark.parametrize("kind", ["Mutating", "Validating"])
def test_no_webhook_is_called_about_webhooks(kind: str) -> None:
    everything = {"apiGroups": ["*"], "apiVersions": ["*"], "operations": ["*"], "resources": ["*"]}
    known = cluster_view(configuration("Mutating", rules=[everything]))
    api_version, name = "admissionregistration.k8s.io/v1", f"{kind}WebhookConfiguration"

    assert (
        webhooks.open_questions(write_of(api_version, name, {}, known=known), "MutatingWebhookConfiguration", "")
        == ALLOWED
    )
    assert webhooks.open_questions(
        write_of("v1", "Node", {}, known=known), "MutatingWebhookConfiguration", "x"
    ).open == ("x",)
