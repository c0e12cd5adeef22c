"""Reads ``amounts.yaml``: limits and quotas, objects that meet them, and the answers of a real server."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest
import yaml
from _pytest.mark import ParameterSet

from kubectl_applylint.core.state import UNSEEN
from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.server.defaults import apply_defaults
from kubectl_applylint.server.write import Answer, Stored
from tests.server.admission.objects import answer_to_create, answer_to_patch, cluster_view
from tests.server.stored import kind_of

PLACE = "shop"
LIMITS, QUOTAS = ("", "LimitRange", PLACE), ("", "ResourceQuota", PLACE)
POD: JsonObject = {
    "apiVersion": "v1",
    "kind": "Pod",
    "metadata": {"name": "x", "namespace": PLACE},
    "spec": {"containers": [{"name": "a", "image": "i"}]},
}
"""A pod that says nothing of its resources."""


@dataclass(frozen=True, slots=True)
class Story:
    """An object, what is around it, and its outcome; ``then`` is a merge patch of it, once it is there."""

    cluster_view: tuple[JsonObject, ...]
    manifest: JsonObject
    then: Json
    said: str
    resources: Json
    note: str | None


@cache
def _read() -> Mapping[str, Json]:
    content: Mapping[str, Json] = yaml.load(
        Path(__file__).with_name("amounts.yaml").read_text(encoding="utf-8"), yaml.CSafeLoader
    )
    return content


@cache
def stories() -> tuple[ParameterSet, ...]:
    """Return every story as a parameter."""
    return tuple(
        pytest.param(_story(story["around"], case), id=f"{title}, {name}")
        for title, story in _read().items()
        for name, case in story["cases"].items()
    )


def _story(cluster_view: list[JsonObject], case: JsonObject) -> Story:
    return Story(
        tuple(in_namespace(item) for item in cluster_view),
        in_namespace({"metadata": {"name": "x"}, **case["apply"]}),
        case.get("then"),
        case.get("said", ""),
        case.get("resources"),
        case.get("note"),
    )


def in_namespace(item: JsonObject, place: str = PLACE) -> JsonObject:
    """Return an object in a namespace."""
    return {**item, "metadata": {**item["metadata"], "namespace": place}}


def live(item: JsonObject) -> JsonObject:
    """Return an object with its defaults, as a server returns it."""
    return apply_defaults(item, kind_of(item), "1.36")


def predicted_answer(story: Story) -> Answer:
    """Return the predicted answer of a story."""
    known = cluster_view(*map(live, story.cluster_view), whole=[LIMITS, QUOTAS])
    if story.then is None:
        return answer_to_create(story.manifest, known)
    before = answer_to_create(story.manifest, UNSEEN)

    assert isinstance(before, Stored)
    return answer_to_patch(before.object, story.then, known)
