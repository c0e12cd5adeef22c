"""Open questions about policies that change objects."""

import pytest

from kubectl_applylint.core.outcome import Level
from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.server.admission.mutating_admission_policy import validate
from kubectl_applylint.server.write import Stored
from tests.server.admission.objects import answer_to_create, cluster_view, namespace, of_cluster, write_of
from tests.server.admission.webhook_cases import MAP, MAPS

VERSION = "admissionregistration.k8s.io/v1"
DOUBT = "unknown: what the MutatingAdmissionPolicy labels changes"


def policy(**constraints: Json) -> JsonObject:
    spec = {"matchConstraints": {"resourceRules": [MAPS], **constraints}}
    return of_cluster(VERSION, "MutatingAdmissionPolicy", "labels", spec=spec)


def binding(name: str = "labels", **resources: Json) -> JsonObject:
    spec = {"policyName": name, "matchResources": resources}
    return of_cluster(VERSION, "MutatingAdmissionPolicyBinding", "everywhere", spec=spec)


def test_a_policy_that_matches_lowers_the_confidence_by_name() -> None:
    answer = answer_to_create(MAP, cluster_view(policy(), binding()))

    assert isinstance(answer, Stored)
    assert (answer.confidence.reasons, answer.confidence.level) == ((DOUBT,), Level.MEDIUM)


OTHERS = {"matchLabels": {"a": "b"}}


@pytest.mark.parametrize(
    ("objects", "expected"),
    [
        pytest.param([policy(), binding(namespaceSelector=OTHERS)], (DOUBT,), id="labels that are not known"),
        pytest.param([policy()], (), id="no binding"),
        pytest.param([binding()], (), id="no policy"),
        pytest.param([policy(objectSelector=OTHERS), binding()], (), id="other objects"),
        pytest.param([policy(), binding(objectSelector=OTHERS)], (), id="a binding for others"),
        pytest.param(
            [policy(), binding(namespaceSelector=OTHERS), namespace("shop")], (), id="a binding for other namespaces"
        ),
    ],
)
def test_the_policy_and_its_binding_decide(objects: list[JsonObject], expected: tuple[str, ...]) -> None:
    assert validate(write_of("v1", "ConfigMap", MAP, known=cluster_view(*objects))).open == expected


def test_policies_are_not_changed_by_policies() -> None:
    everything = {"apiGroups": ["*"], "apiVersions": ["*"], "resources": ["*"], "operations": ["*"]}
    known = cluster_view(policy(resourceRules=[everything]), binding())

    assert validate(write_of(VERSION, "ValidatingAdmissionPolicy", policy(), known=known)).open == ()
    assert validate(write_of("v1", "Namespace", namespace("shop"), known=known)).open == (DOUBT,)
