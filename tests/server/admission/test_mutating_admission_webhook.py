"""Open questions about webhooks that change objects; test_webhooks.py has which are called."""

import pytest

from kubectl_applylint.core.outcome import Level
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.server.admission.mutating_admission_webhook import validate
from kubectl_applylint.server.write import Stored
from tests.server.admission.objects import answer_to_create, cluster_view, namespace, write_of
from tests.server.admission.webhook_cases import MAP, MAPS, configuration

DOUBT = "unknown: what the webhook w.example.com of MutatingWebhookConfiguration w changes"


@pytest.mark.parametrize(
    ("manifest", "resource"),
    [(MAP, "configmaps"), (namespace("shop"), "namespaces")],
    ids=["a ConfigMap", "a namespace"],
)
def test_a_webhook_that_is_called_lowers_the_confidence_by_name(manifest: JsonObject, resource: str) -> None:
    rule = {**MAPS, "resources": [resource]}
    answer = answer_to_create(manifest, cluster_view(configuration("Mutating", rules=[rule])))

    assert isinstance(answer, Stored)
    assert (answer.confidence.reasons, answer.confidence.level) == ((DOUBT,), Level.MEDIUM)


def test_configurations_of_the_other_kind_do_not_match() -> None:
    known = cluster_view(configuration("Validating", rules=[MAPS]))

    assert validate(write_of("v1", "ConfigMap", MAP, known=known)).open == ()
