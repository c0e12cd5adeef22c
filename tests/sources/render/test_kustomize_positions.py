"""Positions of a rendered object in its source."""

import pytest

from kubectl_applylint.core.paths import parse
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.sources.render.kustomize_positions import FilePositions, SourcePositions
from kubectl_applylint.sources.text.manifests import read_text

TEXT = "apiVersion: v1\nkind: List\nspec:\n  replicas: 2\n  ports:\n  - {name: a, port: 1}\n  - {name: b, port: 2}\n"
RENDERED: JsonObject = {
    "apiVersion": "v1",
    "kind": "List",
    "spec": {"replicas": 3, "ports": [{"name": "new", "port": 3}, {"name": "b", "port": 2}]},
}


@pytest.mark.parametrize(
    ("path", "line"), [("kind", 2), ("spec", 4), ("spec.replicas", None), ("spec.ports[1].port", 7), ("spec.x", None)]
)
def test_a_value_that_is_unchanged_has_its_position(path: str, line: int | None) -> None:
    (source,) = read_text(TEXT, "a.yaml").documents

    span = SourcePositions(RENDERED, source.object, source.positions).value(parse(path))

    assert (span and span.line) == line


@pytest.mark.parametrize("path", ["spec.ports[0].port", "spec.ports[0].name"])
def test_an_element_that_replaced_another_has_no_position(path: str) -> None:
    (source,) = read_text(TEXT, "a.yaml").documents

    assert SourcePositions(RENDERED, source.object, source.positions).key(parse(path)) is None


def test_a_file_is_the_position_of_an_object_without_a_source() -> None:
    positions = FilePositions()

    assert positions.key(parse("spec")) is positions.value(parse("spec")) is None
    assert str(positions.value(())) == str(positions.value(())) != "None"
