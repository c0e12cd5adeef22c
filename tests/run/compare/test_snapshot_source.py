"""Knowledge of a run from a snapshot of a cluster."""

import json
from pathlib import Path

import pytest

from kubectl_applylint.core.state import LAST_APPLIED
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.run.compare.snapshot_source import in_snapshot
from kubectl_applylint.schema.names import ObjectArgument


def test_a_snapshot_finds_objects_by_the_names_of_their_kinds(tmp_path: Path) -> None:
    header = {"namespace": "shop", "name": "web"}
    items = [
        {"apiVersion": "events.k8s.io/v1", "kind": "Event", "metadata": header},
        {"apiVersion": "v1", "kind": "Event", "metadata": header},
        {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {**header, "namespace": "other"}},
        {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "web"}},
        {"apiVersion": "x.io/v1", "kind": "Lamp", "metadata": header},
    ]
    (tmp_path / "s.json").write_text(json.dumps({"kind": "List", "apiVersion": "v1", "items": items}))
    known = in_snapshot(str(tmp_path / "s.json"))

    found = {
        word: [item["apiVersion"] for item in known.named(ObjectArgument(word, "web"), "shop").objects]
        for word in ("ev", "events.events.k8s.io", "deploy", "ns", "lamp")
    }

    assert found == {
        "ev": ["v1"],
        "events.events.k8s.io": ["events.k8s.io/v1"],
        "deploy": [],
        "ns": ["v1"],
        "lamp": ["x.io/v1"],
    }


@pytest.mark.parametrize(
    ("word", "advice"),
    [("deply", ["did you mean deploy?"]), ("lmap.x.io", ["did you mean lamp.x.io?"]), ("deploy", []), ("other", [])],
    ids=["built-in", "with a group", "known", "maybe a custom one"],
)
def test_a_misspelled_kind_is_a_problem(tmp_path: Path, word: str, advice: list[str]) -> None:
    lamp = {"apiVersion": "x.io/v1", "kind": "Lamp", "metadata": {"namespace": "shop", "name": "web"}}
    (tmp_path / "s.json").write_text(json.dumps({"kind": "List", "apiVersion": "v1", "items": [lamp]}))

    found = in_snapshot(str(tmp_path / "s.json")).named(ObjectArgument(word, "web"), "shop")

    assert (found.objects, [problem.advice for problem in found.problems]) == ((), advice)


def config_map(name: str, namespace: str, *, applied: bool = True, app: str = "web") -> JsonObject:
    annotations = {"annotations": {LAST_APPLIED: "{}"}} if applied else {}
    metadata = {"name": name, "namespace": namespace, "labels": {"app": app}, **annotations}
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata}


@pytest.mark.parametrize(
    ("namespace", "selector", "names"),
    [
        ("", "", ["d", "a", "b", "c"]),
        ("shop", "", ["a", "b", "c"]),
        ("shop", "app=api", ["c"]),
        ("none", "", []),
    ],
    ids=["all", "of a namespace", "selected", "none"],
)
def test_a_snapshot_lists_applied_objects(tmp_path: Path, namespace: str, selector: str, names: list[str]) -> None:
    items = [
        config_map("b", "shop"),
        config_map("a", "shop"),
        config_map("c", "shop", app="api"),
        config_map("d", "bank"),
        config_map("e", "shop", applied=False),
    ]
    file = tmp_path / "prod.json"
    file.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": items}))

    found = in_snapshot(str(file)).applied(namespace, selector)

    assert [item["metadata"]["name"] for item in found.objects] == names
    assert found.problems == ()


def test_a_snapshot_finds_objects_of_every_kind_by_label(tmp_path: Path) -> None:
    items = [config_map("a", "shop"), config_map("b", "other", applied=False), config_map("c", "shop", app="db")]
    (tmp_path / "s.json").write_text(json.dumps({"kind": "List", "apiVersion": "v1", "items": items}))

    found = in_snapshot(str(tmp_path / "s.json")).labelled(["Secret"], "app=web", ["shop"])

    assert sorted(item["metadata"]["name"] for item in found.objects) == ["a", "b"]
