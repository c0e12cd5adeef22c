from dataclasses import replace

import pytest

from kubectl_applylint.core.outcome import Change, Outcome, Verdict, Why
from kubectl_applylint.core.paths import ByKey, ByValue, Field, fields
from kubectl_applylint.core.values import MISSING, Json, JsonObject
from kubectl_applylint.report.facts.sides import object_sides
from tests.report.samples import CONFIGURED, DOCUMENT, MANIFEST, REJECTED, WEB, change

WEB_CONTAINER = ByKey((("name", "web"),))


@pytest.mark.parametrize(
    ("after", "changes", "before"),
    [
        ({"a": 1, "b": 2}, [change(fields("a"), 0, 1, Why.SET)], {"a": 0, "b": 2}),
        ({"b": 2}, [change(fields("a"), 0, MISSING, Why.DELETED)], {"b": 2, "a": 0}),
        ({"a": 1, "b": 2}, [change(fields("a"), MISSING, 1, Why.SET)], {"b": 2}),
        ({"a": {"b": {"c": 1}}, "d": 2}, [change(fields("a", "b", "c"), MISSING, 1, Why.SET)], {"d": 2}),
        ({"d": 2}, [change(fields("a", "b", "c"), 1, MISSING, Why.DELETED)], {"a": {"b": {"c": 1}}, "d": 2}),
        ({"a": 1}, [change(fields("a"), 1, 1, Why.KEPT)], {"a": 1}),
        (
            {"list": [{"name": "web", "image": "web:2"}, {"name": "log"}]},
            [change((Field("list"), WEB_CONTAINER, Field("image")), "web:1", "web:2", Why.SET)],
            {"list": [{"name": "web", "image": "web:1"}, {"name": "log"}]},
        ),
        (
            {"list": [{"name": "log"}]},
            [change((Field("list"), WEB_CONTAINER), {"name": "web"}, MISSING, Why.DELETED)],
            {"list": [{"name": "log"}, {"name": "web"}]},
        ),
        (
            {"list": [{"name": "log"}, {"name": "web"}]},
            [change((Field("list"), WEB_CONTAINER, Field("name")), MISSING, "web", Why.MERGED)],
            {"list": [{"name": "log"}]},
        ),
        (
            {"set": ["a", "b"]},
            [
                change((Field("set"), ByValue("b")), MISSING, "b", Why.SET),
                change((Field("set"), ByValue("c")), "c", MISSING, Why.DELETED),
            ],
            {"set": ["a", "c"]},
        ),
        ({"kept": 1}, [change(fields("list"), [1], MISSING, Why.DELETED)], {"kept": 1, "list": [1]}),
    ],
)
def test_the_earlier_object_has_the_changes_undone(after: JsonObject, changes: list[Change], before: Json) -> None:
    sides = object_sides(DOCUMENT, replace(CONFIGURED, result=after, changes=changes))

    assert sides == (before, after)


def test_masked_values_stand_on_both_sides() -> None:
    masked = replace(
        CONFIGURED, result={"data": {"a": "***"}}, changes=[change(fields("data", "a"), "(1)", "(2)", Why.SET)]
    )

    assert object_sides(DOCUMENT, masked) == ({"data": {"a": "(1)"}}, {"data": {"a": "(2)"}})


def test_an_object_that_does_not_exist_on_a_side_has_none() -> None:
    assert object_sides(DOCUMENT, Outcome(WEB, Verdict.CREATED, result=MANIFEST)) == (None, MANIFEST)
    assert object_sides(DOCUMENT, Outcome(WEB, Verdict.PRUNED)) == (MANIFEST, None)
    assert object_sides(DOCUMENT, Outcome(WEB, Verdict.MAY_BE_REMOVED)) == (None, None)
    assert object_sides(DOCUMENT, Outcome(WEB, Verdict.KEPT, result=MANIFEST)) == (MANIFEST, MANIFEST)


def test_a_rejected_object_is_what_it_would_have_been() -> None:
    rejected = replace(REJECTED, intended={"a": 2}, changes=[change(fields("a"), 1, 2, Why.SET)])

    assert object_sides(DOCUMENT, rejected) == ({"a": 1}, {"a": 2})
