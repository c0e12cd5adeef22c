"""A rejection is always reported, and each of its causes once."""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest

from kubectl_applylint.core.state import Absent, Present
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.lint.model import Rule, Scenario, Severity
from kubectl_applylint.lint.run import lint
from kubectl_applylint.rulebook import rulebook
from tests.cases.cases import read_case
from tests.cases.tool_cases import case_files
from tests.fidelity.recording import Story, open_recording
from tests.rules.stories import subject, subject_of

RECORDING = Path(__file__).parent.parent / "fidelity" / "recorded-1.36.jsonl.gz"
RULES = rulebook.built_in().rules
REFUSED = [
    pytest.param(rule, file, id=f"{rule.id}/{file.stem}")
    for rule in RULES
    for file in case_files(rule.folder)
    if rule.id.endswith("-rejected") and rule.id != "apply-rejected"
]


@pytest.mark.parametrize(("rule", "file"), REFUSED)
def test_a_rejection_that_a_rule_explains_is_reported_by_no_other(rule: Rule, file: Path) -> None:
    case = read_case(file.read_text(), file=str(file), rule=rule.id)
    wanted = {rule.id, *(expected.rule for expected in case.findings)}

    findings = lint([subject_of(case)], RULES).findings

    assert {f.rule for f in findings if f.rule.endswith("-rejected")} <= wanted


def refused_stories() -> Iterator[tuple[Story, tuple[JsonObject, ...]]]:
    with open_recording(RECORDING) as (head, stories):
        yield from ((story, head.crds) for story in stories if not story.accepted and not story.server_side)


@pytest.mark.slow
def test_every_rejection_that_was_recorded_is_found() -> None:
    """Every seventh of them, each predicted and linted as the whole run would."""
    silent = []
    for story, crds in islice(refused_stories(), 0, None, 7):
        live = Absent() if story.live is None else Present(story.live)
        examined = subject(story.manifest, live=live, crds=crds)
        findings = lint([examined], RULES).findings
        if examined.predict(Scenario.APPLY).refused and all(f.severity is not Severity.ERROR for f in findings):
            silent.append(story.id)

    assert silent == []
