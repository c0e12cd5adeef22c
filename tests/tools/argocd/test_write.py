"""The requests of Argo CD for one object, as gitops-engine sends them to a 1.36.3 server."""

import pytest

from kubectl_applylint.appliers.last_applied import annotation_of
from kubectl_applylint.appliers.request import ARGOCD_AGENT, Applier, ApplyRequest
from kubectl_applylint.core.outcome import Level, Outcome, Verdict
from kubectl_applylint.core.state import LAST_APPLIED, Absent, Present, State
from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.engine.predict import predict
from kubectl_applylint.schema.load import load
from kubectl_applylint.server.write import Refused
from kubectl_applylint.tools.argocd.application import ArgoApplication, ArgoWrite
from kubectl_applylint.tools.argocd.ignores import IgnoreRule
from kubectl_applylint.tools.argocd.options import SYNC_OPTIONS
from kubectl_applylint.tools.argocd.write import apply

SCHEMA = load("1.36")
SERVER_SIDE = "ServerSideApply=true"
ROLE = {"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRole", "metadata": {"name": "r"}}
GET_PODS = {"apiGroups": [""], "resources": ["pods"], "verbs": ["get"]}


def config(data: Json = None, **metadata: Json) -> JsonObject:
    named = {"name": "web", "namespace": "shop", **metadata}
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": named, "data": {"a": "1"} if data is None else data}


def with_options(options: str, data: Json = None) -> JsonObject:
    return config(data, annotations={SYNC_OPTIONS: options})


def binding(name: str, group: str = "rbac.authorization.k8s.io") -> JsonObject:
    ref = {"apiGroup": group, "kind": "ClusterRole", "name": name}
    return {**ROLE, "kind": "ClusterRoleBinding", "roleRef": ref, "subjects": []}


def written(item: JsonObject, live: JsonObject | None, *options: str, only_checks: bool = False) -> Outcome:
    state = State(Absent() if live is None else Present(live))
    how = ArgoWrite(ArgoApplication("app", "shop", frozenset(options)), only_checks=only_checks)
    return predict(ApplyRequest(item, state, SCHEMA, Applier.ARGOCD, tool=how))


def synced_object(item: JsonObject, live: JsonObject | None = None, *options: str) -> JsonObject:
    """Return the object as Argo CD leaves it."""
    found = written(item, live, *options).result
    assert found is not None
    return {**found, "metadata": {**found["metadata"], "resourceVersion": "7", "uid": "u"}}


def by_kubectl(item: JsonObject) -> JsonObject:
    """Return the object as ``kubectl apply`` creates it."""
    found = predict(ApplyRequest(item, State(Absent()), SCHEMA)).result
    assert found is not None
    return {**found, "metadata": {**found["metadata"], "resourceVersion": "7", "uid": "u"}}


def sent(outcome: Outcome) -> list[tuple[str, str]]:
    return [(write.method, write.content_type.rpartition("/")[2]) for write in outcome.requests]


def managers(live: JsonObject | None) -> list[tuple[str, str]]:
    assert live is not None
    return [(each["manager"], each["operation"]) for each in live["metadata"]["managedFields"]]


def test_an_object_is_applied_client_side_under_a_name_of_its_own() -> None:
    found = written(config(), None)

    assert (found.verdict, sent(found)) == (Verdict.CREATED, [("POST", "json")])
    assert managers(found.result) == [("argocd-controller", "Update")]
    assert annotation_of(synced_object(config())) is not None
    assert written(config(), synced_object(config())).verdict is Verdict.UNCHANGED
    assert written(config({"b": "1"}), synced_object(config())).verdict is Verdict.CONFIGURED


def test_an_object_is_applied_server_side_with_force() -> None:
    live = synced_object(config())
    moved = written(config({"b": "1"}), live, SERVER_SIDE)

    assert managers(synced_object(config(), None, SERVER_SIDE)) == [("argocd-controller", "Apply")]
    assert managers(moved.result) == [("argocd-controller", "Apply")]
    assert moved.result is not None
    assert moved.result["data"] == {"b": "1"}
    assert annotation_of(moved.result) is None


def test_fields_of_kubectl_are_migrated_before_the_apply() -> None:
    live = by_kubectl(config({"a": "1", "b": "2"}))
    found = written(config(), live, SERVER_SIDE)

    assert sent(found)[0] == ("PATCH", "json-patch+json")
    assert managers(found.result) == [("argocd-controller", "Apply")]
    assert sent(written(config(), live, SERVER_SIDE, "ClientSideApplyMigration=false"))[0] == (
        "PATCH",
        "apply-patch+yaml",
    )


