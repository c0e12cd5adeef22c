import pytest

from kubectl_applylint.appliers.last_applied import annotate, annotation_of, as_created, original_of
from kubectl_applylint.core.state import LAST_APPLIED
from kubectl_applylint.core.values import Json
from kubectl_applylint.merge.errors import MergeError


@pytest.mark.parametrize(
    ("metadata", "text"),
    [
        ({"name": "x"}, '{"kind":"K","metadata":{"annotations":{},"name":"x"}}\n'),
        ({"annotations": None}, '{"kind":"K","metadata":{"annotations":{}}}\n'),
        ({"annotations": {LAST_APPLIED: "old"}}, '{"kind":"K","metadata":{"annotations":{}}}\n'),
        ({"annotations": {"x": None}}, '{"kind":"K","metadata":{"annotations":{"x":""}}}\n'),
        ({"labels": {"x": None}}, '{"kind":"K","metadata":{"annotations":{},"labels":{"x":null}}}\n'),
    ],
    ids=["no annotations", "null annotations", "its own annotation", "a null value", "other nulls stay"],
)
def test_the_text_is_kubectls(metadata: Json, text: str) -> None:
    assert annotate({"kind": "K", "metadata": metadata})["metadata"]["annotations"][LAST_APPLIED] == text


@pytest.mark.parametrize(
    ("spec", "kept"),
    [
        ({"a": 1, "b": None}, {"a": 1}),
        ({"a": {"b": None}}, {"a": {}}),
        ({"a": [{"b": None}, None]}, {"a": [{}, None]}),
        ({"a": '": null":null'}, {"a": '": null":null'}),
        ({"a": [None]}, {"a": [None]}),
    ],
    ids=repr,
)
def test_an_object_is_created_without_null_entries(spec: Json, kept: Json) -> None:
    manifest = {"kind": "K", "metadata": {"annotations": {"x": None}}, "spec": spec}

    made = as_created(manifest)

    assert made["spec"] == kept
    assert made["metadata"] == annotate(manifest)["metadata"]


@pytest.mark.parametrize(
    ("text", "original"), [(None, {}), ("", {}), ("null", {}), ('{"a":1,"a":2}', {"a": 2}), ('{"a":1.0}', {"a": 1.0})]
)
def test_an_annotation_is_decoded_and_an_empty_one_is_an_empty_object(text: str | None, original: Json) -> None:
    assert original_of(text) == original


@pytest.mark.parametrize(
    ("text", "custom", "message"),
    [
        ("{bad", False, "invalid JSON document"),
        ("{bad", True, "Invalid JSON Document"),
        ("[1]", True, "Mismatched JSON Documents"),
        ("[1]", False, "invalid JSON document"),
        ("[" * 100_000, False, "invalid JSON document"),
        ("NaN", False, "invalid JSON document"),
        ('{"a":1e999}', False, "invalid JSON document"),
    ],
)
def test_unreadable_annotations_in_kubectls_words(text: str, custom: bool, message: str) -> None:
    with pytest.raises(MergeError, match=message):
        original_of(text, custom=custom)


def test_an_empty_annotation_is_not_a_missing_one() -> None:
    assert annotation_of({"metadata": {"annotations": {LAST_APPLIED: ""}}}) == ""
    assert annotation_of({"metadata": {"annotations": None}}) is None
