"""Behavior of a real server where the documents say something else, or contradict each other."""

from pathlib import Path

import pytest

from kubectl_applylint.core.state import Present
from kubectl_applylint.lint.model import Scenario
from tests.cases.cases import read_case
from tests.cluster.normal import differing
from tests.rules.stories import subject_of
from tests.rules.test_cases import as_recorded

CASES = sorted((Path(__file__).parent / "recorded").glob("*.yaml"))


@pytest.mark.parametrize("file", CASES, ids=lambda file: file.stem)
def test_recorded_applies_are_predicted(file: Path) -> None:
    case = read_case(file.read_text(encoding="utf-8"), file=str(file), rule="")
    outcome = subject_of(case).predict(Scenario.APPLY)

    assert case.verified is not None
    assert outcome.verdict is case.verdict
    if isinstance(case.after, Present):
        assert outcome.result is not None
        assert differing(as_recorded(outcome.result), case.after.object) == []
