"""Declarative management of Kubernetes objects using configuration files: the website's page, heading by heading.

The page is of Kubernetes 1.28; where servers and kubectl do something else by now, the test says so.
"""

import json
from typing import Any

import pytest

from kubectl_applylint.appliers.applyset import ApplySet, tracked_after
from kubectl_applylint.appliers.flags import Flags, faults
from kubectl_applylint.appliers.prune import DEFAULT_KINDS, ByLabels
from kubectl_applylint.core.outcome import Why
from kubectl_applylint.core.paths import ByKey, Field, fields
from kubectl_applylint.core.state import LAST_APPLIED, ref_of
from kubectl_applylint.core.values import Json
from tests.seeds.objects import apply, apply_config, deployment, last_applied_of, live, pod_of

SIMPLE = deployment(minReadySeconds=5)
UPDATED = deployment({"containers": [{"name": "nginx", "image": "nginx:1.16.1", "ports": [{"containerPort": 80}]}]})


def scaled_deployment() -> Json:
    """Return the page's Deployment after ``kubectl scale --replicas=2``."""
    return live(deployment(minReadySeconds=5, replicas=2), SIMPLE)


def test_creation_stores_the_last_applied_annotation() -> None:
    """How to create objects: "the annotation ... matches the configuration file"."""
    created = apply(SIMPLE).result
    assert created is not None

    assert last_applied_of(created) == (
        '{"apiVersion":"apps/v1","kind":"Deployment",'
        '"metadata":{"annotations":{},"name":"nginx-deployment","namespace":"default"},'
        '"spec":{"minReadySeconds":5,"selector":{"matchLabels":{"app":"nginx"}},"template":{"metadata":{"labels":'
        '{"app":"nginx"}},"spec":{"containers":[{"image":"nginx:1.14.2","name":"nginx",'
        '"ports":[{"containerPort":80}]}]}}}}\n'
    )
    assert created["spec"]["minReadySeconds"] == 5


def test_an_update_keeps_live_replicas_and_clears_removed_fields() -> None:
    """How to update objects: replicas stay as scaled, the image changes, minReadySeconds is cleared."""
    after = apply_config(UPDATED, scaled_deployment())

    assert after["spec"]["replicas"] == 2
    assert pod_of(after)["containers"][0]["image"] == "nginx:1.16.1"
    assert "minReadySeconds" not in after["spec"]
    assert json.loads(last_applied_of(after)) == {
        **UPDATED,
        "metadata": {**UPDATED["metadata"], "annotations": {}},
    }


def test_create_and_replace_do_not_retain_the_annotation() -> None:
    """How to update objects, note: without the annotation apply "uses to compute updates" nothing is cleared."""
    outcome = apply(UPDATED, live(SIMPLE))
    assert outcome.result is not None

    assert outcome.result["spec"]["minReadySeconds"] == 5
    assert f"is missing the {LAST_APPLIED} annotation" in outcome.warnings[0]


def stored_config_map(name: str, *, annotated: bool = True, **metadata: Json) -> dict[str, Json]:
    """Return a ConfigMap of the cluster."""
    annotations = {LAST_APPLIED: "{}"} if annotated else {}
    full = {"name": name, "namespace": "default", "labels": {"app": "nginx"}, "annotations": annotations, **metadata}
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": full}


APPLIED = [ref_of(stored_config_map("in-the-directory"))]


@pytest.mark.parametrize(
    ("there", "flags", "is_deleted"),
    [
        pytest.param(stored_config_map("old"), {}, True, id="matches the query, no manifest, annotated"),
        pytest.param(stored_config_map("in-the-directory"), {}, False, id="has a manifest in the directory"),
        pytest.param(stored_config_map("old", annotated=False), {}, False, id="without the annotation"),
        pytest.param(stored_config_map("old", labels={"app": "other"}), {}, False, id="other labels"),
        pytest.param(
            stored_config_map("old", labels={}),
            {"selector": "", "all": True},
            True,
            id="--all: instead of the selector",
        ),
        pytest.param(
            stored_config_map("old"),
            {"prune_allowlist": ("core/v1/Secret",)},
            False,
            id="--prune-allowlist: another kind",
        ),
    ],
)
def test_allowlist_based_pruning(there: Json, flags: dict[str, Any], is_deleted: bool) -> None:
    """How to delete objects, alternative: "If an object matches the query, ... it is deleted"."""
    given = Flags(**{"prune": True, "selector": "app=nginx", **flags})
    policy = given.policy
    assert isinstance(policy, ByLabels)

    assert list(faults(given)) == []
    assert list(policy.targets([there], APPLIED)) == [ref_of(there)] * is_deleted


