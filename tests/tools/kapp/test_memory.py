"""Stored state of kapp, and the changes that it therefore finds."""

from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.tools.kapp.app import KappApp, with_identity
from kubectl_applylint.tools.kapp.memory import CHECKSUM, ORIGINAL, change, last_applied, with_history
from kubectl_applylint.tools.kapp.rules import KappRules

APP, RULES = KappApp("app", "ns", "7"), KappRules()


def manifest(**data: str) -> JsonObject:
    plain = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a", "namespace": "ns"}, "data": data}
    return APP.with_app_labels(plain, RULES)


def saved_object(**data: str) -> JsonObject:
    """Return an object that kapp has written, with fields that the server added."""
    written = with_identity(manifest(**data))
    kept = with_history({**written, "immutable": False, "status": {}}, manifest(**data), RULES)
    assert kept is not None
    return with_identity(kept)


def with_annotation(item: JsonObject, name: str, text: str) -> JsonObject:
    annotations = {**item["metadata"].get("annotations", {}), name: text}
    return {**item, "metadata": {**item["metadata"], "annotations": annotations}}


def test_the_same_manifest_changes_nothing_without_other_writers() -> None:
    assert change(saved_object(a="1"), manifest(a="1"), APP, RULES, by_memory=True).is_empty
    assert not change(saved_object(a="1"), manifest(a="2"), APP, RULES, by_memory=True).is_empty


def test_without_its_memory_kapp_sees_what_the_server_has_added() -> None:
    found = change(saved_object(a="1"), manifest(a="1"), APP, RULES, by_memory=False)

    assert not found.is_empty
    assert "immutable" in found.before
    assert "immutable" not in found.after


def test_the_memory_does_not_count_once_others_have_written() -> None:
    changed = {**saved_object(a="1"), "data": {"a": "2"}}

    assert not change(changed, manifest(a="1"), APP, RULES, by_memory=True).is_empty


def test_a_memory_is_read_as_yaml_and_a_damaged_one_is_none() -> None:
    live = change(saved_object(a="1"), manifest(a="1"), APP, RULES, by_memory=True)
    kept = {**saved_object(a="1")}
    text = kept["metadata"]["annotations"][ORIGINAL]

    assert live.applied == last_applied(_without_identity(kept), RULES)
    assert last_applied(_without_identity(with_annotation(kept, ORIGINAL, f"{text}-b")), RULES) == live.applied
    assert last_applied(_without_identity(with_annotation(kept, ORIGINAL, "{")), RULES) is None
    assert last_applied(_without_identity(with_annotation(kept, CHECKSUM, "")), RULES) is None


def _without_identity(live: JsonObject) -> JsonObject:
    annotations = {key: text for key, text in live["metadata"]["annotations"].items() if not key.endswith("identity")}
    return {**live, "metadata": {**live["metadata"], "annotations": annotations}}


def test_no_history_is_stored_if_it_is_disabled_or_too_long() -> None:
    marked = with_annotation(manifest(), "kapp.k14s.io/disable-original", "")

    assert with_history(marked, marked, RULES) is None
    assert with_history(manifest(), manifest(a="x" * 262144), RULES) is None
