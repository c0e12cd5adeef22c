"""Every case of another applier than kubectl comes out as it says, and the prediction as the real program did."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from kubectl_applylint.core.outcome import Outcome, Verdict, plain
from kubectl_applylint.core.paths import render
from kubectl_applylint.core.state import ref_of
from kubectl_applylint.core.values import JsonObject, mapping
from kubectl_applylint.engine.set_refusals import is_lost
from kubectl_applylint.lint.model import Finding, Rule, Scenario, Subject
from kubectl_applylint.lint.run import lint
from kubectl_applylint.rulebook import rulebook
from kubectl_applylint.run.load.run_input import RunInput
from kubectl_applylint.tools.argocd.options import is_hook
from tests.cases.tool_cases import ToolCase, case_files, read_tool_case
from tests.fidelity.judge import authored_part, differences
from tests.rules.tool_stories import run_of, subjects_of
from tests.tree import ROOT

RULES = {rule.id: rule for rule in rulebook.built_in().rules}
_APP = re.compile("1700000000000000000|drawn-at-the-first-deploy")
"""The label that kapp draws, as recordings and predictions have it."""
_WORDS = {
    Verdict.CREATED: {"created"},
    Verdict.CONFIGURED: {"changed", "recreated"},
    Verdict.SERVERSIDE_APPLIED: {"changed", "same", "created"},
    Verdict.UNCHANGED: {"same"},
    Verdict.PRUNED: {"deleted"},
    Verdict.KEPT: {"same", "changed"},
}
"""The fate of an object by its predicted verdict."""


@cache
def case_of(file: Path) -> ToolCase:
    return read_tool_case(file.read_text(encoding="utf-8"), file=str(file), rule=file.parent.parent.name)


def cases() -> Iterator[object]:
    for rule in RULES.values():
        for file in case_files(rule.folder, of_tools=True):
            yield pytest.param(rule, case_of(file), id=f"{rule.id}/{file.stem}")


CASES = list(cases())
STORIES = [
    pytest.param(None, case_of(file), id=f"{file.parent.name}/{file.stem}")
    for file in sorted((ROOT / "tests" / "stories").glob("*/*.yaml"))
]
"""Stories that the pages about the programs link to, besides cases of rules."""


def read_subjects(case: ToolCase, folder: Path) -> tuple[RunInput, tuple[Subject, ...]]:
    found = run_of(case, folder)
    return found, subjects_of(case, found)


@pytest.mark.parametrize(("rule", "case"), CASES)
def test_a_case_finds_what_it_expects(rule: Rule, case: ToolCase, tmp_path: Path) -> None:
    wanted = {rule.id, *(expected.finding.rule for expected in case.findings)}
    special = [other for other in RULES.values() if other.id not in wanted and wanted.intersection(other.refines)]
    found, subjects = read_subjects(case, tmp_path)

    report = lint(subjects, [RULES[name] for name in sorted(wanted)], silent=special)

    assert [problem.message for problem in (*found.problems, *report.problems)] == []
    assert [skip for skip in report.skips if rule.id in skip.rules] == []
    places = sorted((finding.rule, render(finding.path)) for finding in report.findings)
    assert places == sorted((expected.finding.rule, expected.finding.path) for expected in case.findings)
    for expected in case.findings:
        assert any(is_reported(finding, expected.finding.message, expected.object) for finding in report.findings)


def is_reported(finding: Finding, message: str, name: str) -> bool:
    return message in finding.message and name in ("", str(finding.ref))


@pytest.mark.parametrize(("rule", "case"), [*CASES, *STORIES])
def test_a_case_is_predicted_as_the_program_did(rule: Rule | None, case: ToolCase, tmp_path: Path) -> None:
    record = case.record
    assert record is not None
    _, subjects = read_subjects(case, tmp_path)
    predictions = [(str(one.ref), one.predict(Scenario.APPLY)) for one in subjects if not is_installed_once(case, one)]
    outcomes = dict(reversed(predictions))  # of an object that is there twice, the first counts

    assert any(outcome.refused for _, outcome in predictions) is record.failed
    for name, word in record.became.items():
        assert name not in outcomes or word in words(outcomes[name])
    predicted = {name: outcome.result for name, outcome in outcomes.items() if outcome.verdict is not Verdict.KEPT}
    for item in record.after:
        result = predicted.get(str(ref_of(item)))
        assert result is None or differences(without_labels(item), without_labels(mapping(plain(result)))) == []


def is_installed_once(case: ToolCase, subject: Subject) -> bool:
    """Return whether Helm leaves an object of ``crds`` alone, which is predicted as if it were applied."""
    return case.applier.startswith("helm") and subject.ref.kind == "CustomResourceDefinition"


def words(outcome: Outcome) -> set[str]:
    if outcome.refused:
        return {"deleted"} if is_lost(outcome) else {"same", "changed"}
    if outcome.verdict is Verdict.UNCHANGED and outcome.result is not None and is_hook(mapping(plain(outcome.result))):
        return {"same", "recreated"}
    return _WORDS.get(outcome.verdict, {"same"})


def without_labels(item: JsonObject) -> JsonObject:
    """Return an object without the fields that the server fills in, with one label for all apps of kapp."""

    def without_filled_fields(value: object) -> object:
        if isinstance(value, dict):
            return {key: without_filled_fields(one) for key, one in value.items()}
        if isinstance(value, list):
            return [without_filled_fields(one) for one in value]
        return _APP.sub("app", value) if isinstance(value, str) else value

    found = without_filled_fields(authored_part(item))
    assert isinstance(found, dict)
    return found


@pytest.mark.parametrize(
    ("rule", "case"),
    [one for one in CASES if one.values[0].id.endswith("-rejected")],  # type: ignore[attr-defined]
)
def test_rules_about_rejections_have_failed_runs(rule: Rule, case: ToolCase) -> None:
    assert case.record is not None
    assert case.record.failed is bool(case.findings)


def test_the_object_at_which_a_program_stops_is_reported() -> None:
    """The other objects of the set are rejected, too, which is no finding of each."""
    case = case_of(Path(RULES["flux-failure-holds-back-stage"].folder, "cases", "bad-selector.yaml"))

    findings = lint(subjects_of(case, run_of(case, Path())), list(RULES.values())).findings

    assert {(finding.rule, str(finding.ref)) for finding in findings} == {
        ("flux-failure-holds-back-stage", "deployment.apps/web"),
        ("selector-change-rejected", "deployment.apps/web"),
    }