def test_the_application_may_name_the_manager_that_is_handed_over() -> None:
    live = synced_object(config(), None, SERVER_SIDE)
    owner = {**live["metadata"]["managedFields"][0], "manager": "helm", "operation": "Update"}
    live = {**live, "metadata": {**live["metadata"], "managedFields": [owner]}}
    how = ArgoWrite(ArgoApplication("app", "shop", frozenset({SERVER_SIDE}), migrated="helm"))
    found = predict(ApplyRequest(config({}), State(Present(live)), SCHEMA, Applier.ARGOCD, tool=how))

    assert managers(found.result) == [("argocd-controller", "Apply")]
    assert managers(written(config({}), live, SERVER_SIDE).result)[-1] == ("helm", "Update")


def test_a_migration_stays_if_the_apply_is_rejected() -> None:
    found = written(config({"a b": "1"}), by_kubectl(config()), SERVER_SIDE)

    assert found.verdict is Verdict.REJECTED
    assert managers(found.result) == [("argocd-controller", "Apply")]


def test_replace_remembers_nothing() -> None:
    created = written(config(), None, "Replace=true")
    live = synced_object(config())
    found = written(config({"b": "1"}), live, "Replace=true")

    assert sent(found) == [("PUT", "json")]
    assert annotation_of(synced_object(config({"b": "1"}), live, "Replace=true")) is None
    assert managers(created.result) == [(ARGOCD_AGENT, "Update")]
    assert sent(written(config(), {**live, **with_options("Replace=true")})) == [("PUT", "json")]


@pytest.mark.parametrize(("option", "is_refused"), [("", False), ("Replace=true", False), (SERVER_SIDE, True)])
def test_only_server_side_apply_rejects_a_field_that_is_not_known(option: str, is_refused: bool) -> None:
    assert written({**config(), "nosuch": 1}, None, *filter(None, [option])).refused is is_refused


def test_replace_with_force_deletes_first() -> None:
    found = written(with_options("Force=true,Replace=true"), synced_object(config()))
    lost = written(with_options("Force=true,Replace=true", {"a b": "1"}), synced_object(config()))

    assert (found.verdict, sent(found)) == (Verdict.CONFIGURED, [("DELETE", "json"), ("POST", "json")])
    assert (lost.verdict, lost.result) == (Verdict.REJECTED, None)


def test_a_namespace_is_never_deleted_to_be_replaced() -> None:
    namespace = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "shop"}}
    found = written({**namespace, "metadata": {"name": "shop", "labels": {"a": "b"}}}, namespace, "Replace=true")

    assert sent(found) == [("PUT", "json")]


def test_force_and_server_side_apply_exclude_each_other() -> None:
    found = written(with_options("Force=true,ServerSideApply=true"), synced_object(config()))

    assert [cause.message for cause in found.errors] == [
        "error validating options: --force cannot be used with --server-side"
    ]


def test_roles_are_reconciled_before_they_are_applied() -> None:
    role = {**ROLE, "rules": [GET_PODS]}
    live = synced_object(role)
    found = written({**ROLE, "rules": [{**GET_PODS, "verbs": ["get", "list"]}]}, live)

    assert sent(written(role, None)) == [("POST", "json"), ("PATCH", "strategic-merge-patch+json")]
    assert managers(live) == [(ARGOCD_AGENT, "Update"), ("argocd-controller", "Update")]
    assert sent(written(role, live)) == []
    assert sent(found) == [("PUT", "json"), ("PATCH", "strategic-merge-patch+json")]
    assert found.result is not None
    assert found.result["rules"] == [{**GET_PODS, "verbs": ["get", "list"]}]


def test_a_binding_of_another_role_is_recreated() -> None:
    found = written(binding("b"), synced_object(binding("a")))

    assert [method for method, _ in sent(found)] == ["DELETE", "POST", "PATCH"]


def test_a_rejection_during_reconciliation_has_the_message_of_argocd() -> None:
    prefix = "error running kubectl auth reconcile: "

    assert written({**ROLE, "rules": [{"verbs": []}]}, None).error.startswith(f"{prefix}ClusterRole.rbac")
    assert written(binding("a", group="other"), None).error.startswith(f"{prefix}{prefix}runtime error")
    assert written({**ROLE, "rules": 5}, None).error.startswith(f"{prefix}unable to decode the manifest: json: cannot")


def test_apply_out_of_sync_only_skips_synced_objects() -> None:
    only, live = "ApplyOutOfSyncOnly=true", synced_object(config())

    assert sent(written(config(), synced_object(config()), only, SERVER_SIDE)) == []
    assert written(config(), synced_object(config()), only, only_checks=True).verdict is Verdict.UNCHANGED
    assert written(config({"a": "2"}), live, only).verdict is Verdict.CONFIGURED
    assert written(config(), None, only).verdict is Verdict.CREATED
    assert sent(written(config(), live, only, "Replace=true")) == []


