import pytest

from kubectl_applylint.core.state import LAST_APPLIED, Present
from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.lint.checks._selectors import accepts, after_apply, is_empty, selector_text
from tests.rules.stories import subject


@pytest.mark.parametrize(
    ("selector", "empty"),
    [
        (None, True),
        ({}, True),
        ({"matchLabels": {}, "matchExpressions": []}, True),
        ({"matchLabels": {"a": "b"}}, False),
        ({"a": "b"}, False),
    ],
    ids=repr,
)
def test_is_empty(selector: Json, empty: bool) -> None:
    assert is_empty(selector) is empty


def term(operator: str, *values: str) -> JsonObject:
    return {"matchExpressions": [{"key": "tier", "operator": operator, "values": list(values)}]}


@pytest.mark.parametrize(
    ("selector", "labels", "fits"),
    [
        ({"app": "web"}, {"app": "web", "x": "y"}, True),
        ({"app": "web"}, {"app": "api"}, False),
        ({"matchLabels": {"app": "web"}}, {"app": "web"}, True),
        ({"matchLabels": {"app": "web"}}, {}, False),
        (term("In", "a", "b"), {"tier": "b"}, True),
        (term("In", "a"), {}, False),
        (term("NotIn", "a"), {}, True),
        (term("NotIn", "a"), {"tier": "a"}, False),
        (term("Exists"), {"tier": ""}, True),
        (term("Exists"), {}, False),
        (term("DoesNotExist"), {}, True),
        (term("DoesNotExist"), {"tier": ""}, False),
        (term("Like", "a"), {}, True),
    ],
    ids=repr,
)
def test_accepts(selector: JsonObject, labels: JsonObject, fits: bool) -> None:
    assert accepts(selector, labels) is fits


@pytest.mark.parametrize(
    ("selector", "words"),
    [
        ({"b": "2", "a": "1"}, "a=1,b=2"),
        ({"matchLabels": {"a": "1"}, **term("In", "x", "y")}, "a=1,tier in (x,y)"),
        (term("NotIn", "x"), "tier notin (x)"),
        (term("DoesNotExist"), "!tier"),
        (term("Exists"), "tier"),
        (None, ""),
    ],
    ids=repr,
)
def test_text(selector: Json, words: str) -> None:
    assert selector_text(selector) == words


def test_made_is_the_manifest_where_kubectl_fails_before_it_sends_anything() -> None:
    manifest = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "web", "namespace": "shop"}}
    live = {**manifest, "metadata": {"name": "web", "annotations": {LAST_APPLIED: "{"}}}

    assert after_apply(subject(manifest, live=Present(live))) == manifest
