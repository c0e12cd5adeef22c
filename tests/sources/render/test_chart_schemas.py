"""Schemas of values that may make helm load something from elsewhere."""

from pathlib import Path

import pytest

from kubectl_applylint.sources.render.chart_schemas import may_fetch

LOCAL = [
    "{}",
    '{"$schema": "http://json-schema.org/draft-07/schema#", "$ref": "#/definitions/a", "properties": {"$ref": {}}}',
    '{"$schema": "https://json-schema.org/draft/2020-12/schema"}',
]
FOREIGN = [
    '{"$ref": "http://127.0.0.1:80/x"}',
    '{"$ref": "other.json"}',
    '{"items": [{"\\u0024ref": "file:///etc/passwd"}]}',
    '{"$ref": "http://x", "$ref": "#/a"}',
    '{"$schema": "http://example.com/schema"}',
    '{"$dynamicRef": "http://example.com/schema"}',
    "no JSON",
    "[" * 100_000,
]


@pytest.mark.parametrize("text", LOCAL)
def test_a_schema_that_refers_to_itself_is_used(tmp_path: Path, text: str) -> None:
    (tmp_path / "values.schema.json").write_text(text)
    (tmp_path / "other.json").write_text(FOREIGN[0])

    assert not may_fetch(str(tmp_path))


@pytest.mark.parametrize("text", FOREIGN, ids=range(len(FOREIGN)))
def test_a_schema_that_refers_to_anything_else_is_not(tmp_path: Path, text: str) -> None:
    (tmp_path / "charts/inner").mkdir(parents=True)
    (tmp_path / "charts/inner/values.schema.json").write_text(text)

    assert may_fetch(str(tmp_path))


def test_archives_and_links_may_have_any_schema(tmp_path: Path) -> None:
    (tmp_path / "charts").mkdir()
    (tmp_path / "charts/a-1.0.tgz").touch()
    (tmp_path / "links").mkdir()
    (tmp_path / "links/charts").symlink_to(tmp_path)

    assert may_fetch(str(tmp_path / "charts/a-1.0.tgz"))
    assert may_fetch(str(tmp_path / "charts"))
    assert may_fetch(str(tmp_path / "links"))
