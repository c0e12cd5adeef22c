"""Predictions for manifests with placeholders, which are replaced before the apply."""

import pytest

from kubectl_applylint.appliers.request import Applier, ApplyRequest
from kubectl_applylint.core.outcome import FieldError, Level, Outcome, PredictionError, Verdict, Why
from kubectl_applylint.core.paths import render
from kubectl_applylint.core.state import Absent, Present, State, ref_of
from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.engine import predict as engine
from kubectl_applylint.engine.placeholder_outcomes import sparing_placeholders
from tests.rules.stories import SCHEMA


def predict(manifest: JsonObject, live: JsonObject | None = None, applier: Applier = Applier.KUBECTL_CLIENT) -> Outcome:
    def apply(manifest: JsonObject, state: State) -> Outcome:
        return engine.predict(ApplyRequest(manifest=manifest, state=state, schema=SCHEMA, applier=applier))

    return sparing_placeholders(apply, SCHEMA)(manifest, State(Absent() if live is None else Present(live)))


def service(name: str = "web", **spec: Json) -> JsonObject:
    metadata = {"name": name, "namespace": "shop"}
    return {"apiVersion": "v1", "kind": "Service", "metadata": metadata, "spec": {"ports": [{"port": 80}], **spec}}


def deployment(replicas: Json, image: str = "web:1", memory: str = "1Gi") -> JsonObject:
    container = {"name": "web", "image": image, "resources": {"limits": {"memory": memory}}}
    template = {"metadata": {"labels": {"app": "web"}}, "spec": {"containers": [container]}}
    spec = {"replicas": replicas, "selector": {"matchLabels": {"app": "web"}}, "template": template}
    metadata = {"name": "web", "namespace": "shop"}
    return {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": metadata, "spec": spec}


PLACEHOLDERS = [
    pytest.param(deployment("${N}", memory="{{ memory }}"), ["replicas", "template"], id="numbers and quantities"),
    pytest.param(service(ports=[{"port": "PORT"}]), ["ports[0].port"], id="a word in capitals"),
    pytest.param(service(clusterIP="${IP:-10.0.0.1}"), ["clusterIP"], id="another field is named"),
    pytest.param(service("<NAME>"), ["name"], id="the name"),
]


@pytest.mark.parametrize("applier", [Applier.KUBECTL_CLIENT, Applier.KUBECTL_SERVER])
@pytest.mark.parametrize(("manifest", "places"), PLACEHOLDERS)
def test_nothing_is_rejected_because_of_a_placeholder(
    manifest: JsonObject, places: list[str], applier: Applier
) -> None:
    created = predict(manifest, applier=applier)
    assert created.result is not None
    again = predict(manifest, created.result, applier)

    assert not created.refused
    assert created.confidence.level is not Level.HIGH
    assert all(any(place in reason for reason in created.confidence.reasons) for place in places)
    assert "has a placeholder, whose value is not known" in created.confidence.reasons[0]
    assert created.ref.name == created.result["metadata"]["name"] == manifest["metadata"]["name"]
    assert list(again.changes) == []
    assert again.verdict in (Verdict.UNCHANGED, Verdict.SERVERSIDE_APPLIED)


def deployment_with(**spec: Json) -> JsonObject:
    """Return a Deployment with fields of its pods."""
    manifest = deployment(1)
    template = manifest["spec"]["template"]
    return {
        **manifest,
        "spec": {**manifest["spec"], "template": {**template, "spec": {**template["spec"], **spec}}},
    }


@pytest.mark.parametrize(
    "spec",
    [
        {"tolerations": [{"key": "{{.key}}", "operator": "Equal", "value": "{{.value}}", "effect": "NoSchedule"}]},
        {"tolerations": [{"key": "a", "operator": "{{.operator}}", "value": "b"}]},
        {"restartPolicy": "${POLICY}"},
    ],
    ids=["key beside an operator", "operator beside a value", "needed value"],
)
def test_a_placeholder_may_decide_over_the_fields_beside_it(spec: JsonObject) -> None:
    created = predict(deployment_with(**spec))

    assert created.verdict is Verdict.CREATED
    assert "has a placeholder, whose value is not known" in created.confidence.reasons[0]


def test_other_changes_are_predicted() -> None:
    live = predict(deployment("${N}")).result
    changes = predict(deployment("${N}", "web:2"), live).changes

    assert [render(change.path) for change in changes if change.provenance.why is Why.SET] == [
        "spec.template.spec.containers[name=web].image"
    ]


def test_other_reasons_of_a_rejection_count() -> None:
    outcome = predict(service("${NAME}", clusterIP="${IP}", sessionAffinity="Some"))

    assert [cause.field for cause in outcome.errors] == ["spec.sessionAffinity"]


def test_a_valid_name_in_capitals_is_no_placeholder() -> None:
    role = {
        "apiVersion": "rbac.authorization.k8s.io/v1",
        "kind": "Role",
        "metadata": {"name": "EDITOR", "namespace": "x"},
    }

    assert predict(role).confidence.reasons == ()
    assert predict(service("WEB_NAME")).verdict is Verdict.CREATED


def test_a_manifest_without_placeholders_is_predicted_once() -> None:
    assert predict(service(clusterIP="x")).verdict is Verdict.REJECTED


def test_an_outcome_that_depends_on_a_placeholder_is_unknown() -> None:
    def reject(manifest: JsonObject, state: State) -> Outcome:
        if manifest["spec"]["replicas"] != "${N}":
            raise PredictionError("cannot be predicted")
        cause = FieldError("", "BadRequest", "cannot unmarshal string")
        return Outcome(ref_of(manifest), Verdict.REJECTED, errors=(cause,), status=400)

    outcome = sparing_placeholders(reject, SCHEMA)(deployment("${N}"), State(Absent()))

    assert outcome.verdict is Verdict.UNKNOWN
    assert outcome.confidence.reasons == ("spec.replicas has a placeholder, whose value is not known",)


def job(script: str, image: str = "busybox:1") -> JsonObject:
    container = {"name": "a", "image": image, "command": ["sh", "-c", script]}
    spec = {"template": {"spec": {"restartPolicy": "Never", "containers": [container]}}}
    return {"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": "a", "namespace": "shop"}, "spec": spec}


@pytest.mark.parametrize(
    ("now", "verdict"),
    [
        pytest.param(job("load ${DATA}", "busybox:2"), Verdict.REJECTED, id="another image"),
        pytest.param(job("store ${DATA}"), Verdict.REJECTED, id="the text around it"),
        pytest.param(job("load ${FILE}"), Verdict.CONFIGURED, id="another placeholder, which may have the same value"),
        pytest.param(job("load ${DATA}"), Verdict.UNCHANGED, id="nothing"),
    ],
)
def test_an_immutable_field_is_rejected_if_it_changes_besides_placeholders(now: JsonObject, verdict: Verdict) -> None:
    created = predict(job("load ${DATA}"))

    assert predict(now, created.result).verdict is verdict
