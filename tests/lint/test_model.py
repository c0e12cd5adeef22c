"""Properties of rules, findings and reports."""

from dataclasses import replace

import pytest

from kubectl_applylint.core.documents import Document, InCluster
from kubectl_applylint.core.outcome import FieldError, Outcome, Verdict
from kubectl_applylint.core.state import ref_of
from kubectl_applylint.engine.errors import ErrorText
from kubectl_applylint.lint.model import Need, Report, Rule, Severity, Subject
from kubectl_applylint.lint.unit_report import UnitReport
from tests.stories import MANIFEST, subject_of


def rule(
    *,
    needs: tuple[Need, ...] = (Need.MANIFEST,),
    errors: tuple[ErrorText, ...] = (),
    appliers: tuple[str, ...] = (),
    translations: dict[str, dict[str, str]] | None = None,
    check: str = "",
) -> Rule:
    return Rule(
        id="a-b",
        summary="s",
        severity=Severity.INFO,
        confidence="high",
        since="",
        needs=needs,
        kinds=(),
        appliers=appliers,
        check=check,
        params={},
        message="m",
        why="w",
        fix="f",
        see=(),
        hazards=(),
        folder="",
        errors=errors,
        translations=translations or {},
    )


def test_errors_weigh_most() -> None:
    assert sorted(["info", "error", "warning"], key=lambda name: Severity(name).rank) == ["error", "warning", "info"]
    assert Severity.ERROR.rank == 0


def test_words_that_are_not_translated_stay_english() -> None:
    found = rule(translations={"ja": {"message": "メ", "fix": "フ"}})

    words = found.in_language("ja")
    assert (words.message, words.fix, words.why) == ("メ", "フ", "w")
    assert found.in_language("de") == found


@pytest.mark.parametrize(
    ("appliers", "command"),
    [
        ((), "kubectl apply"),
        (("kubectl-server",), "kubectl apply --server-side"),
        (("kubectl-client", "kubectl-server"), "kubectl apply"),
        (("metacontroller",), "kubectl apply"),
    ],
)
def test_the_apply_that_a_rule_is_about(appliers: tuple[str, ...], command: str) -> None:
    assert rule(appliers=appliers).apply == command


def test_rules_about_one_error_explain_before_those_about_any() -> None:
    special = rule(errors=(ErrorText(field="spec"),))
    many, last = rule(), rule(needs=(Need.LIVE, Need.UNEXPLAINED), errors=(ErrorText(field="spec"),))

    assert sorted([last, many, special], key=lambda each: each.order) == [special, many, last]


def test_a_subject_is_named_as_its_document() -> None:
    subject = subject_of(MANIFEST, None)

    assert (subject.manifest, subject.ref) == (MANIFEST, ref_of(MANIFEST))


def test_outcomes_of_a_report_belong_to_its_units_in_order() -> None:
    outcomes = tuple(
        (Document("x", place, {}, ref_of({}), InCluster()), Outcome(ref_of({}), Verdict.CREATED)) for place in range(3)
    )
    units = tuple(
        UnitReport(name, "folder", "kubectl", applies=count) for name, count in (("a", 1), ("b", 0), ("c", 2))
    )

    assert Report(outcomes=outcomes, units=units).by_unit == [
        (units[0], outcomes[:1]),
        (units[1], ()),
        (units[2], outcomes[1:]),
    ]
    assert Report(outcomes=outcomes).by_unit == []


def test_shared_results_of_rules_are_computed_once_for_one_outcome() -> None:
    asked: list[Subject] = []

    def work(subject: Subject) -> int:
        asked.append(subject)
        return len(asked)

    subject = subject_of(MANIFEST, MANIFEST)
    explained = replace(subject, explained=(FieldError("", "", "why"),))
    other = replace(subject, predict=lambda scenario: subject.predict(scenario))

    assert [subject.once(work), explained.once(work), other.once(work), subject.once(work)] == [1, 1, 2, 1]
