"""The field at a place of a text."""

import pytest

from kubectl_applylint.core.cursor import path_at
from kubectl_applylint.core.paths import render
from kubectl_applylint.sources.text.manifests import read_text

TEXT = (
    "apiVersion: v1\nkind: Pod\nmetadata:\n  name: a\n  labels: {app: web}\nspec:\n  containers:\n  - name: b\n"
    "    args:\n    - c\n---\napiVersion: v1\nkind: Pod\n"
)


@pytest.mark.parametrize(
    ("line", "column", "path"),
    [
        (1, 1, "apiVersion"),
        (1, 14, "apiVersion"),
        (3, 3, "metadata"),
        (4, 10, "metadata.name"),
        (5, 13, "metadata.labels.app"),
        (5, 3, "metadata.labels"),
        (6, 1, "spec"),
        (8, 6, "spec.containers[0].name"),
        (8, 3, "spec.containers"),
        (10, 7, "spec.containers[0].args[0]"),
        (6, 5, "spec"),
    ],
)
def test_the_innermost_field_is_found(line: int, column: int, path: str) -> None:
    found = path_at(read_text(TEXT, "a.yaml").documents[0], line, column)

    assert found is not None
    assert render(found) == path


@pytest.mark.parametrize("place", [(11, 1), (12, 3), (99, 1)])
def test_places_outside_of_the_object_have_no_field(place: tuple[int, int]) -> None:
    assert path_at(read_text(TEXT, "a.yaml").documents[0], *place) is None
