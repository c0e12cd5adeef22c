"""Changes of managedFields by ``csaupgrade`` of client-go; ``test_kubectl_server.py`` has their use by kubectl."""

import pytest

from kubectl_applylint.appliers.manager_migration import migration_operations
from kubectl_applylint.core.outcome import Write
from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.merge.server_side import APPLY, UPDATE
from kubectl_applylint.server.write import JSON_PATCH
from tests.appliers.test_kubectl_server import DATA, entry, stored_object

OTHER: JsonObject = {"f:data": {"f:b": {}}}
BOTH: JsonObject = {"f:data": {"f:a": {}, "f:b": {}}}


def managers_after(*managers: JsonObject, clients: tuple[str, ...] = ("helm",)) -> Json:
    write = migration_operations(stored_object(*managers), clients, "helm")
    return write and write.body[0]["value"]


def test_the_patch_names_the_version_that_it_was_computed_from() -> None:
    assert migration_operations(stored_object(entry("helm", UPDATE, DATA)), ("helm",), "helm") == Write(
        "PATCH",
        JSON_PATCH,
        [
            {"op": "replace", "path": "/metadata/managedFields", "value": [entry("helm", APPLY, DATA)]},
            {"op": "replace", "path": "/metadata/resourceVersion", "value": "7"},
        ],
        (("fieldManager", "helm"), ("fieldValidation", "Strict")),
    )


@pytest.mark.parametrize(
    ("managers", "after"),
    [
        pytest.param((), None, id="no managers"),
        pytest.param((entry("kubectl", UPDATE, DATA),), None, id="a manager of another name"),
        pytest.param((entry("helm", APPLY, DATA),), None, id="applied already"),
        pytest.param(
            (entry("helm", APPLY, OTHER), entry("helm", UPDATE, DATA)),
            [entry("helm", APPLY, BOTH)],
            id="added to what was applied",
        ),
        pytest.param(
            (entry("helm", APPLY, OTHER), entry("helm", UPDATE, DATA, "v2")),
            [entry("helm", APPLY, OTHER)],
            id="of another version: forgotten",
        ),
        pytest.param((entry("helm", UPDATE, DATA, subresource="status"),), None, id="a subresource"),
    ],
)
def test_only_updates_of_the_object_by_the_named_managers_are_handed_over(
    managers: tuple[JsonObject, ...], after: Json
) -> None:
    assert managers_after(*managers) == after


def test_several_managers_become_one() -> None:
    found = managers_after(entry("a", UPDATE, DATA), entry("b", UPDATE, OTHER), clients=("a", "b"))

    assert found == [entry("helm", APPLY, BOTH)]
