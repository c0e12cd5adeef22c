"""Live values that a sync keeps: rows are those of the controller of Argo CD 3.5.7."""

import pytest

from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.merge.errors import MergeError
from kubectl_applylint.schema.load import load
from kubectl_applylint.tools.argocd.ignores import IgnoreRule, rules_of, with_live_values, without_ignored
from tests.engine.test_set_apply import manifest

SCHEMA = load("1.36")
ANY = {"group": "*", "kind": "*"}


def sync(item: JsonObject, live: JsonObject, **rule: Json) -> JsonObject:
    kind, rules = SCHEMA.kind(item["apiVersion"], item["kind"]), rules_of([{**ANY, **rule}])
    return with_live_values(item, live, without_ignored(item, live, rules, kind), kind)


def deployment(replicas: int | None, *containers: JsonObject) -> JsonObject:
    spec: JsonObject = {"template": {"spec": {"containers": [*containers]}}}
    own = {} if replicas is None else {"replicas": replicas}
    return {**manifest("Deployment", "web", "shop", spec={**own, **spec}), "apiVersion": "apps/v1"}


def test_a_rule_is_about_objects_of_its_kind_and_name() -> None:
    item = deployment(1)
    rule = IgnoreRule("apps", "Dep*", "web", "shop")

    assert rule.matches(item)
    assert IgnoreRule("*", "*").matches(manifest("Node", "n"))
    assert not any(
        each.matches(item)
        for each in (IgnoreRule(), IgnoreRule("apps"), IgnoreRule("*", "*", "x"), IgnoreRule("*", "*", "", "x"))
    )


def test_live_values_of_what_is_ignored_are_taken_over() -> None:
    app, live_app = {"name": "a", "image": "a:1"}, {"name": "a", "image": "a:2", "env": [{"name": "A", "value": "1"}]}
    by_name = ['.spec.template.spec.containers[] | select(.name == "a") | .image']

    assert sync(deployment(1, app), deployment(5, app), jsonPointers=["/spec/replicas"]) == deployment(5, app)
    assert sync(deployment(None, app), deployment(5, app), jsonPointers=["/spec/replicas"]) == deployment(5, app)
    assert sync(deployment(1, app), deployment(1, live_app), jqPathExpressions=by_name) == deployment(
        1, {"name": "a", "image": "a:2"}
    )


def test_ignored_fields_that_are_not_live_are_removed_from_the_manifest() -> None:
    assert sync(deployment(3), deployment(None), jsonPointers=["/spec/replicas"]) == deployment(None)


@pytest.mark.parametrize("pointer", ["", "/nothing", "/spec/replicas/0", "/spec/template/spec/containers/7"])
def test_pointers_to_nothing_change_nothing(pointer: str) -> None:
    assert sync(deployment(1, {"name": "a"}), deployment(2), jsonPointers=[pointer]) == deployment(1, {"name": "a"})


def test_elements_are_counted_and_keys_escaped() -> None:
    item, live = (deployment(1, {"name": "a", "args": ["x", last]}) for last in ("y", "z"))
    labelled = [manifest("ConfigMap", "c", "shop", data={"a/b": value}) for value in ("1", "2")]
    last_arg = "/spec/template/spec/containers/-1/args/1"

    assert sync(labelled[0], labelled[1], jsonPointers=["/data/a~1b"]) == labelled[1]
    assert sync(item, live, jsonPointers=[last_arg]) == deployment(1, {"name": "a", "args": ["x", "z"]})


def test_fields_of_trusted_managers_that_the_manifest_changes_are_taken_over() -> None:
    owned: JsonObject = {"f:spec": {"f:replicas": {}, "f:paused": {}}}
    entry = {"manager": "hpa", "operation": "Update", "apiVersion": "apps/v1", "fieldsType": "FieldsV1"}
    live = deployment(5)
    live = {**live, "metadata": {**live["metadata"], "managedFields": [{**entry, "fieldsV1": owned}]}}

    assert sync(deployment(1), live, managedFieldsManagers=["hpa"])["spec"]["replicas"] == 5
    assert sync(deployment(1), live, managedFieldsManagers=["other"]) == deployment(1)
    assert sync({**deployment(1), "spec": 5}, live, managedFieldsManagers=["hpa"]) == {**deployment(1), "spec": 5}


def test_an_atomic_map_keeps_the_entries_that_are_not_ignored() -> None:
    budgets = [
        {
            **manifest("PodDisruptionBudget", "b", "shop", spec={"selector": {"matchLabels": labels}}),
            "apiVersion": "policy/v1",
        }
        for labels in ({"app": "new", "tier": "a"}, {"app": "old", "tier": "b", "left": "c"})
    ]
    found = sync(*budgets, jsonPointers=["/spec/selector/matchLabels/app"])

    assert found["spec"]["selector"]["matchLabels"] == {"app": "old", "tier": "a"}


def test_custom_resources_merge_as_json_does() -> None:
    item, live = (manifest("Widget", "w", "shop", spec={"size": size, "list": [size]}) for size in (1, 2))

    assert sync(item, live, jsonPointers=["/spec/list/0"])["spec"] == {"size": 1, "list": [2]}


def test_status_is_never_synced() -> None:
    item = {**deployment(1), "status": {"replicas": 1}}

    assert sync(item, {**deployment(1), "status": {"replicas": 2}}) == deployment(1)


def test_live_values_that_do_not_merge_into_the_manifest_are_an_error() -> None:
    live = deployment(1, {"name": "a", "image": "a:1"})

    with pytest.raises(MergeError, match="does not contain declared merge key: name"):
        sync(live, live, jsonPointers=["/spec/template/spec/containers/0/name"])
