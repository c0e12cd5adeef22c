"""History of the values and owners of fields."""

import json

import pytest

from kubectl_applylint.core.paths import parse, render
from kubectl_applylint.core.state import LAST_APPLIED
from kubectl_applylint.core.values import MISSING, Json, JsonObject
from kubectl_applylint.ownership.field_history import DefaultSource, FieldHistory, field_history, without
from tests.stories import MANIFEST, client_side, pause, scale, server_side, subject_of

REPLICAS = "spec.replicas"
PULL = "spec.template.spec.containers[0].imagePullPolicy"


def history_of(live: JsonObject, path: str, manifest: JsonObject = MANIFEST, *, known: bool = True) -> FieldHistory:
    return field_history(subject_of(manifest, live, known=known), live, parse(path))


def test_a_field_that_client_side_apply_set() -> None:
    found = history_of(client_side(MANIFEST), REPLICAS)

    assert found.place.value == 3
    assert found.manifest is not None
    assert (found.manifest.value, str(found.manifest.place)) == (3, "web.yaml:1:1")
    assert found.last_applied is not None
    assert found.last_applied.value == 3
    assert [manager.name for manager in found.managers] == ["kubectl-client-side-apply"]
    assert found.default is not None
    assert (found.default.value, found.default.sources, found.is_default) == (1, (), False)
    assert found.next is not None
    assert (found.next.mode.flags, found.next.change) == ("", None)


def test_writers_come_in_the_order_of_their_times() -> None:
    live = scale(server_side(MANIFEST), 5)

    found = history_of(live, REPLICAS)

    assert [manager.title for manager in found.managers] == ["kube-controller-manager/scale"]
    assert found.last_applied is None
    assert found.next is not None
    assert (found.next.mode.flags, found.next.outcome.verdict.value) == (" --server-side", "conflict")


def test_a_default_names_what_it_follows_from() -> None:
    found = history_of(client_side(MANIFEST), PULL)

    assert found.is_default
    assert found.default is not None
    assert found.default.sources == (DefaultSource(parse("spec.template.spec.containers[0].image"), "web:1"),)
    assert found.manifest is not None
    assert found.manifest.value is MISSING


def test_the_history_of_a_part_names_the_owner_of_the_whole() -> None:
    found = history_of(client_side(MANIFEST), "spec.selector.matchLabels.app")

    assert (found.place.is_part, render(found.place.owned)) == (True, "spec.selector")
    assert [manager.name for manager in found.managers] == ["kubectl-client-side-apply"]


def test_the_next_apply_is_shown_by_its_nearest_change() -> None:
    changed = json.loads(json.dumps(MANIFEST))
    changed["spec"]["template"]["spec"]["containers"][0]["ports"][0]["name"] = "https"

    found = history_of(
        client_side(MANIFEST),
        "spec.template.spec.containers[name=web].ports[containerPort=80,protocol=TCP].name",
        changed,
    )

    assert found.next is not None
    assert found.next.change is not None
    assert (found.next.change.before, found.next.change.after) == ("http", "https")


def test_without_a_manifest_nothing_comes_next() -> None:
    found = history_of(pause(client_side(MANIFEST)), REPLICAS, known=False)

    assert (found.manifest, found.next) == (None, None)


@pytest.mark.parametrize(("path", "expected"), [("spec.replcas", True), (REPLICAS, False), (PULL, False)])
def test_an_unknown_field(path: str, expected: bool) -> None:
    assert history_of(client_side(MANIFEST), path).is_nowhere is expected


def test_an_object_that_cannot_be_read_has_no_defaults() -> None:
    live = {**client_side(MANIFEST), "spec": {"replicas": "many"}}

    assert history_of(live, "spec.paused").default is None


def test_a_kind_without_a_schema_has_no_defaults() -> None:
    widget = {"apiVersion": "x.io/v1", "kind": "Widget", "metadata": {"name": "w"}, "spec": {"size": 1}}

    found = history_of(widget, "spec.size", widget)

    assert (found.place.value, found.default) == (1, None)


def test_the_last_applied_annotation_has_a_history() -> None:
    found = history_of(client_side(MANIFEST), f'metadata.annotations["{LAST_APPLIED}"]')

    assert [manager.name for manager in found.managers] == ["kubectl-client-side-apply"]


@pytest.mark.parametrize(
    ("path", "left"),
    [
        ("a", {"b": [{"c": 1, "d": 2}]}),
        ("b", {"a": 1}),
        ("b[0].c", {"a": 1, "b": [{"d": 2}]}),
        ("b[0]", {"a": 1, "b": []}),
        ("b[1].c", {"a": 1, "b": [{"c": 1, "d": 2}]}),
        ("b[c=1].c", {"a": 1, "b": [{"c": 1, "d": 2}]}),
    ],
)
def test_without_a_place(path: str, left: Json) -> None:
    assert without({"a": 1, "b": [{"c": 1, "d": 2}]}, parse(path)) == left
