"""What ``amounts.yaml`` holds: limits and quotas, objects that meet them, and what a real server said."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest
import yaml
from _pytest.mark import ParameterSet

from kubectl_applylint.core.values import Json, JsonObject

PLACE = "shop"


@dataclass(frozen=True, slots=True)
class Story:
    """An object, what is around it, and what becomes of it; ``then`` is a merge patch of it, once it is there."""

    around: tuple[JsonObject, ...]
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
        pytest.param(_story(told["around"], case), id=f"{title}, {name}")
        for title, told in _read().items()
        for name, case in told["cases"].items()
    )


def _story(around: list[JsonObject], case: JsonObject) -> Story:
    return Story(
        tuple(placed(item) for item in around),
        placed({"metadata": {"name": "x"}, **case["apply"]}),
        case.get("then"),
        case.get("said", ""),
        case.get("resources"),
        case.get("note"),
    )


def placed(item: JsonObject, place: str = PLACE) -> JsonObject:
    """Return an object in a namespace."""
    return {**item, "metadata": {**item["metadata"], "namespace": place}}
