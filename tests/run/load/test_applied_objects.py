"""Live objects as what a run is about."""

import json
from pathlib import Path

import pytest

from kubectl_applylint.core.state import LAST_APPLIED, Present
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.run.compare.live_source import LiveSource, no_live_source
from kubectl_applylint.run.compare.snapshot_source import in_snapshot
from kubectl_applylint.run.load.applied_objects import input_of_applied_objects, input_of_named_objects
from kubectl_applylint.schema.names import ObjectArgument

WEB = ObjectArgument("cm", "web")


def config_map(name: str, *, applied: str | None = None, namespace: str = "shop") -> JsonObject:
    annotations = {} if applied is None else {"annotations": {LAST_APPLIED: applied}}
    metadata = {"name": name, "namespace": namespace, "labels": {"app": name}, **annotations}
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": {"a": "live"}}


@pytest.fixture(name="source")
def _source(tmp_path: Path) -> LiveSource:
    manifest = {**config_map("web"), "data": {"a": "file"}}
    items = [
        config_map("web", applied=json.dumps(manifest)),
        config_map("odd", applied="{"),
        config_map("plain"),
        config_map("far", applied="{}", namespace="other"),
    ]
    file = tmp_path / "prod.json"
    file.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": items}))
    return in_snapshot(str(file))


def test_last_applied_annotations_are_the_manifests(source: LiveSource) -> None:
    found = input_of_applied_objects(source, namespace="shop")
    by_name = {subject.ref.name: subject for subject in found.subjects}

    assert by_name["web"].manifest["data"] == {"a": "file"}
    assert by_name["web"].state.live == Present({**config_map("web"), **by_name["web"].state.live.object})  # type: ignore[union-attr]  # present
    assert not by_name["odd"].document.has_manifest
    assert by_name.keys() == {"web", "odd"}
    assert found.origin == str(source)


@pytest.mark.parametrize(
    ("namespace", "selector", "names"),
    [
        pytest.param("", "", {"web", "odd", "far"}, id="everywhere"),
        pytest.param("other", "", {"far"}, id="in a namespace"),
        pytest.param("", "app=web", {"web"}, id="by label"),
        pytest.param("none", "", set(), id="nothing"),
    ],
)
def test_applied_objects_are_filtered_by_namespace_and_label(
    source: LiveSource, namespace: str, selector: str, names: set[str]
) -> None:
    found = input_of_applied_objects(source, namespace=namespace, selector=selector)

    assert {subject.ref.name for subject in found.subjects} == names


def test_named_objects_are_looked_for_once_each(source: LiveSource) -> None:
    found = input_of_named_objects(source, [WEB, ObjectArgument("cm", "plain"), WEB], namespace="shop")

    assert [subject.ref.name for subject in found.subjects] == ["web", "plain"]
    assert not found.subjects[1].document.has_manifest
    assert found.problems == ()


def test_a_named_object_that_is_missing_is_a_problem(source: LiveSource) -> None:
    (problem,) = input_of_named_objects(source, [WEB], namespace="other").problems

    assert problem.where == str(WEB)
    assert problem.message == f"object not found in {source.origin}"
    assert "now other" in problem.advice


def test_without_a_namespace_that_of_the_source_counts(source: LiveSource) -> None:
    (problem,) = input_of_named_objects(source, [WEB]).problems

    assert "now default" in problem.advice


def test_without_a_source_the_live_state_is_named() -> None:
    (problem,) = input_of_named_objects(no_live_source(), [WEB]).problems

    assert problem.message == "object not found in the live state"
