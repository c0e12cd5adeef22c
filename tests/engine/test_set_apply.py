"""Sets of objects that meet one another in a cluster."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from kubectl_applylint.appliers.applyset import ApplySet
from kubectl_applylint.appliers.flags import Policy
from kubectl_applylint.appliers.prune import ByLabels
from kubectl_applylint.appliers.request import ApplyRequest
from kubectl_applylint.core.outcome import Outcome, PredictionError, Verdict
from kubectl_applylint.core.state import Knowledge, ObjectRef, Present, State, Unknown, ref_of
from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.engine.cluster_model import ClusterModel
from kubectl_applylint.engine.predict import predict
from kubectl_applylint.engine.set_apply import SetApply, apply_other, apply_set
from kubectl_applylint.engine.set_refusals import state_left_by
from kubectl_applylint.schema.load import load
from kubectl_applylint.tools.metacontroller.children import IN_PLACE
from tests.rules.stories import document

CRD: JsonObject = {
    "apiVersion": "apiextensions.k8s.io/v1",
    "kind": "CustomResourceDefinition",
    "metadata": {"name": "widgets.example.com"},
    "spec": {
        "group": "example.com",
        "scope": "Namespaced",
        "names": {"kind": "Widget", "plural": "widgets", "singular": "widget", "listKind": "WidgetList"},
        "versions": [
            {
                "name": "v1",
                "served": True,
                "storage": True,
                "schema": {"openAPIV3Schema": {"type": "object", "x-kubernetes-preserve-unknown-fields": True}},
            }
        ],
    },
}
NOTHING = ClusterModel()
NOBODY = ClusterModel(otherwise=Unknown("no cluster was read"))


def manifest(kind: str, name: str, namespace: str = "", **fields: Json) -> JsonObject:
    versions = {"Widget": "example.com/v1"}
    metadata = {"name": name} | ({"namespace": namespace} if namespace else {})
    return {"apiVersion": versions.get(kind, "v1"), "kind": kind, "metadata": metadata, **fields}


def config(name: str, namespace: str = "shop", **data: Json) -> JsonObject:
    return manifest("ConfigMap", name, namespace, data=data)


def service(name: str, port: int) -> JsonObject:
    spec = {"type": "NodePort", "ports": [{"port": 80, "nodePort": port}]}
    return manifest("Service", name, "shop", spec=spec)


SHOP = manifest("Namespace", "shop")
WIDGET = manifest("Widget", "w", "shop", spec={"a": 1})


def apply_manifests(
    manifests: Sequence[JsonObject],
    cluster: ClusterModel = NOTHING,
    policy: Policy | None = None,
    *,
    is_complete: bool = True,
    is_one_by_one: bool = False,
    definition: JsonObject = CRD,
) -> SetApply:
    schema = load("1.36", crds=[definition])

    def predict_one(manifest: JsonObject, state: State) -> Outcome:
        return predict(ApplyRequest(manifest, state, schema, cluster_view=state.cluster_view()))

    documents = [document(item, index=index) for index, item in enumerate(manifests)]
    return apply_set(
        documents,
        cluster,
        schema=schema,
        predict=predict_one,
        policy=policy,
        is_complete=is_complete,
        is_one_by_one=is_one_by_one,
    )


def verdicts(manifests: Sequence[JsonObject], cluster: ClusterModel = NOTHING) -> list[str]:
    return [outcome.verdict.value for outcome in apply_manifests(manifests, cluster).outcomes]


def having(*objects: JsonObject) -> ClusterModel:
    return ClusterModel({ref_of(item).identity: Present(item) for item in objects})


@pytest.mark.parametrize(
    ("manifests", "cluster", "words"),
    [
        pytest.param([SHOP, config("a")], NOTHING, ["created", "created"], id="namespace first"),
        pytest.param([config("a"), SHOP], NOTHING, ["rejected", "created"], id="namespace last"),
        pytest.param([config("a"), SHOP], NOBODY, ["rejected", "created"], id="nobody knows the namespace"),
        pytest.param([config("a")], NOTHING, ["created"], id="a namespace that somebody else makes"),
        pytest.param([config("a"), SHOP], having(SHOP), ["created", "configured"], id="namespace is there"),
        pytest.param([config("a"), SHOP], having(config("b")), ["created", "created"], id="something lives in it"),
        pytest.param([config("a", "default"), manifest("Namespace", "default")], NOTHING, ["created"] * 2, id="born"),
        pytest.param([config("a", x="1"), config("a", x="1")], NOTHING, ["created", "unchanged"], id="twice the same"),
        pytest.param([config("a", x="1"), config("a", x="2")], NOTHING, ["created", "configured"], id="twice"),
        pytest.param([CRD, WIDGET], NOTHING, ["created", "rejected"], id="resource with its definition"),
        pytest.param([WIDGET, CRD], NOBODY, ["rejected", "created"], id="resource before its definition"),
        pytest.param([WIDGET], NOTHING, ["created"], id="a definition that somebody else makes"),
        pytest.param([CRD, WIDGET], having(CRD), ["configured", "created"], id="definition is there"),
        pytest.param([service("a", 30001), service("b", 30001)], NOTHING, ["created", "rejected"], id="one node port"),
        pytest.param([service("b", 30001)], having(service("a", 30001)), ["rejected"], id="node port of another"),
        pytest.param([service("a", 30001), service("a", 30001)], NOTHING, ["created", "unchanged"], id="its own port"),
    ],
)
def test_objects_meet_what_those_before_them_left(
    manifests: Sequence[JsonObject], cluster: ClusterModel, words: list[str]
) -> None:
    assert verdicts(manifests, cluster) == words


POLICY = {
    **manifest("ValidatingAdmissionPolicy", "p"),
    "apiVersion": "admissionregistration.k8s.io/v1",
    "spec": {
        "paramKind": {"apiVersion": "v1", "kind": "ConfigMap"},
        "matchConstraints": {
            "resourceRules": [{"apiGroups": [""], "apiVersions": ["v1"], "operations": ["*"], "resources": ["secrets"]}]
        },
        "validations": [{"expression": "object.type == params.data.type"}],
    },
}
BINDING = {
    **manifest("ValidatingAdmissionPolicyBinding", "p"),
    "apiVersion": "admissionregistration.k8s.io/v1",
    "spec": {
        "policyName": "p",
        "paramRef": {"name": "a", "namespace": "shop", "parameterNotFoundAction": "Deny"},
        "validationActions": ["Deny"],
    },
}
POD = manifest("Pod", "x", "shop", spec={"containers": [{"name": "a", "image": "i:1"}]})
SECRET = manifest("Secret", "s", "shop", type="b")
STRICT = {**SHOP, "metadata": {"name": "shop", "labels": {"pod-security.kubernetes.io/enforce": "restricted"}}}
LIMITS = manifest("LimitRange", "l", "shop", spec={"limits": [{"type": "Pod", "max": {"cpu": "1"}}]})


@pytest.mark.parametrize(
    ("manifests", "cluster", "words"),
    [
        pytest.param([STRICT, POD], NOTHING, ["created", "rejected"], id="namespace that trusts nobody"),
        pytest.param([STRICT, POD], NOBODY, ["created", "rejected"], id="nobody knows the namespace"),
        pytest.param([POD, STRICT], having(SHOP), ["created", "configured"], id="trusts nobody only later"),
        pytest.param([SHOP, POD], having(STRICT), ["configured", "rejected"], id="labels that the cluster has stay"),
        pytest.param([POD], having(STRICT), ["rejected"], id="namespace of the cluster"),
        pytest.param([LIMITS, POD], NOTHING, ["created", "rejected"], id="limits"),
        pytest.param([POD, LIMITS], NOTHING, ["created", "created"], id="limits later"),
        pytest.param([{**LIMITS, "spec": 1}, POD], NOTHING, ["rejected", "created"], id="limits that are refused"),
        pytest.param([config("a", type="c"), POLICY, BINDING, SECRET], NOTHING, [*["created"] * 3, "rejected"], id="p"),
        pytest.param([config("a", type="b"), POLICY, BINDING, SECRET], NOTHING, ["created"] * 4, id="parameters fit"),
    ],
)
def test_objects_are_judged_by_those_before_them(
    manifests: Sequence[JsonObject], cluster: ClusterModel, words: list[str]
) -> None:
    assert verdicts(manifests, cluster) == words


def test_each_object_has_its_surroundings_and_another_apply_begins_with_what_the_first_left() -> None:
    whole = apply_manifests([POD, STRICT, SECRET])
    first, last = (whole.state(ref_of(one)).cluster_view() for one in (POD, SECRET))
    again = apply_other(whole, [document(POD)], whole.after)

    assert isinstance(first.lookup("", "Namespace", "shop"), Unknown)
    assert isinstance(last.lookup("", "Namespace", "shop"), Present)
    assert again.outcome(0).errors[0].message.startswith('pods "x" is forbidden: violates PodSecurity')


def test_a_version_that_the_definition_does_not_serve_is_not_found() -> None:
    unserved = {**WIDGET, "apiVersion": "example.com/v2"}

    (outcome,) = apply_manifests([unserved], having(CRD)).outcomes

    assert (outcome.verdict, outcome.status, outcome.requests) == (Verdict.REJECTED, None, ())
    assert outcome.errors[0].message == (
        'no matches for kind "Widget" in version "example.com/v2": ensure CRDs are installed first'
    )


def test_objects_that_are_applied_one_by_one_find_the_kinds_that_those_before_them_define() -> None:
    whole = apply_manifests([SHOP, CRD, WIDGET], is_one_by_one=True)

    assert [outcome.verdict.value for outcome in whole.outcomes] == ["created", "created", "created"]
    assert [outcome.unmapped is not None for outcome in whole.outcomes] == [False, False, True]
    assert verdicts([SHOP, CRD, WIDGET]) == ["created", "created", "rejected"]


@pytest.mark.parametrize(
    "manifests",
    [[SHOP, WIDGET, CRD], [SHOP, CRD, {**WIDGET, "apiVersion": "example.com/v2"}]],
    ids=["too early", "version not served"],
)
def test_one_by_one_kinds_are_not_found_before_they_are_defined(manifests: Sequence[JsonObject]) -> None:
    refused = [
        outcome.ref.kind for outcome in apply_manifests(manifests, is_one_by_one=True).outcomes if outcome.refused
    ]

    assert refused == ["Widget"]


def test_a_rejection_without_a_namespace_has_the_intended_object() -> None:
    outcome = apply_manifests([config("a", x="1"), SHOP]).outcomes[0]

    assert (outcome.status, outcome.result) == (404, None)
    assert outcome.errors[0].message == 'namespaces "shop" not found'
    assert (outcome.intended or {})["data"] == {"x": "1"}


def test_an_object_in_two_versions_is_converted() -> None:
    later = {**WIDGET, "apiVersion": "example.com/v2"}
    (version,) = CRD["spec"]["versions"]
    versions = [version, {**version, "name": "v2", "storage": False}]
    definition = {**CRD, "spec": {**CRD["spec"], "versions": versions}}

    found = apply_manifests([SHOP, WIDGET, later], definition=definition)
    assert [outcome.verdict.value for outcome in found.outcomes] == ["created", "created", "configured"]
    assert isinstance(found.state_before(2).live, Present)


def test_a_rejected_object_stays_as_it_was() -> None:
    bad = manifest("ConfigMap", "a", "shop", data={"x": 1})
    first = apply_manifests([config("a", x="1"), bad, config("a", x="1")])

    assert [outcome.verdict.value for outcome in first.outcomes] == ["created", "rejected", "unchanged"]
    assert [item["data"] for item in first.after.objects] == [{"x": "1"}]


def test_the_cluster_afterwards_has_what_was_there_and_what_was_applied() -> None:
    after = apply_manifests([config("a", x="2")], having(config("a", x="1"), config("b"))).after

    assert {(item["metadata"]["name"], item["data"].get("x")) for item in after.objects} == {("a", "2"), ("b", None)}


@pytest.mark.slow
def test_many_documents_of_one_object_need_no_deep_recursion() -> None:
    whole = apply_manifests([config("a", x=str(number)) for number in range(400)])

    assert whole.outcome(399).verdict is Verdict.CONFIGURED


def test_objects_removed_from_the_files_are_pruned() -> None:
    before = apply_manifests([config("a", x="1"), config("b", x="1")]).after

    whole = apply_manifests([config("a", x="1")], before, ByLabels())

    assert [ref.name for ref in whole.pruned] == ["b"]
    assert [ref_of(item).name for item in whole.after.objects] == ["a"]
    assert [ref_of(item).name for item in whole.applied.objects] == ["a", "b"]


@pytest.mark.parametrize(
    ("head", "policy", "is_complete"),
    [
        pytest.param([config("a", x="1")], None, True, id="no --prune"),
        pytest.param([config("a", x="1")], ByLabels(), False, id="a file that cannot be read"),
        pytest.param([config("a", x="1"), config("c", x=1)], ByLabels(), True, id="an object that is refused"),
    ],
)
def test_nothing_is_pruned(head: Sequence[JsonObject], policy: Policy | None, is_complete: bool) -> None:
    before = apply_manifests([config("a", x="1"), config("b", x="1")]).after

    assert apply_manifests(head, before, policy, is_complete=is_complete).pruned == ()


SET = ApplySet(ObjectRef("v1", "Secret", "shop", "mine"))


def members(*manifests: JsonObject) -> list[JsonObject]:
    return [dict(SET.with_label(item)) for item in manifests]


def test_an_applyset_prunes_its_members_of_the_kinds_that_it_had() -> None:
    before = apply_manifests(members(config("a", x="1"), config("b", x="1")), policy=SET).after

    whole = apply_manifests(members(config("a", x="1")), before, SET)

    assert [ref.name for ref in whole.pruned] == ["b"]
    assert {ref_of(item).name for item in whole.after.objects} == {"a", "mine"}


def test_an_applyset_remembers_what_it_had_after_a_failure() -> None:
    before = apply_manifests(members(config("a", x="1"), service("s", 30001)), policy=SET).after
    failed = apply_manifests(members(config("c", x=1)), before, SET).after

    whole = apply_manifests(members(config("a", x="1")), failed, SET)

    assert [ref.name for ref in whole.pruned] == ["s"]


def test_an_applyset_in_a_namespace_that_it_creates_itself_applies_nothing() -> None:
    whole = apply_manifests(members(SHOP, config("a", x="1")), policy=SET)

    assert [outcome.verdict.value for outcome in whole.outcomes] == ["rejected", "rejected"]
    assert {outcome.errors[0].message for outcome in whole.outcomes} == {
        'failed to update ApplySet: namespaces "shop" not found'
    }
    assert list(whole.after.objects) == []


def test_an_applyset_does_not_adopt_a_foreign_secret() -> None:
    secret = manifest("Secret", "mine", "shop")

    (outcome,) = apply_manifests(members(config("a", x="1")), having(secret), SET).outcomes

    assert "is missing required annotation" in outcome.errors[0].message


def test_the_port_of_a_child_that_is_not_wanted_any_more_is_free() -> None:
    owner: JsonObject = {"apiVersion": "example.com/v1", "kind": "Shop", "name": "main", "uid": "1", "controller": True}
    old = service("old", 30001)
    owned = {**old, "metadata": {**old["metadata"], "ownerReferences": [owner]}}
    sync = replace(IN_PLACE, parent="shop/main")
    whole = apply_manifests([service("new", 30001)], having(owned), sync)

    assert [outcome.verdict for outcome in whole.outcomes] == ["created"]
    assert whole.pruned == (ref_of(old),)


def test_each_document_of_one_name_takes_what_the_one_before_it_has_left(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[Outcome | PredictionError] = []

    def count_call(outcome: Outcome | PredictionError, before: Knowledge) -> Knowledge:
        calls.append(outcome)
        return state_left_by(outcome, before)

    monkeypatch.setattr("kubectl_applylint.engine.set_apply.state_left_by", count_call)
    number = 40
    run = apply_manifests([config("a", x=str(index)) for index in range(number)])

    assert [outcome.verdict.value for outcome in run.outcomes] == ["created", *["configured"] * (number - 1)]
    assert len(calls) < 2 * number
