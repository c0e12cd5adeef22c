"""The rules of a deploy: Configs, and what kapp sends by them."""

import pytest

from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.tools.kapp.matchers import KappError
from kubectl_applylint.tools.kapp.paths import PathError
from kubectl_applylint.tools.kapp.rules import (
    KappRules,
    description,
    is_config,
    read_rules,
    rebase,
    without_excluded_fields,
)

ALL: list[JsonObject] = [{"allMatcher": {}}]


def config(*rules: JsonObject, **more: object) -> JsonObject:
    return {"apiVersion": "kapp.k14s.io/v1alpha1", "kind": "Config", "rebaseRules": list(rules), **more}


def item(kind: str = "ConfigMap", **more: object) -> JsonObject:
    return {"apiVersion": "v1", "kind": kind, "metadata": {"name": "a", "namespace": "ns"}, **more}


def test_configs_give_rules_and_labels_and_other_objects_none() -> None:
    given = config({"path": ["data"], "type": "remove", "resourceMatchers": ALL}, additionalLabels={"team": "a"})
    rules = read_rules([item(), given])

    assert is_config(given)
    assert rules == KappRules((given,))
    assert rules.additional_labels == {"team": "a"}
    assert list(rules.section("rebaseRules"))[-1] == given["rebaseRules"][0]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({**config(), "kind": "Other"}, "Expected kapp config to have kind 'Config', but was 'Other'"),
        (config({"type": "copy"}), "Validating rebase rule 0: Expected either path or paths to be specified"),
        (config({"path": ["a"], "paths": [["a"]], "type": "copy"}), "Expected only one of path or paths specified"),
        (config({"path": ["a"], "type": "move"}), "Unknown rebase rule type: move"),
        (config({"ytt": {"overlayContractV1": {}}}), "rebase rules of ytt are not predicted"),
    ],
)
def test_a_wrong_config_is_a_fault(given: JsonObject, message: str) -> None:
    with pytest.raises(KappError, match=message):
        read_rules([given])


def test_metadata_comes_from_the_live_object_but_labels_and_annotations_do_not() -> None:
    live = item(data={"x": "1"})
    live = {**live, "metadata": {**live["metadata"], "uid": "u", "labels": {"theirs": ""}, "annotations": {"t": ""}}}
    new = {**item(), "metadata": {"name": "a", "labels": {"ours": ""}}}

    assert rebase(new, live, KappRules())["metadata"] == {
        "name": "a",
        "namespace": "ns",
        "uid": "u",
        "labels": {"ours": ""},
    }


def test_fields_that_the_cluster_sets_are_kept() -> None:
    live = item("Service", spec={"clusterIP": "10.0.0.1", "type": "ClusterIP"})

    assert rebase(item("Service", spec={}), live, KappRules())["spec"] == {"clusterIP": "10.0.0.1"}


def test_a_rule_of_a_config_comes_after_those_of_kapp() -> None:
    rules = read_rules([config({"path": ["data"], "type": "copy", "sources": ["existing"], "resourceMatchers": ALL})])

    assert rebase(item(data={"a": "1"}), item(data={"b": "2"}), rules)["data"] == {"b": "2"}


def test_secrets_that_the_cluster_adds_to_an_account_are_kept() -> None:
    secrets = [{"name": "a-token-1"}, {"name": "other"}, {"name": "a-dockercfg-2"}]
    live = item("ServiceAccount", secrets=secrets, imagePullSecrets=[{"name": "a-dockercfg-2"}])
    new = item("ServiceAccount", secrets=[{"name": "a-token-1"}])
    sent = rebase(new, live, KappRules())

    assert sent["secrets"] == [{"name": "a-token-1"}, {"name": "a-dockercfg-2"}]
    assert sent["imagePullSecrets"] == [{"name": "a-dockercfg-2"}]
    with pytest.raises(PathError, match=r"struct has no \.name field"):
        rebase(new, item("ServiceAccount", imagePullSecrets=[{}]), KappRules())


def test_a_rule_that_meets_another_type_is_a_fault_that_names_it() -> None:
    fault = "Applying rebase rule to service/a .v1. namespace: ns: FieldCopyMod for path 'spec,clusterIP' on resource"
    with pytest.raises(PathError, match=f"{fault}.*: Unexpected non-map found: string"):
        rebase(item("Service", spec="x"), item("Service", spec={}), KappRules())


def test_fields_are_left_out_of_differences() -> None:
    assert (
        without_excluded_fields(item(status={"a": 1}), KappRules(), "diffAgainstExistingFieldExclusionRules") == item()
    )


def test_objects_are_described_with_their_place() -> None:
    assert description(item()) == "configmap/a (v1) namespace: ns"
    assert (
        description({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "n"}}) == "namespace/n (v1) cluster"
    )
