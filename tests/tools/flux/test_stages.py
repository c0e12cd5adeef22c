"""Stages after which a reconciliation by Flux stops: rows are those of fluxcd/pkg/ssa 0.77 on a 1.36.3 server."""

from collections.abc import Sequence

from kubectl_applylint.core.outcome import Outcome, Verdict
from kubectl_applylint.core.state import ObjectRef, ref_of
from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.engine.process import is_unready
from kubectl_applylint.engine.set_apply import SetApply, apply_set
from kubectl_applylint.merge.server_side import UPDATE
from kubectl_applylint.schema.load import load
from kubectl_applylint.tools.flux.kustomization import GROUP, FluxKustomization, Reconciliation
from kubectl_applylint.tools.flux.program import predicting, sorted_documents
from kubectl_applylint.tools.flux.stages import is_sent
from tests.appliers.test_kubectl_server import entry
from tests.engine.test_set_apply import config, having, manifest
from tests.rules.stories import document

SCHEMA = load("1.36")
APP = FluxKustomization("app", "shop", prunes=True)
BAD = config("bad", **{"a b": "1"})
"""A ConfigMap that every server rejects: the key has a space."""
ROLE = {**manifest("ClusterRole", "r"), "apiVersion": "rbac.authorization.k8s.io/v1"}


def reconcile(
    *manifests: JsonObject,
    live: Sequence[JsonObject] = (),
    source: FluxKustomization = APP,
    inventory: Sequence[Json] = (),
) -> SetApply:
    """Return the outcome of a set; ``inventory`` has the objects of the previous reconciliation."""
    policy = Reconciliation(source, tuple(map(ref_of, inventory)))
    return apply_set(
        sorted_documents(document(item, index=index) for index, item in enumerate(manifests)),
        having(*live),
        schema=SCHEMA,
        predict=predicting(policy, SCHEMA),
        policy=policy,
        is_one_by_one=True,
        check=predicting(policy, SCHEMA, only_checks=True),
    )


def edited_config(name: str) -> JsonObject:
    """Return an object that a user changed with kubectl edit."""
    live = config(name, a="1")
    fields = entry("kubectl-edit", UPDATE, {"f:data": {"f:a": {}}})
    return {**live, "metadata": {**live["metadata"], "managedFields": [fields], "resourceVersion": "1", "uid": "u"}}


def service(name: str) -> JsonObject:
    spec = {"type": "NodePort", "ports": [{"port": 80, "nodePort": 30080}]}
    return manifest("Service", name, "shop", spec=spec)


def verdicts(found: SetApply) -> list[tuple[str, Verdict]]:
    return [(outcome.ref.name, outcome.verdict) for outcome in found.outcomes]


def managers(outcome: Outcome) -> list[str]:
    assert outcome.result is not None
    return [each["manager"] for each in outcome.result["metadata"]["managedFields"]]


def test_nothing_of_a_stage_is_applied_where_one_object_fails_its_check() -> None:
    found = reconcile(config("c"), BAD, ROLE, config("a", a="2"), live=[edited_config("a")])

    assert verdicts(found) == [
        ("r", Verdict.CREATED),
        ("a", Verdict.REJECTED),
        ("bad", Verdict.REJECTED),
        ("c", Verdict.REJECTED),
    ]
    assert [cause.message for cause in found.outcomes[3].errors] == ["not reached: Flux stops at configmap/bad"]
    assert [ref_of(item).name for item in found.after.objects] == ["a", "r"]


def test_an_object_that_was_checked_has_been_taken_from_kubectl() -> None:
    found = reconcile(config("a", a="1"), BAD, config("c", a="2"), live=[edited_config("a"), edited_config("c")])

    assert managers(found.outcomes[0]) == ["kustomize-controller"]
    assert managers(found.outcomes[2]) == ["kubectl-edit"]


def test_after_an_apply_that_fails_the_objects_before_it_are_applied() -> None:
    """The check of each Service alone passes: the port is only taken when the other one has been created."""
    found = reconcile(service("a"), service("b"), {**service("c"), "spec": {"ports": [{"port": 80}]}})

    assert verdicts(found) == [("a", Verdict.CREATED), ("b", Verdict.REJECTED), ("c", Verdict.REJECTED)]
    assert is_sent(found.outcomes[1])
    assert not is_sent(found.outcomes[2])


def test_a_port_that_is_taken_fails_the_check() -> None:
    found = reconcile(service("b"), live=[service("a")])

    assert (verdicts(found), is_sent(found.outcomes[0])) == ([("b", Verdict.REJECTED)], False)


def test_after_a_stage_that_fails_or_waits_in_vain_the_next_one_is_not_reached() -> None:
    bad = {**ROLE, "rules": [{"verbs": []}]}
    ignored = {**ROLE, "metadata": {"name": "r", "annotations": {f"{GROUP}/ssa": "Ignore"}}}

    assert verdicts(reconcile(bad, config("a"))) == [("r", Verdict.REJECTED), ("a", Verdict.REJECTED)]
    assert verdicts(reconcile(ignored, config("a"))) == [("r", Verdict.UNCHANGED), ("a", Verdict.REJECTED)]
    assert is_unready(reconcile(ignored).outcomes[0])


def test_a_successful_reconciliation_prunes_removed_objects() -> None:
    live = [APP.with_owner_labels(config(name)) for name in ("a", "b")]

    assert [ref.name for ref in reconcile(config("a"), live=live, inventory=live).pruned] == ["b"]
    assert reconcile(config("a"), BAD, live=live, inventory=live).pruned == ()


def test_force_deletes_an_object_whose_new_manifest_is_invalid() -> None:
    forced = FluxKustomization("app", "shop", is_forced=True)
    found = reconcile(BAD, live=[config("bad", a="1")], source=forced)

    assert (verdicts(found), [*found.after.objects]) == ([("bad", Verdict.REJECTED)], [])


def test_the_order_is_that_of_flux() -> None:
    found = reconcile(config("b"), ROLE, config("a"))

    assert [outcome.ref for outcome in found.outcomes] == [
        ref_of(ROLE),
        *(ObjectRef("v1", "ConfigMap", "shop", name) for name in ("a", "b")),
    ]
