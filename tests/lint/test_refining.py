from dataclasses import replace

import pytest

from kubectl_applylint.core.paths import parse
from kubectl_applylint.lint.model import Finding, Rule, Skip
from kubectl_applylint.lint.refining import drop_refined
from tests.report.samples import FINDING, RULE

GENERAL = replace(RULE, id="general")
SPECIFIC = replace(RULE, id="specific", refines=("general",))
MOST_SPECIFIC = replace(RULE, id="most-specific", refines=("specific",))


def finding_at(rule: Rule, path: str) -> tuple[Rule, Finding]:
    return rule, replace(FINDING, rule=rule.id, path=parse(path))


@pytest.mark.parametrize(
    ("results", "kept"),
    [
        ([(GENERAL, "a.b")], ["general"]),
        ([(GENERAL, "a.b"), (SPECIFIC, "a.b")], ["specific"]),
        ([(SPECIFIC, "a.b"), (GENERAL, "a.b")], ["specific"]),
        ([(GENERAL, "a.b"), (SPECIFIC, "a.c")], ["general", "specific"]),
        ([(GENERAL, "a.b"), (SPECIFIC, "a.b"), (MOST_SPECIFIC, "a.b")], ["most-specific"]),
        ([(GENERAL, "a.b"), (MOST_SPECIFIC, "a.b")], ["general", "most-specific"]),
    ],
    ids=["alone", "same path", "whatever the order", "other path", "chain", "one link missing"],
)
def test_a_general_rule_keeps_silent(results: list[tuple[Rule, str]], kept: list[str]) -> None:
    assert [rule.id for rule, _ in drop_refined(finding_at(*result) for result in results)] == kept


def test_skips_are_not_dropped() -> None:
    skip = Skip(("general",), FINDING.ref, "unknown")

    assert drop_refined([(GENERAL, skip), finding_at(SPECIFIC, "a")]) == [(GENERAL, skip), finding_at(SPECIFIC, "a")]
