"""Output of ``owners``."""

import json
from dataclasses import replace

import pytest

from kubectl_applylint.core.paths import fields
from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.state import ObjectRef
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.ownership.field_ownership import Manager, ObjectOwnership, ownership_of
from kubectl_applylint.report.context import Context
from kubectl_applylint.report.ownership.owners import GroupBy, mask_owners, object_title, owners_json, owners_text
from kubectl_applylint.schema.load import load
from kubectl_applylint.secrets.secret_places import MASK

SCHEMA = load("1.36")
APPLIER = {
    "manager": "kubectl",
    "operation": "Apply",
    "apiVersion": "v1",
    "time": "2026-01-02T03:04:05Z",
    "fieldsType": "FieldsV1",
    "fieldsV1": {"f:data": {"f:a": {}, "f:b": {}}},
}
EDITOR = {**APPLIER, "manager": "kubectl-edit", "operation": "Update", "fieldsV1": {"f:data": {"f:b": {}}}}
PROBLEM = Problem("deploy/web", "cluster prod knows no such object")


def settings(kind: str = "ConfigMap", *entries: JsonObject) -> ObjectOwnership:
    live = {
        "apiVersion": "v1",
        "kind": kind,
        "metadata": {"name": "settings", "namespace": "shop", "managedFields": list(entries)},
        "data": {"a": "1", "b": "2", "c": "3"},
    }
    return ownership_of(live, SCHEMA.kind("v1", kind))


def test_the_fields_of_each_manager() -> None:
    text = owners_text([settings("ConfigMap", APPLIER, EDITOR)], [PROBLEM], GroupBy.MANAGER, Context())

    assert text == (
        "configmap/settings in shop: 2 managers, 3 fields, 1 shared, 1 without an owner, no last-applied annotation\n"
        "  kubectl (Apply, v1, 2026-01-02T03:04:05Z): 2 fields\n"
        '    data.a: "1"\n'
        '    data.b: "2" (shared with kubectl-edit)\n'
        "  kubectl-edit (Update, v1, 2026-01-02T03:04:05Z): 1 field\n"
        '    data.b: "2" (shared with kubectl)\n'
        "  no owner: 1 field, defaulted by the server or left behind\n"
        '    data.c: "3"\n'
        "\n"
        "deploy/web: problem: cluster prod knows no such object\n"
    )


def test_fields_without_an_owner_are_named_only_if_there_are_any() -> None:
    every = {**APPLIER, "fieldsV1": {"f:data": {"f:a": {}, "f:b": {}, "f:c": {}}}}

    assert "no owner" not in owners_text([settings("ConfigMap", every)], [], GroupBy.MANAGER, Context())


def test_the_managers_of_each_field() -> None:
    text = owners_text([settings("ConfigMap", APPLIER, EDITOR)], [], GroupBy.FIELD, Context())

    assert text.splitlines()[1:] == [
        '    data.a: "1" (kubectl (Apply))',
        '    data.b: "2" (kubectl (Apply), kubectl-edit (Update))',
        '    data.c: "3" (no owner)',
    ]


def test_an_object_without_managers_says_why() -> None:
    text = owners_text([settings()], [], GroupBy.MANAGER, Context())

    assert text.splitlines() == [
        "configmap/settings in shop: 0 managers, 3 fields, no last-applied annotation",
        "    the object has no managers: its managedFields were cleared, or kubectl get ran without"
        " --show-managed-fields",
    ]


@pytest.mark.parametrize("by", [*GroupBy])
def test_secrets_are_masked(by: GroupBy) -> None:
    masked = mask_owners([settings("Secret", APPLIER, EDITOR)])

    text, page = owners_text(masked, [], by, Context()), owners_json(masked, [], by)

    assert MASK in text
    assert MASK in page
    assert not any(f'"{value}"' in text + page for value in "123")


def test_credentials_of_other_objects_are_masked() -> None:
    owners = settings("ConfigMap", APPLIER, EDITOR)
    password = replace(owners.fields[0], path=fields("data", "DB_PASSWORD"), value="x")

    assert mask_owners([replace(owners, fields=(password,))])[0].fields[0].value == MASK


def test_a_value_of_a_secret_in_another_object_is_masked() -> None:
    owners = settings("ConfigMap", APPLIER, EDITOR)
    copy = replace(owners.fields[0], value="is correct-horse")
    secret = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "a"}, "stringData": {"a": "correct-horse"}}

    assert mask_owners([replace(owners, fields=(copy,))], [secret])[0].fields[0].value == f"is {MASK}"


def test_json_by_manager() -> None:
    page = json.loads(owners_json([settings("ConfigMap", APPLIER, EDITOR)], [PROBLEM], GroupBy.MANAGER))

    (found,) = page["objects"]
    assert page["version"] == "owners-v1"
    assert page["problems"] == [{"where": "deploy/web", "message": PROBLEM.message, "advice": None}]
    assert [(m["manager"], [f["path"] for f in m["fields"]]) for m in found["managers"]] == [
        ("kubectl", ["data.a", "data.b"]),
        ("kubectl-edit", ["data.b"]),
    ]
    assert found["managers"][0]["fields"][1]["sharedWith"][0]["manager"] == "kubectl-edit"
    assert found["unowned"] == [{"path": "data.c", "value": "3", "lastApplied": False, "sharedWith": []}]


def test_json_by_field() -> None:
    (found,) = json.loads(owners_json([settings("ConfigMap", EDITOR)], [], GroupBy.FIELD))["objects"]

    assert [(f["path"], [m["manager"] for m in f["managers"]]) for f in found["fields"]] == [
        ("data.a", []),
        ("data.b", ["kubectl-edit"]),
        ("data.c", []),
    ]


def test_objects_without_a_namespace_have_a_shorter_title() -> None:
    assert object_title(ObjectRef("v1", "Namespace", "", "shop")) == "namespace/shop"
    assert str(Manager("a", "Apply", "v1")) == "a (Apply, v1)"


def test_lines_fit_the_terminal() -> None:
    text = owners_text([settings("ConfigMap", APPLIER, EDITOR)], [PROBLEM], GroupBy.MANAGER, Context(width=40))

    assert max(map(len, text.splitlines())) <= 40
    assert text.startswith("configmap/settings in shop: 2 managers,\n  3 fields, 1 shared, 1 without an\n  owner, ")