@pytest.mark.parametrize(
    ("item", "live", "is_refused"),
    [
        (config(), None, False),
        (config({"a b": "1"}), synced_object(config()), False),
        (with_options("Replace=true"), synced_object(config()), False),
        (config(labels={"a": 1}), None, True),
        ({**ROLE, "rules": [GET_PODS]}, None, False),
        ({**ROLE, "rules": "none"}, None, True),
    ],
)
def test_the_checks_find_what_cannot_be_read_and_nothing_else(
    item: JsonObject, live: JsonObject | None, is_refused: bool
) -> None:
    found = written(item, live, only_checks=True)

    assert (found.refused, found.requests) == (is_refused, ())


def test_the_checks_of_a_namespace_that_is_replaced_ask_the_server() -> None:
    namespace = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "shop"}}
    wrong = {**namespace, "metadata": {"name": "shop", "labels": {"a": "not valid"}}}

    assert written(wrong, namespace, "Replace=true", only_checks=True).refused
    assert not written(namespace, namespace, "Replace=true", only_checks=True).refused


def test_a_prediction_requires_an_application() -> None:
    request = ApplyRequest(config(), State(Absent()), SCHEMA, Applier.ARGOCD)

    with pytest.raises(ValueError, match="Application"):
        apply(request, None, lambda *_, **__: Refused(500, ()))


def ignoring(
    item: JsonObject, live: JsonObject | None, rule: IgnoreRule, *options: str, checks: bool = False
) -> Outcome:
    state = State(Absent() if live is None else Present(live))
    how = ArgoWrite(ArgoApplication("app", "shop", frozenset(options), ignored=(rule,)), only_checks=checks)
    return predict(ApplyRequest(item, state, SCHEMA, Applier.ARGOCD, tool=how))


DATA = IgnoreRule("", "ConfigMap", pointers=("/data/a",))
RESPECTED = "RespectIgnoreDifferences=true"


@pytest.mark.parametrize("options", [(), (SERVER_SIDE,), ("Replace=true",)])
def test_live_values_of_what_is_ignored_are_synced_if_that_is_asked_for(options: tuple[str, ...]) -> None:
    live, item = {**synced_object(config()), "data": {"a": "live"}}, config({"a": "2", "b": "2"})
    kept, written_over = (ignoring(item, live, DATA, *more, *options).result for more in ((RESPECTED,), ()))

    assert kept is not None
    assert written_over is not None
    assert kept["data"] == {"a": "live", "b": "2"}
    assert written_over["data"] == {"a": "2", "b": "2"}


def test_an_ignored_field_that_is_not_live_is_not_synced() -> None:
    rule = IgnoreRule("", "Secret", pointers=("/stringData/a",))
    live: JsonObject = {**config(), "kind": "Secret", "data": {"a": "b2xk"}}
    item = {**{key: value for key, value in live.items() if key != "data"}, "stringData": {"a": "new"}}
    found = ignoring(item, live, rule, RESPECTED).result

    assert found is not None
    assert found["data"] == {"a": "b2xk"}


def test_an_object_that_is_not_there_is_created_with_all_of_its_manifest() -> None:
    found = ignoring(config(), None, DATA, RESPECTED).result

    assert found is not None
    assert found["data"] == {"a": "1"}


def test_ignored_fields_are_no_difference() -> None:
    live, only = {**synced_object(config()), "data": {"a": "live"}}, "ApplyOutOfSyncOnly=true"

    assert sent(ignoring(config(), live, DATA, only)) == []
    assert sent(ignoring(config({"a": "1", "b": "2"}), live, DATA, only)) != []
    assert sent(ignoring(config(), live, IgnoreRule("", "Secret", pointers=("/data/a",)), only)) != []


def test_live_values_that_do_not_merge_prevent_the_comparison() -> None:
    rule = IgnoreRule("*", "*", pointers=("/spec/ports/0/port",))
    item = {**config(), "kind": "Service", "spec": {"ports": [{"port": 80, "protocol": "TCP"}]}}
    fault = "map: map[protocol:TCP] does not contain declared merge key: port"

    checked = ignoring(item, item, rule, RESPECTED, checks=True)
    unchecked = ignoring(item, item, rule, RESPECTED)
    compared = ignoring(item, item, rule)

    assert checked.errors[0].message == f"failed to construct thre way merge patch: {fault}"
    assert unchecked.errors[0].message == f"Failed to normalize target resources: {fault}"
    assert not compared.refused


