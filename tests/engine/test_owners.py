"""Owners of the fields of an object, and the fields that managers gain and lose in an apply."""

from collections.abc import Mapping

import pytest

from kubectl_applylint.core.outcome import Owner, OwnerChange
from kubectl_applylint.core.paths import render
from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.engine.owners import owner_changes, owners_of
from kubectl_applylint.merge.fieldset import render as spelled
from kubectl_applylint.merge.managed_fields import ManagedFieldsCodec

CI, TEAM, SCALE = Owner("ci", "Apply"), Owner("team", "Apply"), Owner("kubectl", "Update", "scale")
A: JsonObject = {"f:a": {}}
B: JsonObject = {"f:b": {}}
BOTH: JsonObject = {**A, **B}


def stored_object(owned: Mapping[Owner, JsonObject], version: str = "apps/v1", **spec: Json) -> JsonObject:
    entries = [
        {
            "manager": owner.name,
            "operation": owner.operation,
            "apiVersion": version,
            "fieldsV1": {"f:spec": fields},
            **({"subresource": owner.subresource} if owner.subresource else {}),
        }
        for owner, fields in owned.items()
    ]
    return {"metadata": {"managedFields": entries}, "spec": spec}


def moves(before: Mapping[Owner, JsonObject], after: Mapping[Owner, JsonObject]) -> list[tuple[str, str, str]]:
    changes = owner_changes(stored_object(before), stored_object(after, a=1, b=2), ManagedFieldsCodec())
    return [(render(c.path), ",".join(map(str, c.before)), ",".join(map(str, c.after))) for c in changes]


def test_owners_are_distinguished_by_operation_and_subresource() -> None:
    live = stored_object({CI: A, Owner("ci", "Update"): B, SCALE: B})
    found = {str(owner): [spelled(path) for path in fields.paths()] for owner, fields in owners_of(live).items()}

    assert found == {"ci": [".spec.a"], "ci (update)": [".spec.b"], "kubectl (update of scale)": [".spec.b"]}


def test_fields_of_one_manager_in_several_versions_are_combined() -> None:
    entries = [
        stored_object({SCALE: fields}, version)["metadata"]["managedFields"][0]
        for fields, version in ((A, "v1"), (B, "v2"))
    ]
    (fields,) = owners_of({"metadata": {"managedFields": entries}}).values()

    assert [spelled(path) for path in fields.paths()] == [".spec.a", ".spec.b"]


@pytest.mark.parametrize(
    "live",
    [
        pytest.param({}, id="no metadata"),
        pytest.param({"metadata": {}}, id="none"),
        pytest.param({"metadata": {"managedFields": "x"}}, id="no list"),
    ],
)
def test_an_untracked_object_has_no_owners(live: JsonObject) -> None:
    assert owners_of(live) == {}


def test_a_nameless_manager_is_called_unknown() -> None:
    assert list(owners_of({"metadata": {"managedFields": [{"operation": "Update"}]}})) == [Owner("unknown", "Update")]


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        pytest.param({CI: BOTH}, {CI: BOTH}, [], id="nothing moves"),
        pytest.param({SCALE: A}, {CI: A}, [("spec.a", "kubectl (update of scale)", "ci")], id="taken"),
        pytest.param({CI: A}, {CI: A, TEAM: A}, [("spec.a", "ci", "ci,team")], id="shared"),
        pytest.param({CI: A, TEAM: BOTH}, {TEAM: BOTH}, [("spec.a", "ci,team", "team")], id="a share given up"),
        pytest.param({CI: BOTH}, {CI: B}, [("spec.a", "ci", "")], id="orphaned"),
        pytest.param({CI: {"f:a": {".": {}, **A}}}, {CI: {"f:a": A}}, [], id="a map with entries that have owners"),
        pytest.param({}, {CI: B}, [("spec.b", "", "ci")], id="new"),
        pytest.param({CI: {**A, "f:gone": {}}}, {CI: A}, [], id="removed fields are no loss"),
    ],
)
def test_owners_change(
    before: Mapping[Owner, JsonObject], after: Mapping[Owner, JsonObject], expected: list[tuple[str, str, str]]
) -> None:
    assert moves(before, after) == expected


def test_a_change_names_who_lost_and_who_gained() -> None:
    change = OwnerChange((), (CI, SCALE), (CI, TEAM))

    assert (change.lost, change.gained, change.is_orphaned) == ((SCALE,), (TEAM,), False)


def test_fields_without_an_owner_are_orphaned() -> None:
    assert OwnerChange((), (CI,), ()).is_orphaned
