from dataclasses import replace

import pytest

from kubectl_applylint.location import Span
from kubectl_applylint.model import Report
from kubectl_applylint.outcome import Outcome, Verdict, Why, Write
from kubectl_applylint.paths import ByKey, Field, Index, Path, fields
from kubectl_applylint.report.literals import MASK, hidden, hide_in_change, literals, variables
from kubectl_applylint.report.masking import mask_report, mask_sources
from kubectl_applylint.state import LAST_APPLIED
from kubectl_applylint.values import MISSING, Json, JsonObject
from tests.report.samples import DOUBTFUL, FILE, FINDING, WEB, change, document

HELD = "correct-horse-battery"
SECRET: JsonObject = {"apiVersion": "v1", "kind": "Secret", "stringData": {"password": HELD, "user": "postgres"}}


def pod(*values: Json, image: str = "postgres:16") -> JsonObject:
    env = [{"name": f"V{number}", "value": value} for number, value in enumerate(values)]
    return {"apiVersion": "v1", "kind": "Pod", "spec": {"containers": [{"name": "c", "image": image, "env": env}]}}


@pytest.mark.parametrize(
    ("item", "found"),
    [
        (pod(HELD), {HELD}),
        (pod(f"https://web:{HELD}@db"), {HELD}),
        (pod("other", image=HELD), set()),
        (pod(7, None, {"odd": "value"}), set()),
    ],
    ids=["equal", "inside", "not a variable", "odd"],
)
def test_only_environment_variables_count(item: JsonObject, found: set[str]) -> None:
    assert literals([item], [HELD, "postgres"]) == found


def test_names_of_variables_are_looked_through_too() -> None:
    assert [text for _, text in variables(pod("a"))] == ["V0", "a"]


def test_the_longest_literal_is_masked_as_one() -> None:
    assert hidden("a secret-and-more b", frozenset({"secret", "secret-and-more"})) == f"a {MASK} b"


ENV: Path = (*fields("spec", "containers"), ByKey((("name", "c"),)), Field("env"))


@pytest.mark.parametrize(
    ("path", "value", "shown"),
    [
        ((*ENV, ByKey((("name", "V0"),)), Field("value")), HELD, MASK),
        (fields("spec"), pod(HELD)["spec"], pod(MASK)["spec"]),
        (fields("metadata", "annotations", LAST_APPLIED), f'{{"a":"{HELD}"}}', f'{{"a":"{MASK}"}}'),
        (fields("metadata", "labels", "a"), HELD, HELD),
        (fields("spec"), MISSING, MISSING),
    ],
    ids=["variable", "around it", "annotation", "elsewhere", "absent"],
)
def test_changes_are_masked_where_variables_stand(path: Path, value: Json, shown: Json) -> None:
    masked = hide_in_change(change(path, value, MISSING, Why.SET), frozenset({HELD}))

    assert masked.before == shown


def test_a_report_repeats_no_literal_of_another_object() -> None:
    manifest, patch = pod(HELD), {"spec": pod(HELD)["spec"]}
    outcome = Outcome(
        WEB,
        Verdict.REJECTED,
        result=manifest,
        intended=manifest,
        requests=(Write("PATCH", "application/merge-patch+json", patch),),
        error=f"it says {HELD}",
        warnings=(f"beware of {HELD}",),
    )
    finding = replace(DOUBTFUL, ref=WEB, message=f"{HELD} goes", fix=f"echo {HELD}")
    report = Report(findings=(finding,), outcomes=((document(WEB, manifest), outcome),))

    assert HELD not in repr(replace(mask_report(report, [SECRET, manifest]), outcomes=()))
    assert HELD not in repr(mask_report(report, [SECRET, manifest]).outcomes[0][1])
    assert mask_report(report, [manifest]) == report


def test_a_name_that_a_secret_holds_does_not_hide_images() -> None:
    finding = replace(FINDING, message="postgres:16 becomes postgres:17")

    assert mask_report(Report(findings=(finding,)), [SECRET, pod("a")]).findings == (finding,)


def test_excerpts_end_where_a_literal_begins() -> None:
    item = {"env": [{"name": "V0", "value": HELD}]}
    places: dict[Path, Span] = {(Field("env"), Index(0), Field("value")): Span(3, 10, 3, 31)}
    lines = ("env:", "- name: V0", f"  value: {HELD}")

    shown = mask_sources({FILE: lines}, [document(WEB, item, places)], frozenset({HELD}))

    assert shown == {FILE: ("env:", "- name: V0", f"  value: {MASK}")}
