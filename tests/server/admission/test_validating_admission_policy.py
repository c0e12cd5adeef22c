"""Objects that policies reject, as kube-apiserver 1.36.3 answered on 2026-11-21, and what only the server knows."""

import pytest

from kubectl_applylint.core.state import UNSEEN, ListScope
from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.server.write import Answer, Stored
from tests.server.admission.objects import (
    answer_to_create,
    answer_to_patch,
    cluster_view,
    namespace,
    namespaced_object,
    status_and_messages,
)
from tests.server.admission.policy_cases import (
    PolicyCase,
    binding,
    namespaces,
    parameters,
    policies,
    policy,
    policy_cases,
)

MAP = namespaced_object("v1", "ConfigMap", "shop", data={"a": "b"})
MAPS = {"resourceRules": [{"apiGroups": [""], "apiVersions": ["v1"], "operations": ["*"], "resources": ["configmaps"]}]}
DENY = ["Deny"]


def meeting(expression: str, *others: JsonObject, bound: Json = None, **spec: Json) -> Answer:
    """Return the answer to a ConfigMap where a policy ``p`` with one validation is in force."""
    content = {"matchConstraints": MAPS, "validations": [{"expression": expression}], **spec}
    known = cluster_view(policy("p", **content), binding("p", validationActions=DENY, **(bound or {})), *others)
    return answer_to_create(MAP, known)


def left_open(answer: Answer) -> list[str]:
    """Return what an accepted write leaves open."""
    assert isinstance(answer, Stored), answer
    return [
        reason.removeprefix("the result of ValidatingAdmissionPolicy 'p' with binding 'p' is unknown: ")
        for reason in answer.confidence.reasons
    ]


@pytest.mark.parametrize("case", policy_cases())
def test_policies_accept_or_reject_objects(case: PolicyCase) -> None:
    whole = [("", "ConfigMap", item["metadata"]["name"]) for item in namespaces()]
    known = cluster_view(*policies(), *parameters(), *namespaces(), whole=whole)
    if case.then is None:
        answer = answer_to_create(case.manifest, known)
    else:
        before = answer_to_create(case.manifest, UNSEEN)
        assert isinstance(before, Stored)
        answer = answer_to_patch(before.object, case.then, known)

    assert status_and_messages(answer) == (case.status, [case.said] if case.said else [])
    assert not isinstance(answer, Stored) or left_open(answer) == []


@pytest.mark.parametrize(
    ("expression", "why"),
    [
        ("request.userInfo.username == 'ci'", "the user is unknown"),
        ("authorizer.group('').resource('pods').check('get').allowed()", "the permissions of the user are unknown"),
        ("request.options.force == true", "the options of the request are unknown"),
        ("namespaceObject.metadata.name == 'x'", "the namespace shop is unknown"),
    ],
    ids=["user", "rights", "options", "namespace"],
)
def test_expressions_about_the_request_are_left_open(expression: str, why: str) -> None:
    assert left_open(meeting(expression)) == [why]


def test_an_expression_that_cannot_be_read_is_left_open() -> None:
    (why,) = left_open(meeting("object.data.exists_one_of_a_kind(x, true)"))

    assert why


def test_parameters_may_be_known() -> None:
    kind = {"apiVersion": "v1", "kind": "ConfigMap"}
    ref = {"paramRef": {"name": "limits", "namespace": "rules", "parameterNotFoundAction": "Deny"}}
    limits = {**kind, "metadata": {"name": "limits", "namespace": "rules"}, "data": {"mode": "on"}}
    unnamed = {"paramRef": {"selector": {}, "parameterNotFoundAction": "Deny"}}

    assert status_and_messages(meeting("params.data.mode == 'on'", limits, bound=ref, paramKind=kind)) == (0, [])
    assert status_and_messages(meeting("params.data.mode == 'off'", limits, bound=ref, paramKind=kind))[0] == 422
    assert left_open(meeting("params.data.mode == 'on'", bound=ref, paramKind=kind)) == [
        "its parameters, ConfigMap limits, are unknown"
    ]
    assert left_open(meeting("params.data.mode == 'on'", bound=unnamed, paramKind=kind)) == [
        "its parameters, objects of kind ConfigMap, are unknown"
    ]


def test_a_binding_that_finds_no_parameters_fails_unless_that_is_ignored() -> None:
    kind, ref = {"apiVersion": "v1", "kind": "ConfigMap"}, {"name": "s", "parameterNotFoundAction": "Deny"}
    spec = {"paramKind": kind, "matchConstraints": {"resourceRules": [{**MAPS["resourceRules"][0]}]}}
    known = [binding("p", validationActions=DENY, paramRef=ref), namespace("shop")]
    none: tuple[ListScope, ...] = (("", "ConfigMap", "shop"),)

    assert status_and_messages(answer_to_create(MAP, cluster_view(policy("p", **spec), *known, whole=none)))[0] == 422
    assert status_and_messages(
        answer_to_create(MAP, cluster_view(policy("p", failurePolicy="Ignore", **spec), *known, whole=none))
    ) == (0, [])


