"""Dependencies of objects in a deploy."""

import pytest

from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.tools.kapp.matchers import KappError
from kubectl_applylint.tools.kapp.order import KappChangeStep, dependencies, round_numbers
from kubectl_applylint.tools.kapp.rules import KappRules


def item(kind: str, version: str = "v1", namespace: str = "ns", **annotations: str) -> JsonObject:
    marks = {f"kapp.k14s.io/{key.replace('_', '-')}": text for key, text in annotations.items()}
    metadata = {"name": kind.lower(), "annotations": marks, **({"namespace": namespace} if namespace else {})}
    return {"apiVersion": version, "kind": kind, "metadata": metadata}


def rounds(*items: JsonObject, deletions: tuple[JsonObject, ...] = ()) -> tuple[int, ...]:
    turns = [*(KappChangeStep(each) for each in items), *(KappChangeStep(each, is_deletion=True) for each in deletions)]
    return round_numbers(dependencies(turns, KappRules()))


CRD = {
    **item("CustomResourceDefinition", "apiextensions.k8s.io/v1", ""),
    "spec": {"group": "example.com", "names": {"kind": "Widget"}},
}


def test_workloads_come_after_what_pods_need_and_roles_before_bindings() -> None:
    config_map, deployment = item("ConfigMap"), item("Deployment", "apps/v1")
    role, binding = (item(kind, "rbac.authorization.k8s.io/v1") for kind in ("Role", "RoleBinding"))

    assert rounds(deployment, config_map) == (1, 0)
    assert rounds(binding, role, deployment) == (1, 0, 2)


def test_namespaces_and_definitions_come_before_what_is_in_them() -> None:
    space = {**item("Namespace", namespace=""), "metadata": {"name": "ns"}}

    assert rounds(item("ConfigMap"), space) == (1, 0)
    assert rounds(item("Widget", "example.com/v1"), CRD) == (1, 0)


def test_definitions_are_deleted_after_their_objects_and_before_the_rest() -> None:
    assert rounds(deletions=(item("ConfigMap"), CRD, item("Widget", "example.com/v1"))) == (2, 1, 0)


def test_annotations_name_groups_and_rules() -> None:
    first = item("ConfigMap", change_group="first")
    later = item("Secret", change_rule="upsert after upserting first")
    earlier = item("LimitRange", change_rule="upsert before upserting first")

    assert rounds(later, first, earlier) == (2, 1, 0)


def test_a_rule_that_would_close_a_circle_is_left_out_where_it_is_optional() -> None:
    config_map = item("ConfigMap", change_rule="upsert after upserting web")

    assert rounds(item("Deployment", "apps/v1", change_group="web"), config_map) == (0, 1)


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        ("upsert after", "Expected change rule annotation value to have format"),
        ("insert after upserting first", "Unknown change rule Action"),
        ("upsert after upserting {crd-kind}", "Placeholder {crd-kind} does not have a value"),
        ("upsert after upserting first", "Detected cycle while ordering changes: \\[configmap/configmap"),
    ],
)
def test_wrong_rules_are_faults(rule: str, message: str) -> None:
    with pytest.raises(KappError, match=message):
        rounds(item("ConfigMap", change_group="first", change_rule=rule))


def test_a_cycle_is_reported_in_the_order_of_kapp() -> None:
    alone = item("Secret")
    first = item("ConfigMap", change_group="a", change_rule="upsert after upserting b")
    second = item("LimitRange", change_group="b", change_rule="upsert after upserting a")

    with pytest.raises(KappError) as raised:
        rounds(alone, first, second)

    names = "configmap/configmap (v1) namespace: ns", "limitrange/limitrange (v1) namespace: ns"
    way = " -> ".join(f"[{name}]" for name in (*names, names[0]))
    assert str(raised.value) == f"Detected cycle while ordering changes: {way} (found repeated: {names[0]})"
