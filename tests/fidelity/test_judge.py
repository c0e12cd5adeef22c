"""Each figure on small stories: when it is right, when it is wrong, and when it does not apply."""

import json

import pytest

from kubectl_applylint.core.state import LAST_APPLIED
from kubectl_applylint.core.values import Json
from tests.fidelity.judge import differences, judge, owners, verdict
from tests.fidelity.recording import Story, stories

MERGE = "application/merge-patch+json"
CASE: dict[str, Json] = {
    "id": "t-1",
    "mode": "client",
    "base": "ConfigMap/settings",
    "edits": [],
    "writers": [],
    "args": ["apply", "-f", "-"],
    "manifest": {},
    "live": {},
    "exit": 0,
    "stdout": "configmap/settings configured\n",
    "stderr": "",
    "requests": [{"method": "PATCH", "contentType": MERGE, "body": '{"data":{"a":"2"}}', "status": 200}],
    "after": {"data": {"a": "2"}, "metadata": {"name": "settings", "uid": "u", "managedFields": [{"manager": "m"}]}},
}
RIGHT: dict[str, Json] = {
    "verdict": "configured",
    "requests": [{"method": "PATCH", "contentType": MERGE, "body": {"data": {"a": "2"}}}],
    "result": {
        "data": {"a": "2"},
        "metadata": {"name": "settings", "managedFields": [{"manager": "m", "time": "now"}]},
    },
    "causes": [],
}
DETAILS = {"details": {"causes": [{"field": "data.a"}, {"field": "data.b"}]}}
REFUSED: dict[str, Json] = {
    "exit": 1,
    "stdout": "",
    "requests": [{"method": "PATCH", "contentType": MERGE, "body": "{}", "status": 422, "error": DETAILS}],
}
REJECTED: dict[str, Json] = {"verdict": "rejected", "causes": [{"field": "data.b"}, {"field": "data.a"}]}


def story_of(**changes: Json) -> Story:
    (story,) = stories({**CASE, **changes})
    return story


def wrong(story: Story, predicted: dict[str, Json]) -> list[str]:
    return [metric for metric, judgement in judge(story, predicted).items() if not judgement.right]


def test_a_right_prediction_is_right_in_every_figure_that_applies() -> None:
    figures = judge(story_of(), RIGHT)

    assert list(figures) == ["accept", "verdict", "writes", "patch", "result", "ownersclient"]
    assert all(figure.right for figure in figures.values())


def test_owners_of_a_server_side_apply_are_counted_apart() -> None:
    assert "owners" in judge(story_of(args=["apply", "--server-side"]), RIGHT)


@pytest.mark.parametrize(
    ("change", "metrics"),
    [
        ({"verdict": "unchanged"}, ["verdict"]),
        ({"verdict": "conflict"}, ["accept", "verdict"]),
        ({"requests": []}, ["writes", "patch"]),
        ({"requests": [{"method": "PUT", "contentType": MERGE, "body": {"data": {"a": "2"}}}]}, ["writes"]),
        ({"requests": [{"method": "PATCH", "contentType": MERGE, "body": {}}]}, ["patch"]),
        ({"result": None}, ["result"]),
        ({"result": {**RIGHT["result"], "data": {}}}, ["result"]),
        ({"result": {**RIGHT["result"], "metadata": {"name": "settings"}}}, ["ownersclient"]),
    ],
    ids=["verdict", "refused", "no write", "method", "body", "no result", "result", "owners"],
)
def test_a_wrong_prediction_is_wrong_where_it_differs(change: dict[str, Json], metrics: list[str]) -> None:
    assert wrong(story_of(), {**RIGHT, **change}) == metrics


def test_a_rejection_is_judged_by_its_fields() -> None:
    assert wrong(story_of(**REFUSED), REJECTED) == ["patch"]
    assert wrong(story_of(**REFUSED), {**REJECTED, "causes": [{"field": "data"}]}) == ["patch", "causes"]
    assert "causes" not in judge(story_of(**{**REFUSED, "requests": []}), REJECTED)


