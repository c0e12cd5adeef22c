"""Each rule that edits manifests has a bad case in which the edit is proven, and the edited manifest passes."""

from pathlib import Path

import pytest

from kubectl_applylint.core.state import Absent
from kubectl_applylint.engine.cluster_model import ClusterModel
from kubectl_applylint.engine.set_apply import apply_set
from kubectl_applylint.lint.model import Report, Rule
from kubectl_applylint.lint.run import lint
from kubectl_applylint.run.edits.proofs import prove_fixes
from kubectl_applylint.run.load.prediction import predictor
from kubectl_applylint.run.load.run_input import RunInput
from kubectl_applylint.sources.text.manifests import read_text
from tests.cases.cases import Case
from tests.cases.tool_cases import case_files
from tests.rules.stories import flags_of, input_of_case, subject_in_file
from tests.rules.test_cases import BOOK, read
from tests.sources.text.patching import patch_text

EDITING = [rule for rule in BOOK.rules if rule.edit]


def run_of(case: Case) -> RunInput:
    """Return the run that a case is about."""
    if case.base:
        return input_of_case(case)
    found = subject_in_file(case, "web.yaml")
    cluster = ClusterModel({found.ref.identity: case.live}, Absent())
    predict = predictor(found.schema, flags_of(case))
    whole = apply_set([found.document], cluster, schema=found.schema, predict=predict)
    return RunInput(subjects=(found,), texts={"web.yaml": case.manifest}, whole=whole)


def report_of(rule: Rule, file: Path) -> Report:
    return lint(run_of(read(rule, file)).subjects, [rule])


def bad_files(rule: Rule) -> list[Path]:
    return [file for file in case_files(rule.folder) if file.name.startswith("bad-")]


@pytest.mark.parametrize("rule", EDITING, ids=lambda rule: rule.id)
def test_an_edit_is_proven_in_a_bad_case(rule: Rule) -> None:
    runs = [(run_of(read(rule, file)), report_of(rule, file)) for file in bad_files(rule)]
    reports = [(run, prove_fixes(run, report, BOOK.rules)) for run, report in runs]
    edited = [(run, finding) for run, report in reports for finding in report.findings if finding.edits]

    assert edited
    for run, finding in edited:
        text = run.texts[finding.location.file]
        after = read_text(patch_text(text, finding.edits), finding.location.file)
        assert after.problems == ()
        assert patch_text(text, finding.edits) != text
        assert finding.proof is not None
