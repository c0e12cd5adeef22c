"""Checks of children, beyond the cases of the rules."""

import json

import pytest

from kubectl_applylint.appliers.flags import Flags
from kubectl_applylint.core.paths import render
from kubectl_applylint.core.state import Absent, Present
from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.lint.checks import load
from kubectl_applylint.tools.metacontroller.children import IN_PLACE, Sync, UpdateMethod
from kubectl_applylint.tools.metacontroller.write import ANNOTATION
from tests.rules.stories import subject

CHILD: JsonObject = {"apiVersion": "x.io/v1", "kind": "Shop", "metadata": {"name": "main"}}


def hit_paths(
    name: str,
    spec: Json,
    observed: Json,
    last: Json,
    *,
    sync: Sync = IN_PLACE,
    note: str | None = None,
    **facts: Json,
) -> list[str]:
    """Return the paths that a check finds in a child of an unknown kind."""
    text = json.dumps({**CHILD, "spec": last}) if note is None else note
    live = {**CHILD, "metadata": {"name": "main", "annotations": {ANNOTATION: text}}, "spec": observed}
    child = subject({**CHILD, "spec": spec}, live=Present(live), flags=Flags(sync=sync))
    return [render(hit.path) for hit in load(name)(child, params=facts)]


TWINS = [{"name": "a", "port": 1}, {"name": "b", "port": 1}]


@pytest.mark.parametrize(
    ("sync", "note"),
    [
        (Sync((("", UpdateMethod.ON_DELETE),)), None),
        (Sync((("", UpdateMethod.IN_PLACE),), decorator="shops"), None),
        (IN_PLACE, "{"),
    ],
    ids=["never updated", "no child", "an annotation that cannot be read"],
)
def test_nothing_is_merged_of_a_child_that_is_not_updated(sync: Sync, note: str | None) -> None:
    lists = {"ports": TWINS}

    assert hit_paths("sync_entries_collapsed", lists, lists, lists, sync=sync, note=note) == []


def test_a_new_child_of_a_decorator_is_checked() -> None:
    flags = Flags(sync=Sync((("", UpdateMethod.IN_PLACE),), decorator="shops"))
    child = subject({**CHILD, "spec": {"ports": TWINS}}, live=Absent(), flags=flags)

    assert [render(hit.path) for hit in load("sync_entries_collapsed")(child, params={})] == ["spec.ports[1]"]


def test_nested_items_are_compared_by_their_keys() -> None:
    inner = {"boxes": [{"name": "x", "ports": TWINS}]}

    assert hit_paths("sync_entries_collapsed", inner, inner, inner) == ["spec.boxes[0].ports[1]"]
    assert hit_paths("sync_entries_collapsed", inner, {"boxes": [{"name": "y"}]}, {}) == ["spec.boxes[0].ports[1]"]
    assert hit_paths("sync_entries_collapsed", inner, {"boxes": [{"image": "y"}]}, {}) == []


def test_an_unknown_kind_declares_no_list_whole_and_no_set() -> None:
    foreign = {"boxes": [{"name": "x"}, {"name": "y"}]}

    assert hit_paths("sync_entries_kept", {"boxes": [{"name": "x"}]}, foreign, {}) == []
    assert hit_paths("sync_entries_dropped", {"args": ["a"]}, {"args": ["a", "b"]}, {}, lists="scalars") == []


def test_a_list_that_others_have_emptied_is_not_out_of_order() -> None:
    wanted = {"env": [{"name": "a"}, {"name": "b"}]}

    assert hit_paths("sync_order_kept", wanted, {"env": []}, wanted, only=["env"]) == []
    assert hit_paths("sync_order_kept", wanted, {"env": [{"name": "b"}]}, wanted, only=["env"]) == ["spec.env"]


def test_checks_of_children_skip_objects_that_kubectl_applies() -> None:
    child = subject({**CHILD, "spec": {"ports": TWINS}}, live=Absent())

    assert list(load("sync_entries_collapsed")(child, params={})) == []
    assert list(load("sync_children_not_updated")(child, params={})) == []


def test_an_annotation_that_stops_the_sync_is_no_difference() -> None:
    on_delete = Sync((("", UpdateMethod.ON_DELETE),))

    assert hit_paths("sync_children_not_updated", {"a": 1}, {"a": 2}, {}, sync=on_delete, note="{") == []
    assert hit_paths("sync_children_not_updated", {"a": 1}, {"a": 2}, {}, sync=on_delete) == [""]