def test_an_object_outside_of_namespaces_has_no_parameters_in_one() -> None:
    roles = {**MAPS["resourceRules"][0], "apiGroups": ["*"], "resources": ["clusterroles"]}
    kind, ref = {"apiVersion": "v1", "kind": "ConfigMap"}, {"name": "s", "parameterNotFoundAction": "Allow"}
    known = cluster_view(
        policy("p", paramKind=kind, matchConstraints={"resourceRules": [roles]}),
        binding("p", validationActions=DENY, paramRef=ref),
        MAP,
    )
    role = {"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRole", "metadata": {"name": "x"}, "rules": []}

    assert status_and_messages(answer_to_create(role, known))[1][0].endswith(
        "cannot use namespaced paramRef in policy binding that matches cluster-scoped resources"
    )


def test_a_condition_decides_whether_validations_count() -> None:
    never = [{"name": "never", "expression": "false"}, {"name": "broken", "expression": "object.nothing"}]
    broken, unknown = never[1:], [{"name": "user", "expression": "request.userInfo.username == 'ci'"}]

    assert status_and_messages(meeting("false", matchConditions=never)) == (0, [])
    assert status_and_messages(meeting("false", matchConditions=broken))[0] == 422
    assert status_and_messages(meeting("false", matchConditions=broken, failurePolicy="Ignore")) == (0, [])
    assert left_open(meeting("false", matchConditions=unknown)) == ["the user is unknown"]


def test_a_variable_that_cannot_be_evaluated_matters_where_it_is_used() -> None:
    variables = [{"name": "user", "expression": "request.userInfo.username"}, {"name": "one", "expression": "1"}]

    assert left_open(meeting("variables.user == 'ci'", variables=variables)) == ["the user is unknown"]
    assert status_and_messages(meeting("variables.one == 1", variables=variables)) == (0, [])


def test_a_policy_is_left_open_if_its_selector_is_undecided() -> None:
    selected = {"matchResources": {"namespaceSelector": {"matchLabels": {"a": "b"}}}}

    assert left_open(meeting("false", bound=selected)) == ["the labels of the namespace shop are unknown"]
    assert status_and_messages(meeting("false", namespace("shop", {"a": "b"}), bound=selected))[0] == 422
    assert status_and_messages(meeting("false", namespace("shop"), bound=selected)) == (0, [])


def test_a_binding_without_its_policy_says_nothing() -> None:
    assert status_and_messages(answer_to_create(MAP, cluster_view(binding("p", validationActions=DENY)))) == (0, [])


def test_policies_do_not_look_at_policies() -> None:
    everything = {
        "resourceRules": [{"apiGroups": ["*"], "apiVersions": ["*"], "operations": ["*"], "resources": ["*"]}]
    }
    known = cluster_view(
        policy("p", matchConstraints=everything, validations=[{"expression": "false"}]),
        binding("p", validationActions=DENY),
    )

    assert status_and_messages(answer_to_create(binding("q", validationActions=DENY), known)) == (0, [])
    assert status_and_messages(answer_to_create(MAP, known))[0] == 422


@pytest.mark.parametrize(
    ("given", "words"),
    [
        pytest.param({"message": " no \n"}, "no", id="message"),
        pytest.param({"messageExpression": "'no ' + object.kind", "message": "m"}, "no ConfigMap", id="expression"),
        pytest.param({"messageExpression": "object.nothing", "message": "m"}, "m", id="broken expression"),
        pytest.param({"messageExpression": "' '"}, "failed expression: false", id="empty expression"),
        pytest.param({}, "failed expression: false", id="nothing"),
    ],
)
def test_the_words_of_a_validation(given: JsonObject, words: str) -> None:
    answer = meeting("", validations=[{"expression": "false", **given}])

    assert status_and_messages(answer)[1][0].endswith(f"denied request: {words}")


def test_policies_are_asked_about_namespaces_too() -> None:
    rule = {**MAPS["resourceRules"][0], "resources": ["namespaces"]}
    denying = policy("p", matchConstraints={"resourceRules": [rule]}, validations=[{"expression": "false"}])
    known = cluster_view(denying, binding("p", validationActions=DENY))

    assert status_and_messages(answer_to_create(namespace("shop"), known))[0] == 422