def test_the_default_allowlist_is_a_partial_list_of_both_scopes() -> None:
    """How to delete objects, alternative: "a partial list of both namespaced and cluster-scoped types"."""
    assert {("", "Namespace"), ("", "PersistentVolume"), ("", "Secret")} < DEFAULT_KINDS
    assert ("", "ServiceAccount") not in DEFAULT_KINDS


@pytest.mark.parametrize(
    ("flags", "parent"),
    [
        pytest.param(Flags(prune=True, applyset="set", namespace="default"), "Secret", id="by default a Secret"),
        pytest.param(Flags(prune=True, applyset="configmaps/set", namespace="default"), "ConfigMap", id="ConfigMap"),
        pytest.param(Flags(prune=True, applyset="set"), "", id="the --namespace flag is required"),
    ],
)
def test_applyset_based_pruning(flags: Flags, parent: str) -> None:
    """How to delete objects, alternative: ``--applyset``, its parent object and the label of its members."""
    if not parent:
        assert "namespace is required" in next(faults(flags))
        return
    policy = flags.policy
    assert isinstance(policy, ApplySet)
    member = policy.with_label(stored_config_map("old"))

    assert policy.parent.kind == parent
    assert member["metadata"]["labels"]["applyset.kubernetes.io/part-of"] == policy.id
    assert list(policy.targets([member, stored_config_map("foreign")], APPLIED, tracked_after(APPLIED))) == [
        ref_of(member)
    ]


def test_merge_patch_calculation() -> None:
    """Merge patch calculation: delete, set, write the annotation, all in a single patch."""
    outcome = apply(UPDATED, scaled_deployment())
    patch = outcome.requests[0].body

    assert len(outcome.requests) == 1
    assert patch["spec"]["minReadySeconds"] is None
    assert patch["spec"]["template"]["spec"]["containers"] == [{"name": "nginx", "image": "nginx:1.16.1"}]
    assert '"minReadySeconds"' not in patch["metadata"]["annotations"][LAST_APPLIED]
    assert "replicas" not in patch["spec"]


def test_explicit_nulls_clear_fields_of_others() -> None:
    """Merge patch calculation: "Clear fields explicitly set to null ... regardless" of what was applied."""
    foreign = live(deployment(minReadySeconds=5), deployment())

    assert "minReadySeconds" not in apply_config(deployment(minReadySeconds=None), foreign)["spec"]


@pytest.mark.parametrize(
    ("config", "last", "after"),
    [
        pytest.param(3, 2, 3, id="Yes Yes -: set live to configuration file value"),
        pytest.param(3, None, 3, id="Yes Yes -: set, not applied before"),
        pytest.param(None, 2, None, id="No - Yes: clear from live configuration"),
        pytest.param(None, None, 9, id="No - No: keep live value"),
    ],
)
def test_merging_changes_to_primitive_fields(config: int | None, last: int | None, after: int | None) -> None:
    """Merging changes to primitive fields, the table."""

    def spec(seconds: int | None) -> Json:
        return deployment() if seconds is None else deployment(minReadySeconds=seconds)

    assert apply_config(spec(config), live(spec(9), spec(last)))["spec"].get("minReadySeconds") == after


def test_a_primitive_field_that_is_not_live_is_set() -> None:
    """Merging changes to primitive fields, the row Yes No -: "Set live to local configuration"."""
    assert apply_config(deployment(minReadySeconds=3), live(deployment(), deployment()))["spec"]["minReadySeconds"] == 3


