"""Validation of migrations of stored versions, read from the sources: no server serves them by default."""

import pytest

from kubectl_applylint.core.values import JsonObject
from tests.server.validate.objects import fields, messages


def migration(**resource: str) -> JsonObject:
    named = {"group": "apps", "resource": "deployments", **resource}
    version, kind = "storagemigration.k8s.io/v1beta1", "StorageVersionMigration"
    return {"apiVersion": version, "kind": kind, "metadata": {"name": "x"}, "spec": {"resource": named}}


@pytest.mark.parametrize(
    ("obj", "errors"),
    [
        pytest.param(migration(), [], id="valid"),
        pytest.param(migration(group=""), [], id="core group"),
        pytest.param(
            migration(resource=""),
            ["spec.resource.resource: Required value: resource is required to be set"],
            id="no resource",
        ),
    ],
)
def test_errors_of_migrations(obj: JsonObject, errors: list[str]) -> None:
    assert messages(obj) == errors


def test_names_have_their_forms_and_stay() -> None:
    assert fields(migration(group="A b", resource="A b")) == ["spec.resource.group", "spec.resource.resource"]
    assert fields(migration(resource="pods"), migration()) == ["spec"]