@pytest.mark.parametrize(
    ("changes", "word"),
    [
        ({}, "configured"),
        ({"stdout": "x serverside-applied\n"}, "serverside-applied"),
        ({"exit": 1}, "rejected"),
        (REFUSED, "rejected"),
        ({**REFUSED, "requests": [{**REFUSED["requests"][0], "status": 409}]}, "conflict"),
        ({**REFUSED, "requests": [CASE["requests"][0], {**REFUSED["requests"][0], "status": 409}]}, "rejected"),
    ],
    ids=["configured", "applied", "failed late", "refused", "conflict", "conflict of a second write"],
)
def test_the_verdict_is_read_from_what_happened(changes: dict[str, Json], word: str) -> None:
    assert verdict(story_of(**changes)) == word


def test_a_write_tried_again_counts_once() -> None:
    assert wrong(story_of(requests=CASE["requests"] * 2), RIGHT) == []


def test_the_last_applied_annotation_is_compared_as_json() -> None:
    def body(text: str) -> dict[str, Json]:
        return {"metadata": {"annotations": {LAST_APPLIED: text}}}

    sent = {**CASE["requests"][0], "body": json.dumps(body('{"a":1,"b":2}'))}
    same = {**RIGHT, "requests": [{**RIGHT["requests"][0], "body": body('{"b": 2, "a": 1}\n')}]}
    other = {**RIGHT, "requests": [{**RIGHT["requests"][0], "body": body("{}")}]}

    assert wrong(story_of(requests=[sent]), same) == []
    assert wrong(story_of(requests=[sent]), other) == ["patch"]


UNKNOWN = {"$unknown": "allocated by the server"}


@pytest.mark.parametrize(
    ("wanted", "got", "found"),
    [
        ({"a": [1, {"b": 2}]}, {"a": [1, {"b": 2}]}, []),
        ({"a": 1}, {"a": 1.0}, [(".a", 1, 1.0)]),
        ({"a": 1}, {}, [(".a", 1, "<absent>")]),
        ({}, {"a": None}, [(".a", "<absent>", None)]),
        ({"a": [1, 2]}, {"a": [1, 3]}, [(".a[1]", 2, 3)]),
        ({"a": [1, 2]}, {"a": [1]}, [(".a", [1, 2], [1])]),
        ({"clusterIP": "10.0.0.1"}, {"clusterIP": UNKNOWN}, []),
        ({}, {"clusterIP": UNKNOWN}, []),
        ({"clusterIP": "10.0.0.1"}, {}, [(".clusterIP", "10.0.0.1", "<absent>")]),
        ({"type": "x"}, {"type": UNKNOWN}, [(".type", "x", UNKNOWN)]),
    ],
    ids=[
        "same",
        "integer and float",
        "absent",
        "surplus",
        "element",
        "length",
        "unknowable",
        "unknowable surplus",
        "unknowable absent",
        "unknown but knowable",
    ],
)
def test_differences_are_leaves(wanted: Json, got: Json, found: list[Json]) -> None:
    assert differences(wanted, got) == found


STATUS = {"manager": "kube-apiserver", "operation": "Update", "subresource": "status"}


@pytest.mark.parametrize(
    ("before", "is_right"),
    [pytest.param([], True, id="in the meantime"), pytest.param([STATUS], False, id="before")],
)
def test_concurrent_writes_of_controllers_do_not_count(before: Json, is_right: bool) -> None:
    live, after = ({"data": {}, "metadata": {"managedFields": entries}} for entries in (before, [STATUS]))
    judged = judge(story_of(live=live, after=after), {**RIGHT, "result": {"data": {}}})

    assert judged["ownersclient"].right is is_right


def test_owners_do_not_depend_on_time_or_order() -> None:
    first, second = {"manager": "a", "time": "1"}, {"manager": "b"}

    assert owners({"metadata": {"managedFields": [first, second]}}) == ['{"manager": "a"}', '{"manager": "b"}']
    assert owners({"metadata": {"managedFields": [second, {"manager": "a"}]}}) == owners(
        {"metadata": {"managedFields": [first, second]}}
    )
