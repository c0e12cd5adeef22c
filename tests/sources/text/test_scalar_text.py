import pytest

from kubectl_applylint.core.values import Json, equal
from kubectl_applylint.sources.text.scalar_text import as_scalar, is_json
from kubectl_applylint.sources.text.yaml_text import load


@pytest.mark.parametrize(
    ("value", "like", "text"),
    [
        ("100m", "0.1", "100m"),
        ("100m", '"0.1"', '"100m"'),
        ("it's", "'x'", "'it''s'"),
        ("a\nb", "'x'", '"a\\nb"'),
        ("8080", "x", '"8080"'),
        ("yes", "x", '"yes"'),
        ("", "x", '""'),
        ("a: b", "x", '"a: b"'),
        ("apps/v1", "extensions/v1beta1", "apps/v1"),
        (True, "x", "true"),
        (None, "x", "null"),
        (3, '"3"', "3"),
        (["Ingress", "x y"], "a", '[Ingress, "x y"]'),
        ({"app": "web"}, '"a"', '{"app": "web"}'),
    ],
)
def test_a_value_is_written_as_the_one_before(value: Json, like: str, text: str) -> None:
    assert as_scalar(value, like) == text
    assert equal(load(f"v: {text}\n").value["v"], value)


@pytest.mark.parametrize(("text", "expected"), [(' {"a": 1}', True), ("a: {}", False), ("", False)])
def test_json_begins_with_a_brace(text: str, expected: bool) -> None:
    assert is_json(text) is expected
