"""Rules that ``kubectl auth reconcile`` writes to existing roles and bindings: rows are those of kubectl 1.36.3."""

import pytest

from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.tools.argocd.rbac import VERSION, is_reconciled, is_recreated, replacement
from tests.engine.test_set_apply import config

GET_PODS = {"apiGroups": [""], "resources": ["pods"], "verbs": ["get"]}


def role(*rules: Json, **more: Json) -> JsonObject:
    return {"apiVersion": VERSION, "kind": "ClusterRole", "metadata": {"name": "r"}, "rules": [*rules], **more}


def binding(*subjects: Json, name: str = "r", **more: Json) -> JsonObject:
    to = {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": name}
    found = {"apiVersion": VERSION, "kind": "ClusterRoleBinding", "metadata": {"name": "b"}}
    return {**found, "roleRef": to, "subjects": [*subjects], **more}


def test_only_objects_of_rbac_are_reconciled() -> None:
    assert is_reconciled(role())
    assert not is_reconciled(config("c"))


@pytest.mark.parametrize(
    "stored",
    [
        GET_PODS,
        {**GET_PODS, "verbs": ["*"]},
        {**GET_PODS, "apiGroups": ["*"], "resources": ["*"]},
        {**GET_PODS, "verbs": ["list", "get"], "resources": ["pods", "nodes"]},
    ],
)
def test_a_role_that_allows_all_of_it_stays_as_it_is(stored: JsonObject) -> None:
    assert replacement(role(GET_PODS), role(stored)) is None


@pytest.mark.parametrize(
    ("rule", "stored", "added"),
    [
        (GET_PODS, {**GET_PODS, "resourceNames": ["a"]}, [GET_PODS]),
        (
            {**GET_PODS, "verbs": ["get", "list"], "resourceNames": ["a", "b"]},
            {**GET_PODS, "resourceNames": ["a"]},
            [
                {**GET_PODS, "resourceNames": ["b"]},
                {**GET_PODS, "verbs": ["list"], "resourceNames": ["a"]},
                {**GET_PODS, "verbs": ["list"], "resourceNames": ["b"]},
            ],
        ),
        (
            {**GET_PODS, "resources": ["pods/log", "pods/exec"]},
            {**GET_PODS, "resources": ["*/log"]},
            [{**GET_PODS, "resources": ["pods/exec"]}],
        ),
        (
            {"nonResourceURLs": ["/api/a", "/b"], "verbs": ["get"]},
            {"nonResourceURLs": ["/api/*"], "verbs": ["get"]},
            [{"nonResourceURLs": ["/b"], "verbs": ["get"]}],
        ),
    ],
)
def test_missing_permissions_are_added_one_by_one(rule: JsonObject, stored: JsonObject, added: list[Json]) -> None:
    found = replacement(role(rule), role(stored))

    assert found is not None
    assert found["rules"] == [stored, *added]


def test_labels_and_annotations_are_added_and_those_that_are_there_stay() -> None:
    wanted = role(metadata={"name": "r", "labels": {"a": "new", "b": "2"}})
    found = replacement(wanted, role(metadata={"name": "r", "labels": {"a": "old"}, "annotations": {"c": "3"}}))

    assert found is not None
    assert found["metadata"] == {"name": "r", "labels": {"a": "old", "b": "2"}, "annotations": {"c": "3"}}


def test_a_protected_object_is_left_alone() -> None:
    protected = {"name": "r", "annotations": {"rbac.authorization.kubernetes.io/autoupdate": "false"}}

    assert replacement(role(GET_PODS), role(metadata=protected)) is None
    assert not is_recreated(binding(), binding(name="other", metadata=protected))


def test_aggregation_is_extended_or_removed() -> None:
    one, two = ({"matchLabels": {"a": value}} for value in ("1", "2"))
    live = role(aggregationRule={"clusterRoleSelectors": [one]})
    extended = replacement(role(aggregationRule={"clusterRoleSelectors": [two, one]}), live)
    removed = replacement(role(), live)

    assert extended is not None
    assert extended["aggregationRule"] == {"clusterRoleSelectors": [one, two]}
    assert removed is not None
    assert removed["aggregationRule"] is None
    assert replacement(live, live) is None


def test_subjects_are_added_and_a_binding_of_another_role_is_recreated() -> None:
    jo, mo = ({"kind": "User", "name": name} for name in ("jo", "mo"))
    found = replacement(binding(jo, mo, mo), binding(jo))

    assert found is not None
    assert found["subjects"] == [jo, mo]
    assert is_recreated(binding(jo, name="other"), binding(jo))
    assert not is_recreated(binding(jo), binding(jo))


def test_a_binding_whose_manifest_binds_no_role_is_deleted_to_be_recreated() -> None:
    unbound = {key: value for key, value in binding().items() if key != "roleRef"}

    assert is_recreated(unbound, binding())
    assert not is_recreated(role(), role())