@pytest.mark.parametrize(
    ("config", "last", "after"),
    [
        pytest.param({"a": "2"}, {"a": "1"}, {"a": "2", "b": "1"}, id="Yes Yes -: compare sub field values"),
        pytest.param({"a": "1", "c": "1"}, {"a": "1"}, {"a": "1", "b": "1", "c": "1"}, id="Yes No -: set live"),
        pytest.param({"a": "1"}, {"a": "1", "b": "1"}, {"a": "1"}, id="No - Yes: delete from live configuration"),
        pytest.param({"a": "1"}, {"a": "1"}, {"a": "1", "b": "1"}, id="No - No: keep live value"),
    ],
)
def test_merging_changes_to_map_fields(config: Json, last: Json, after: Json) -> None:
    """Merging changes to map fields, the table."""

    def deployment_with_selector(labels: Json) -> Json:
        return deployment({"nodeSelector": labels})

    resource = live(deployment_with_selector({"a": "1", "b": "1"}), deployment_with_selector(last))
    assert pod_of(apply_config(deployment_with_selector(config), resource))["nodeSelector"] == after


def test_replace_the_list_if_all_its_elements_are_primitives() -> None:
    """Replace the list if all its elements are primitives: the example of ``args``."""

    def args(*values: str) -> Json:
        return deployment({"containers": [{"name": "nginx", "image": "nginx:1.16", "args": list(values)}]})

    after = apply_config(args("a", "c"), live(args("a", "b", "d"), args("a", "b")))

    assert pod_of(after)["containers"][0]["args"] == ["a", "c"]


def test_merge_individual_elements_of_a_list_of_complex_elements() -> None:
    """Merge individual elements of a list of complex elements: the example of the containers."""

    def containers(*names: str) -> Json:
        helpers = ({"name": f"nginx-helper-{name}", "image": "helper:1.3"} for name in names)
        return deployment({"containers": [{"name": "nginx", "image": "nginx:1.16"}, *helpers]})

    resource = containers("a", "b", "d")
    pod_of(resource)["containers"][2]["args"] = ["run"]
    after = pod_of(apply_config(containers("b", "c"), live(resource, containers("a", "b"))))["containers"]

    assert {each["name"] for each in after} == {"nginx", "nginx-helper-b", "nginx-helper-c", "nginx-helper-d"}
    assert next(each for each in after if each["name"] == "nginx-helper-b")["args"] == ["run"]


def test_merge_a_list_of_primitive_elements() -> None:
    """Merge a list of primitive elements: "not supported" as of Kubernetes 1.5; by now finalizers are merged so."""

    def deployment_with_finalizers(*names: str) -> Json:
        config = deployment()
        return {**config, "metadata": {**config["metadata"], "finalizers": list(names)}}

    after = apply_config(
        deployment_with_finalizers("e.com/c"),
        live(deployment_with_finalizers("e.com/a", "e.com/b"), deployment_with_finalizers("e.com/a")),
    )

    assert sorted(after["metadata"]["finalizers"]) == ["e.com/b", "e.com/c"]


