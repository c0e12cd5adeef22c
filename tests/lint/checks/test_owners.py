import pytest

from kubectl_applylint.core.paths import ByKey, Field, Path, fields, render
from kubectl_applylint.core.state import Absent, Knowledge, Present, Unknown
from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.lint.checks._owners import other_appliers, writers
from kubectl_applylint.merge.fieldset import to_path
from tests.rules.stories import subject

MANIFEST: JsonObject = {
    "apiVersion": "v1",
    "kind": "Service",
    "metadata": {"name": "web", "labels": {"app": "web"}},
    "spec": {"selector": {"app": "web"}, "ports": [{"port": 80, "name": "http"}]},
}
PORT: JsonObject = {'k:{"port":80,"protocol":"TCP"}': {".": {}, "f:port": {}, "f:name": {}}}


def entry(manager: str, owned: JsonObject, operation: str = "Update", **more: Json) -> JsonObject:
    return {"manager": manager, "operation": operation, "fieldsType": "FieldsV1", "fieldsV1": owned, **more}


LIVE = Present(
    {
        **MANIFEST,
        "metadata": {
            "name": "web",
            "managedFields": [
                entry("Mozilla", {"f:spec": {"f:selector": {}}}),
                entry("scaler", {"f:spec": {"f:ports": PORT}}, "Apply", apiVersion="v1"),
                entry("status", {"f:spec": {"f:selector": {}}}, "Apply", apiVersion="v1", subresource="status"),
                entry("other", {"f:metadata": {"f:labels": {"f:team": {}}}}, "Apply", apiVersion="v1"),
            ],
        },
    }
)


@pytest.mark.parametrize(
    ("path", "wanted"),
    [
        (fields("spec", "selector", "app"), ["Mozilla", "status"]),
        ((*fields("spec", "ports"), ByKey((("port", 80),)), Field("name")), ["scaler"]),
        (fields("metadata", "labels", "team"), ["other"]),
        (fields("metadata", "labels", "app"), []),
    ],
    ids=["in an atomic map", "in a list element", "a label", "of nobody"],
)
def test_writers_of_a_field(path: Path, wanted: list[str]) -> None:
    assert writers(subject(MANIFEST, live=LIVE), path) == wanted


ASKED = subject(MANIFEST, live=LIVE)


def test_appliers_count_where_they_share_something_with_the_manifest() -> None:
    found = {name: [render(to_path(path)) for path in shared.paths()] for name, shared in other_appliers(ASKED)}

    assert found == {
        "scaler": [
            "spec.ports[port=80,protocol=TCP]",
            "spec.ports[port=80,protocol=TCP].name",
            "spec.ports[port=80,protocol=TCP].port",
        ]
    }


@pytest.mark.parametrize("live", [Absent(), Unknown("offline")], ids=["absent", "unknown"])
def test_without_a_live_object_no_field_has_an_owner(live: Knowledge) -> None:
    found = subject(MANIFEST, live=live)

    assert (writers(found, fields("spec")), list(other_appliers(found))) == ([], [])


def test_a_manifest_that_does_not_fit_its_schema_shares_nothing() -> None:
    broken = {**MANIFEST, "spec": {"ports": [None]}}

    assert list(other_appliers(subject(broken, live=LIVE))) == []
