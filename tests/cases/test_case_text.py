"""The text of a case as JSON."""

import pytest

from tests.cases.case_text import load, repeated_keys


def test_text_that_looks_like_a_date_stays_text() -> None:
    assert load("date: 2026-11-21", "story.yaml") == {"date": "2026-11-21"}


@pytest.mark.parametrize("text", ["a: [", "a: 1\n---\nb: 2"], ids=["broken", "two documents"])
def test_a_syntax_error_is_named_with_its_place(text: str) -> None:
    with pytest.raises(ValueError, match=r"^story\.yaml:\d+:\d+: not readable as YAML: "):
        load(text, "story.yaml")


def test_a_key_that_is_set_twice_is_named() -> None:
    assert list(repeated_keys("a: [{b: 1, b: 2}]")) == ["b is set twice"]


def test_a_key_beside_a_merged_map_is_no_second_one() -> None:
    assert list(repeated_keys("[&a {kind: ConfigMap, name: a}, {<<: *a, kind: Secret}]")) == []
