"""Deploys by kapp as a whole: rows are those of kapp 0.64.2 on a 1.36.3 server."""

from collections.abc import Sequence

import pytest

from kubectl_applylint.core.outcome import Verdict
from kubectl_applylint.core.state import Present, ref_of
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.engine.cluster_model import ClusterModel
from kubectl_applylint.engine.set_apply import SetApply, apply_set
from kubectl_applylint.engine.transition import earlier_revision
from kubectl_applylint.schema.load import load
from kubectl_applylint.tools.kapp.app import KappApp, with_identity
from kubectl_applylint.tools.kapp.deploy import KappDeploy, KappFlags
from kubectl_applylint.tools.kapp.memory import with_history
from kubectl_applylint.tools.kapp.program import is_deleted_before, predicting, start_deploy
from kubectl_applylint.tools.kapp.rules import KappRules
from tests.engine.test_set_apply import CRD, WIDGET, config, having, manifest
from tests.fidelity.kapp_message import message
from tests.rules.stories import document
from tests.tools.flux.test_stages import BAD, SCHEMA, service

APP = KappApp("app", "shop", "7")
PLAIN = KappFlags()
ROLE = {**manifest("Role", "r", "shop", rules=[]), "apiVersion": "rbac.authorization.k8s.io/v1"}
BUDGET = {**manifest("PodDisruptionBudget", "p", "shop", spec={"maxUnavailable": 1}), "apiVersion": "policy/v1"}
"""It comes after what is not for pods."""


def live(item: JsonObject) -> JsonObject:
    labelled = APP.with_app_labels(item, KappRules())
    kept = with_history(with_identity(labelled), labelled, KappRules())
    assert kept is not None
    return with_identity(kept)


def deploy(
    *manifests: JsonObject, there: Sequence[JsonObject] = (), flags: KappFlags = PLAIN
) -> tuple[KappDeploy, SetApply]:
    documents = [document(item, index=index) for index, item in enumerate(manifests)]
    policy, written = start_deploy(KappDeploy(APP, flags), documents, having(*there))
    predict = predicting(policy, SCHEMA)
    return policy, apply_set(written, having(*there), schema=SCHEMA, predict=predict, policy=policy, is_one_by_one=True)


def verdicts(whole: SetApply) -> list[tuple[str, Verdict]]:
    return [(outcome.ref.name, outcome.verdict) for outcome in whole.outcomes]


def deploy_message(*manifests: JsonObject, there: Sequence[JsonObject] = (), flags: KappFlags = PLAIN) -> str:
    policy, whole = deploy(*manifests, there=there, flags=flags)
    return message(policy, whole.blocked, whole.outcomes)


def test_a_set_is_created_in_rounds_and_removed_objects_are_deleted() -> None:
    policy, whole = deploy(BUDGET, config("a"), there=[live(config("old"))])

    assert verdicts(whole) == [("a", Verdict.CREATED), ("p", Verdict.CREATED)]
    assert [ref.name for ref in whole.pruned] == ["old"]
    assert message(policy, whole.blocked, whole.outcomes) == ""


def test_an_earlier_set_may_bring_a_definition_and_its_object() -> None:
    schema = load("1.36", crds=[CRD])
    policy, written = start_deploy(KappDeploy(APP), [document(CRD), document(WIDGET)], ClusterModel())

    earlier = earlier_revision(written, origin="main", schema=schema, predict=predicting(policy, schema), policy=policy)

    assert isinstance(earlier.cluster.state(ref_of(WIDGET)).live, Present)


def test_a_failure_ends_the_deploy_after_its_round() -> None:
    _, whole = deploy(BUDGET, BAD, config("a"), there=[live(config("old"))])
    reasons = {outcome.ref.name: outcome.errors[0].reason for outcome in whole.outcomes if outcome.errors}

    assert verdicts(whole) == [("bad", Verdict.REJECTED), ("a", Verdict.CREATED), ("p", Verdict.REJECTED)]
    assert reasons["p"] == "NotReached"
    assert [ref.name for ref in whole.pruned] == ["old"]


def test_a_late_exit_stops_only_dependents_of_a_failure() -> None:
    late = KappFlags(exits_early=False)
    _, whole = deploy(BUDGET, BAD, flags=late)

    assert verdicts(whole) == [("bad", Verdict.REJECTED), ("p", Verdict.REJECTED)]
    assert deploy_message(BAD, {**BAD, "metadata": {**BAD["metadata"], "name": "worse"}}, flags=late).startswith(
        "[create config"
    )


@pytest.mark.parametrize(
    ("manifests", "words"),
    [
        ([], "Trying to apply empty set of resources"),
        ([manifest("ConfigMap", "")], "Validation errors:\n- Expected 'metadata.name' on resource 'configmap/ (v1)"),
        ([{**WIDGET, "apiVersion": "other.com/v1"}], ""),
        ([{**config("a"), "apiVersion": "v9"}], "Expected to find kind 'v9/ConfigMap', but did not:\n- Kubernetes"),
        ([config("a"), config("a", b="1")], "Uniqueness errors:\n- Found resource 'configmap/a (v1) namespace: shop'"),
        ([BAD], "create configmap/bad (v1) namespace: shop: Creating resource configmap/bad (v1)"),
        ([service("a"), service("b")], "create service/b (v1) namespace: shop: Creating resource service/b (v1)"),
    ],
)
def test_kapp_says_why_it_fails(manifests: list[JsonObject], words: str) -> None:
    found = deploy_message(*manifests)

    assert found.startswith(words)
    assert bool(found) is bool(words)


def test_nothing_is_written_where_kapp_does_not_begin() -> None:
    _, whole = deploy({**config("a"), "apiVersion": "v9"}, config("b"), there=[live(config("old"))])

    assert {outcome.verdict for outcome in whole.outcomes} == {Verdict.REJECTED}
    assert whole.pruned == ()


def test_a_definition_comes_before_its_objects() -> None:
    _, whole = deploy(WIDGET, CRD)

    assert verdicts(whole) == [("widgets.example.com", Verdict.CREATED), ("w", Verdict.CREATED)]


def test_a_config_is_not_deployed() -> None:
    given = {"apiVersion": "kapp.k14s.io/v1alpha1", "kind": "Config", "rebaseRules": []}

    assert verdicts(deploy(given, config("a"))[1]) == [("a", Verdict.CREATED)]


def test_a_port_of_a_service_that_is_deleted_before_is_free() -> None:
    policy, whole = deploy(config("a"), service("new"), there=[live(service("old"))])
    old, new = (manifest("Service", name, "shop") for name in ("old", "new"))

    assert is_deleted_before(policy, document(old).ref, document(new).ref)
    assert verdicts(whole) == [("a", Verdict.CREATED), ("new", Verdict.CREATED)]