def test_default_field_values() -> None:
    """Default field values: the comments "defaulted by apiserver".

    The page's maxSurge and maxUnavailable of 1 are those of old API versions; apps/v1 has 25%.
    """
    spec = apply_config(SIMPLE, live(SIMPLE, SIMPLE))["spec"]
    pod, container = spec["template"]["spec"], spec["template"]["spec"]["containers"][0]

    assert spec["replicas"] == 1
    assert spec["strategy"] == {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": "25%", "maxUnavailable": "25%"}}
    assert (container["imagePullPolicy"], container["ports"][0]["protocol"]) == ("IfNotPresent", "TCP")
    assert (container["resources"], container["terminationMessagePath"]) == ({}, "/dev/termination-log")
    assert (pod["dnsPolicy"], pod["restartPolicy"], pod["securityContext"]) == ("ClusterFirst", "Always", {})
    assert pod["terminationGracePeriodSeconds"] == 30


def test_defaulted_fields_are_not_defaulted_again() -> None:
    """Default field values: "the values defaulted from them will not be updated unless ... explicitly cleared"."""

    def image(name: str) -> Json:
        return deployment({"containers": [{"name": "nginx", "image": name}]})

    after = apply_config(image("nginx:latest"), live(image("nginx:1.14.2"), image("nginx:1.14.2")))

    assert pod_of(after)["containers"][0]["imagePullPolicy"] == "IfNotPresent"


def test_the_strategy_that_changes_to_recreate() -> None:
    """Default field values, the example "result after merge - ERROR!".

    Since the strategy's patch strategy is retainKeys, client-side apply clears the defaulted block by itself.
    """
    after = apply_config(deployment(strategy={"type": "Recreate"}), live(deployment(), deployment()))

    assert after["spec"]["strategy"] == {"type": "Recreate"}


def test_selectors_and_labels_are_to_be_defined() -> None:
    """Default field values, recommendation: apps/v1 demands today what the page recommends."""
    config = deployment()
    del config["spec"]["selector"]

    assert ("spec.selector", "FieldValueRequired") in [(each.field, each.reason) for each in apply(config).errors]


def test_null_sets_a_field_to_its_default_again() -> None:
    """How to clear server-defaulted fields: setting to null "triggers re-defaulting"."""
    container = {"name": "nginx", "image": "nginx:latest", "imagePullPolicy": None}
    pulled = live(deployment(), deployment())
    after = apply_config(deployment({"containers": [container]}), pulled)

    assert pod_of(pulled)["containers"][0]["imagePullPolicy"] == "IfNotPresent"
    assert pod_of(after)["containers"][0]["imagePullPolicy"] == "Always"


def test_changing_the_owner_to_a_configuration_file() -> None:
    """Changing the owner from a direct imperative writer to a configuration file: "Add the field"."""
    assert apply_config(deployment(replicas=3), live(deployment(replicas=7), deployment()))["spec"]["replicas"] == 3


@pytest.mark.parametrize(
    ("last", "replicas"),
    [
        pytest.param(deployment(replicas=3), 1, id="only removed from the file"),
        pytest.param(deployment(), 7, id="removed from the annotation, too"),
    ],
)
def test_changing_the_owner_to_a_direct_imperative_writer(last: Json, replicas: int) -> None:
    """Changing the owner from a configuration file to a direct imperative writer: both steps are needed."""
    assert apply_config(deployment(), live(deployment(replicas=7), last))["spec"]["replicas"] == replicas


def test_migrating_from_imperative_command_management() -> None:
    """Migrating from imperative command management: ``apply`` does not update the status of an exported file."""
    outcome = apply({**SIMPLE, "status": {"replicas": 5}}, {**live(SIMPLE, SIMPLE), "status": {"replicas": 1}})
    assert outcome.result is not None

    assert outcome.result["status"] == {"replicas": 1}


def test_migrating_from_imperative_object_configuration() -> None:
    """Migrating from imperative object configuration: ``replace --save-config`` makes that removed fields go."""
    saved = live(SIMPLE, SIMPLE)

    assert "minReadySeconds" in apply_config(deployment(), live(SIMPLE))["spec"]
    assert "minReadySeconds" not in apply_config(deployment(), saved)["spec"]


def test_defining_controller_selectors_and_pod_template_labels() -> None:
    """Defining controller selectors and PodTemplate labels: a label for the selector alone, which never changes."""
    only = {"controller-selector": "nginx"}
    template = {"metadata": {"labels": {**only, "tier": "web"}}, "spec": {"containers": [{"name": "a", "image": "a"}]}}
    config = deployment(selector={"matchLabels": only}, template=template)
    changed = deployment(
        selector={"matchLabels": only}, template={**template, "metadata": {"labels": {**only, "tier": "new"}}}
    )

    assert apply_config(changed, live(config, config))["spec"]["template"]["metadata"]["labels"]["tier"] == "new"


def test_the_page_s_own_selector_value_is_no_label_value() -> None:
    """Defining controller selectors and PodTemplate labels: slashes are not allowed in the value of a label."""
    only = {"controller-selector": "apps/v1/deployment/nginx"}
    template = {"metadata": {"labels": only}, "spec": {"containers": [{"name": "a", "image": "a"}]}}

    assert apply(deployment(selector={"matchLabels": only}, template=template)).verdict == "rejected"


def test_each_change_says_where_it_comes_from() -> None:
    """How to update objects: the comments "Set by ``kubectl apply``" and "cleared by ``kubectl apply``"."""
    why = {change.path: change.provenance.why for change in apply(UPDATED, scaled_deployment()).changes}

    assert why[fields("spec", "minReadySeconds")] is Why.DELETED
    assert (
        why[(*fields("spec", "template", "spec", "containers"), ByKey((("name", "nginx"),)), Field("image"))] is Why.SET
    )
