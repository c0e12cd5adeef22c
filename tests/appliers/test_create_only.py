"""Texts and verdicts are those of kubectl 1.36.3 and a server of the same version."""

import pytest

from kubectl_applylint import api
from kubectl_applylint.appliers.request import Applier, ApplyRequest
from kubectl_applylint.core.outcome import Level, Outcome
from kubectl_applylint.core.state import Absent, ClusterView, State
from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.engine.predict import predict

SCHEMA = api.load_schema("1.36")
AUTHORIZATION, AUTHENTICATION = "authorization.k8s.io/v1", "authentication.k8s.io/v1"
PODS: JsonObject = {"resourceAttributes": {"verb": "get", "resource": "pods"}}
NOT_FOUND = "the server could not find the requested resource"
NOT_ALLOWED = "the server does not allow this method on the requested resource"
NODE: JsonObject = {"target": {"kind": "Node", "name": "n"}}


def manifest(kind: str, api_version: str = "v1", *, name: str = "x", **content: Json) -> JsonObject:
    return {"apiVersion": api_version, "kind": kind, "metadata": {"name": name, "namespace": "shop"}, **content}


def apply(new: JsonObject, applier: str = "kubectl-client", cluster_view: ClusterView = ClusterView()) -> Outcome:  # noqa: B008  it is frozen
    return predict(ApplyRequest(new, State(Absent()), SCHEMA, Applier(applier), cluster_view=cluster_view))


def error_text(outcome: Outcome) -> str:
    return "; ".join(f"{cause.field}: {cause.message}".removeprefix(": ") for cause in outcome.errors)


def binding(cluster_view: ClusterView) -> Outcome:
    return apply(manifest("Binding", **NODE), cluster_view=cluster_view)


@pytest.mark.parametrize(
    ("new", "client", "server"),
    [
        pytest.param(manifest("ComponentStatus"), NOT_ALLOWED, NOT_ALLOWED, id="ComponentStatus"),
        pytest.param(
            manifest("SubjectAccessReview", AUTHORIZATION, spec={"user": "bob", **PODS}),
            "metadata: must be empty",
            NOT_FOUND,
            id="SubjectAccessReview",
        ),
        pytest.param(
            manifest("SelfSubjectAccessReview", AUTHORIZATION, spec=PODS),
            "metadata: must be empty",
            NOT_FOUND,
            id="SelfSubjectAccessReview",
        ),
        pytest.param(
            manifest("LocalSubjectAccessReview", AUTHORIZATION, spec={"user": "bob", **PODS}),
            "metadata: must be empty except for namespace",
            NOT_FOUND,
            id="LocalSubjectAccessReview",
        ),
        pytest.param(
            manifest("SelfSubjectRulesReview", AUTHORIZATION, spec={"namespace": "shop"}),
            "",
            NOT_FOUND,
            id="SelfSubjectRulesReview",
        ),
        pytest.param(
            manifest("SelfSubjectRulesReview", AUTHORIZATION, spec={}),
            "no namespace on request",
            NOT_FOUND,
            id="SelfSubjectRulesReview without a namespace",
        ),
        pytest.param(
            manifest("TokenReview", AUTHENTICATION, name="X_Y", spec={"token": "abc"}), "", NOT_FOUND, id="TokenReview"
        ),
        pytest.param(manifest("SelfSubjectReview", AUTHENTICATION), "", NOT_FOUND, id="SelfSubjectReview"),
        pytest.param(manifest("Binding", **NODE), "", NOT_FOUND, id="Binding"),
        pytest.param(
            manifest("Binding", target={"kind": "Pod", "name": "n"}),
            'target.kind: Unsupported value: "Pod": supported values: "Node", "<empty>"',
            NOT_FOUND,
            id="Binding to a pod",
        ),
    ],
)
def test_kinds_that_are_not_stored(new: JsonObject, client: str, server: str) -> None:
    outcomes = [apply(new), apply(new, "kubectl-server")]

    assert [error_text(outcome) for outcome in outcomes] == [client, server]
    assert outcomes[0].verdict == ("rejected" if client else "created")
    assert [outcome.result for outcome in outcomes] == [None, None]


@pytest.mark.parametrize("applier", ["kubectl-client", "kubectl-server"])
@pytest.mark.parametrize(
    ("new", "message"),
    [
        (
            manifest("Binding"),
            'ValidationError(Binding): missing required field "target" in io.k8s.api.core.v1.Binding',
        ),
        (
            manifest("TokenReview", AUTHENTICATION, spec={}),
            'ValidationError(TokenReview.spec): missing required field "token" in '
            "io.k8s.api.authentication.v1.TokenReviewSpec",
        ),
    ],
    ids=["at the top", "below"],
)
def test_kubectl_asks_for_required_fields_itself(applier: str, new: JsonObject, message: str) -> None:
    outcome = apply(new, applier)

    assert error_text(outcome) == f"error validating data: {message}"
    assert outcome.requests == ()


def test_an_object_that_cannot_be_decoded_is_rejected_with_400() -> None:
    outcome = apply(manifest("TokenReview", AUTHENTICATION, spec={"token": 5}))

    assert outcome.verdict == "rejected"
    assert outcome.status == 400


def test_a_binding_is_about_its_pod() -> None:
    pod: JsonObject = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "x", "namespace": "shop"}}
    shelf = ("", "Pod", "shop")
    unknown = binding(ClusterView())

    assert unknown.confidence.level is Level.MEDIUM
    assert error_text(binding(ClusterView(whole=frozenset({shelf})))) == 'pods "x" not found'
    assert binding(ClusterView({shelf: {"x": pod}})).verdict == "created"
    assert error_text(binding(ClusterView({shelf: {"x": {**pod, "spec": {"nodeName": "a"}}}}))) == (
        'pod x is already assigned to node "a"'
    )


def test_a_component_that_the_server_shows_cannot_be_changed() -> None:
    live = manifest("ComponentStatus")
    outcome = api.predict(live, schema=SCHEMA, live=live)

    assert [write.method for write in outcome.requests] == ["PATCH"]
    assert error_text(outcome) == NOT_ALLOWED


def test_kinds_that_are_stored_are_left_to_the_appliers() -> None:
    pod = {"containers": [{"name": "a", "image": "b"}]}

    assert apply(manifest("PodTemplate", template={"spec": pod})).result is not None
    assert apply(manifest("TokenReview", "example.com/v1")).result is not None
    assert api.predict(manifest("Binding", **NODE), schema=SCHEMA, applier="kubectl-replace").verdict == "rejected"