def test_expressions_that_are_not_predicted_lower_the_confidence() -> None:
    rule = IgnoreRule("", "ConfigMap", expressions=(".data | keys",))
    live = synced_object(config())

    assert ignoring(config({"a": "2"}), live, rule, RESPECTED).confidence.level is Level.LOW
    assert ".data | keys" in ignoring(config({"a": "2"}), live, rule, RESPECTED).confidence.reasons[-1]
    assert ignoring(config({"a": "2"}), live, rule).confidence.level is Level.HIGH


def test_replace_rewrites_the_last_applied_annotation_of_a_manifest() -> None:
    item = config(annotations={LAST_APPLIED: "{}"})
    created, replaced = (written(item, live, "Replace=true").result for live in (None, synced_object(config())))

    assert created is not None
    assert replaced is not None
    assert '"data":{"a":"1"}' in (annotation_of(created) or "")
    assert annotation_of(replaced) == annotation_of(created)


def test_a_server_side_application_compares_all_objects_server_side() -> None:
    live = {key: value for key, value in config().items() if key != "data"} | {"kind": "ServiceAccount"}
    item = {**with_options("ServerSideApply=false"), "kind": "ServiceAccount"}
    why = "error building typed value from config resource: .data: field not declared in schema"

    assert why in written(item, live, SERVER_SIDE, only_checks=True).errors[0].message
    assert not written(item, live, only_checks=True).refused


def test_null_in_a_manifest_is_no_difference() -> None:
    live, item = synced_object(config()), {**config(), "immutable": None}

    assert sent(written(item, live, "ApplyOutOfSyncOnly=true")) == []


def test_the_comparison_precedes_errors_of_decoding() -> None:
    item, live = config(labels={"a": 1}), synced_object(config())
    compared = written(item, live, SERVER_SIDE, only_checks=True)

    assert (
        "building typed value from config resource: .metadata.labels.a: expected string" in compared.errors[0].message
    )
    assert written(item, live, only_checks=True).errors[0].message.startswith("unable to decode the manifest")
    assert written(item, None).errors[0].message.startswith("unable to decode the manifest")


def test_writes_of_auth_reconcile_stay_if_the_apply_is_rejected() -> None:
    live = synced_object({**ROLE, "rules": [GET_PODS]})
    annotated = {**ROLE, "metadata": {"name": "r", "annotations": {"a": "b"}}}
    found = written({**annotated, "rules": [{**GET_PODS, "verbs": []}]}, live)

    assert found.refused
    assert found.result is not None
    assert found.result["metadata"]["annotations"]["a"] == "b"
    assert found.result["rules"] == [GET_PODS]


@pytest.mark.parametrize("policy", ["BeforeHookCreation", "HookFailed"])
def test_a_hook_that_runs_again_is_unchanged(policy: str) -> None:
    named = {"argocd.argoproj.io/hook": "PreSync", "argocd.argoproj.io/hook-delete-policy": policy}
    hook = config(annotations=named)
    same, changed = written(hook, synced_object(hook)), written({**hook, "data": {"a": "2"}}, synced_object(hook))

    assert (same.verdict, sent(same), same.warnings) == (Verdict.UNCHANGED, [], ())
    assert changed.verdict is Verdict.CONFIGURED
    assert changed.warnings[-1].startswith("hook of Argo CD: it runs before all other objects")


def test_a_hook_that_each_sync_creates_is_no_change_of_a_cluster() -> None:
    named = {"argocd.argoproj.io/hook": "PreSync", "argocd.argoproj.io/hook-delete-policy": "HookSucceeded"}
    how = ArgoWrite(ArgoApplication("app", "shop", is_live=True))
    request = ApplyRequest(config(annotations=named), State(Absent()), SCHEMA, Applier.ARGOCD, tool=how)

    assert predict(request).verdict is Verdict.UNCHANGED
    assert written(config(annotations=named), None).verdict is Verdict.CREATED


@pytest.mark.parametrize(
    ("options", "verdict"),
    [((), Verdict.REJECTED), ((SERVER_SIDE,), Verdict.REJECTED), (("Replace=true",), Verdict.CREATED)],
)
def test_an_object_with_generate_name_alone_can_only_be_created(options: tuple[str, ...], verdict: Verdict) -> None:
    item = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"generateName": "report-", "namespace": "shop"}}
    outcome = written(item, None, *options)

    assert outcome.verdict is verdict
    assert [each.message for each in outcome.errors] == (
        ["from report-: cannot use generate name with apply"] if verdict is Verdict.REJECTED else []
    )
