"""The answer to manifests and changes, beside what a real server said of them."""

from dataclasses import replace

import pytest

from kubectl_applylint.core.outcome import Write
from kubectl_applylint.core.values import Json
from kubectl_applylint.merge import json_merge
from kubectl_applylint.schema.load import load
from kubectl_applylint.server.decode import decode
from kubectl_applylint.server.validate import kinds, validate
from kubectl_applylint.server.write import JSON_BODY, MERGE_PATCH, Answer, Server, Stored, answer
from tests.server.stored import cases, kind_of
from tests.server.validate.recorded import DISABLED, Change, agreeing, causes, changes, live_objects, manifests

VERSIONS = ("1.30", "1.33", "1.36")


def answer_to_create(manifest: Json, version: str = "1.36") -> Answer:
    kind = load(version).kind(manifest["apiVersion"], manifest["kind"])
    return answer(Write("POST", JSON_BODY, manifest), None, Server(kind, version, disabled_admission=DISABLED))


def answer_to_patch(live: Json, patch: Json) -> Answer:
    server = Server(kind_of(live), "1.36", disabled_admission=DISABLED)
    return answer(Write("PATCH", MERGE_PATCH, patch), live, server)


@pytest.mark.parametrize("name", manifests())
def test_manifests_that_the_server_accepts_are_valid(name: str) -> None:
    assert causes(answer_to_create(manifests()[name])) == frozenset()


@pytest.mark.parametrize("name", manifests())
def test_a_stored_object_can_be_stored_again(name: str) -> None:
    """Values that are not known yet do not count as changed."""
    stored = answer_to_create(manifests()[name])
    assert isinstance(stored, Stored)
    kind = kind_of(stored.object)
    decoded = decode(stored.object, kind, creating=False)

    assert validate(decoded, decoded, kind, "1.36") == ()


@pytest.mark.parametrize("change", changes())
def test_a_change_is_rejected_as_by_the_server(change: Change) -> None:
    if change.creating:
        given = answer_to_create(json_merge.merge(manifests()[change.base], change.patch))
    else:
        given = answer_to_patch(live_objects()[change.base], change.patch)

    assert agreeing(causes(given), change.causes) == change.causes


@pytest.mark.parametrize(("server", "stored"), cases())
def test_objects_that_servers_stored_are_valid(server: str, stored: Json) -> None:
    version = server.removeprefix("v").rpartition(".")[0]
    kind = load(version).kind(stored["apiVersion"], stored["kind"])
    assert kind is not None
    decoded = decode(stored, kind, creating=False)

    assert validate(decoded, decoded, kind, version) == ()


def test_a_kind_without_a_table_has_its_metadata_checked() -> None:
    known = kind_of({"apiVersion": "v1", "kind": "ConfigMap"})
    kind = replace(known, api_version="nobody.example/v1", name="Thing")
    thing = {"metadata": {"name": "a", "namespace": "b", "labels": {"a b": ""}}}

    assert not kinds("nobody.example")
    assert [refusal.field for refusal in validate(thing, None, kind, "1.36")] == ["metadata.labels"]
