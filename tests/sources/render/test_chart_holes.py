"""Charts without missing dependencies."""

import json

import pytest

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.holes import Hole
from kubectl_applylint.core.state import ref_of
from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.sources.render.chart_files import Dependency, MissingDependency
from kubectl_applylint.sources.render.chart_holes import chart_holes, without_dependencies
from kubectl_applylint.sources.render.kustomize_positions import FilePositions

REDIS = MissingDependency("c", Dependency("redis", "https://example.com"), is_direct=True)
CHART = """\
apiVersion: v2
name: c
version: 1.0.0
dependencies:
- name: common
  version: 1.0.0
- name: redis
  version: 1.0.0
  repository: https://example.com
  condition: redis.enabled
"""
VALUES = "redis: {enabled: false}\nglobal: {a: b}\nimage: a\n"
OBJECT: JsonObject = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}}


def holes(
    chart: str = CHART, values: str = VALUES, missing: MissingDependency = REDIS, rendered: JsonObject = OBJECT
) -> tuple[Hole, ...]:
    texts = {f"{missing.chart}/Chart.yaml": chart.encode(), f"{missing.chart}/values.yaml": b"image: x\n"}
    document = Document("a", 0, rendered, ref_of(rendered), FilePositions())
    return chart_holes(texts, [missing], [values.encode()], [document], str)


@pytest.mark.parametrize("file", ["c/Chart.yaml", "c/requirements.yaml"])
def test_a_chart_is_rendered_without_the_dependency(file: str) -> None:
    found = without_dependencies({file: CHART.encode(), "c/values.yaml": b""}, [REDIS])

    own: dict[str, Json] = json.loads(found[file])
    assert own["dependencies"] == [{"name": "common", "version": "1.0.0"}]
    assert (own["name"], found["c/values.yaml"]) == ("c", b"")


def test_a_hole_has_a_place_and_a_reason() -> None:
    (hole,) = holes()

    assert hole.path == "c/Chart.yaml:7:3"
    assert hole.what == "dependencies[1]: redis (https://example.com) is neither in charts/ nor in the store"


@pytest.mark.parametrize(
    ("old", "new", "is_same"),
    [
        ("image: a", "image: b", True),
        ("enabled: false", "enabled: true", False),
        ("a: b", "a: c", False),
    ],
    ids=["another value", "the condition", "a global value"],
)
def test_a_hole_depends_on_the_values_of_the_dependency(old: str, new: str, is_same: bool) -> None:
    (was,), (now,) = holes(), holes(values=VALUES.replace(old, new))

    assert (was.digest == now.digest) is is_same
    assert was.identity == now.identity


def test_a_hole_depends_on_the_version() -> None:
    (was,), (now,) = holes(), holes(CHART.replace("1.0.0\n  repository", "2.0.0\n  repository"))

    assert was.identity != now.identity


def test_a_dependency_of_a_dependency_depends_on_all_values() -> None:
    inner = MissingDependency("c", REDIS.dependency, is_direct=False)

    (was,), (now,) = holes(missing=inner), holes(values=VALUES.replace("image: a", "image: b"), missing=inner)

    assert was.digest != now.digest


@pytest.mark.parametrize(("more", "is_same"), [("", True), ("  import-values: [data]\n", False)])
def test_a_dependency_that_exports_values_depends_on_the_objects(more: str, is_same: bool) -> None:
    other: JsonObject = {**OBJECT, "data": {"a": "b"}}

    (was,), (now,) = holes(CHART + more), holes(CHART + more, rendered=other)

    assert (was.digest == now.digest) is is_same
