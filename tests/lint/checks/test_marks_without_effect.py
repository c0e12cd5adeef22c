import pytest

from kubectl_applylint.core.paths import render
from kubectl_applylint.core.values import Json
from kubectl_applylint.lint.checks.marks_without_effect import check
from tests.rules.stories import subject

PARAMS = {
    "of": ["annotations", "labels"],
    "marks": {
        "example.com/keep": {"values": ["Yes", "No"], "ignore_case": True},
        "example.com/policy": {"values": ["keep"]},
        "example.com/wave": {"pattern": "-?[0-9]+", "words": "an integer"},
        "example.com/options": {"values": ["A", "B"], "list": True},
    },
}


def hits_of(place: str, key: str, value: Json) -> list[tuple[str, Json]]:
    manifest = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a", place: {key: value}}}
    return [(render(hit.path), hit.facts["value"]) for hit in check(subject(manifest), params=PARAMS)]


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("example.com/keep", "yes"),
        ("example.com/policy", "keep"),
        ("example.com/wave", "-1"),
        ("example.com/options", "A, B"),
        ("example.com/other", "x"),
        ("example.com/keep", None),
    ],
)
def test_known_values_are_passed_over(key: str, value: Json) -> None:
    assert hits_of("annotations", key, value) == []


@pytest.mark.parametrize(
    ("key", "value", "wrong"),
    [
        ("example.com/keep", "true", "true"),
        ("example.com/policy", "Keep", "Keep"),
        ("example.com/wave", "first", "first"),
        ("example.com/options", "A,b", "b"),
        ("example.com/options", "", ""),
    ],
)
def test_other_values_are_found_where_they_stand(key: str, value: str, wrong: str) -> None:
    assert hits_of("labels", key, value) == [(f'metadata.labels["{key}"]', wrong)]


def test_the_facts_name_what_is_known() -> None:
    manifest = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"annotations": {"example.com/wave": "first"}}}
    (hit,) = check(subject(manifest), params=PARAMS)

    assert hit.facts == {"key": "example.com/wave", "value": "first", "known": "an integer"}
