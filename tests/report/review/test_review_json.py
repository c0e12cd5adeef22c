import json
from dataclasses import replace

import pytest

from kubectl_applylint.core.values import Json
from kubectl_applylint.lint.model import Report
from kubectl_applylint.report.context import Context
from kubectl_applylint.report.facts.facts_json import facts_json
from kubectl_applylint.report.fix_blocks import FixBlock
from kubectl_applylint.report.review.review import review
from kubectl_applylint.report.review.review_json import ReviewFormatError, read_review, review_json
from tests.report.facts.test_facts_json import FACTS
from tests.report.samples import DOCUMENT, REJECTED, REPORT

PLAN = Context(command="plan")
HELD = review_json(review(Report(outcomes=((DOCUMENT, REJECTED),)), PLAN))
(UNIT,) = HELD["units"]
(PART,) = UNIT["parts"]


@pytest.mark.parametrize("command", ["check", "plan"])
def test_a_written_review_is_read(command: str) -> None:
    made = replace(review(REPORT, replace(PLAN, command=command)), facts=FACTS)
    report = {"review": review_json(made)} | facts_json(FACTS)

    assert read_review(json.loads(json.dumps(report)), made.time) == made


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ([], "not a report of check or plan"),
        ({"version": "json-v1", "command": "revert"}, "a report of revert cannot be made a comment"),
        ({"review": HELD | {"command": "plan -->\n\n@admin <!--"}}, "not a report of check or plan"),
        ({"review": HELD | {"command": "revert"}}, "not a report of check or plan"),
        ({"review": HELD | {"notes": [1]}}, "review: expected a string"),
        ({"review": HELD | {"units": ["a"]}}, "the review has an invalid unit"),
        ({"review": HELD | {"units": [UNIT | {"parts": [PART | {"objects": "1"}]}]}}, "the review has an invalid part"),
        ({"review": HELD | {"units": [UNIT | {"parts": [PART | {"objects": -1}]}]}}, "the review has an invalid part"),
        (
            {"review": HELD | {"units": [UNIT | {"parts": [PART | {"objects": 10**5000}]}]}},
            "the review has an invalid part",
        ),
        ({"review": HELD | {"units": [UNIT | {"parts": [PART | {"fixes": 1}]}]}}, "the review has an invalid fix"),
        ({"review": HELD, "images": [{"before": ""}]}, "the report has an invalid entry of images"),
    ],
)
def test_anything_else_is_rejected(value: Json, reason: str) -> None:
    with pytest.raises(ReviewFormatError, match=reason):
        read_review(value, "")


@pytest.mark.parametrize(("lines", "fixes"), [([], ()), (["kubectl get a"], (FixBlock("", ("kubectl get a",)),))])
def test_a_report_of_an_earlier_version_has_one_list_of_lines(lines: list[str], fixes: tuple[FixBlock, ...]) -> None:
    old = {name: value for name, value in PART.items() if name != "fixes"} | {"fix": lines}

    (unit,) = read_review({"review": HELD | {"units": [UNIT | {"parts": [old]}]}}, "").units
    assert unit.parts[0].fixes == fixes
