"""Every known hazard is held by something, and nothing is said of it that another place contradicts."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

import pytest

from kubectl_applylint.lint.model import Rule
from kubectl_applylint.rulebook import rulebook
from kubectl_applylint.rulebook.catalogue import Catalogue, Coverage, CoverageKind, catalogue, coverage
from tests.report.samples import RULE

TITLES = {name: f"hazard {name}" for name in ("A1", "A2", "A3", "A4")}
KNOWN = Catalogue(
    titles=TITLES,
    predicted={"A1": "in plan", "A2": "in plan"},
    hidden={"A3": "it cannot be seen"},
    issues={"A2": ["a/b#1", "a/b#2"]},
)
FULL = Catalogue(titles={"A1": "a", "A2": "b"}, predicted={"A2": "in plan"}, hidden={})


def faults(rules: Iterable[Rule], known: Catalogue) -> Iterator[str]:
    """Yield where the rules and the catalogue contradict each other, and each hazard that is not covered."""
    named = {hazard for rule in rules for hazard in rule.hazards}
    held = named | known.predicted.keys() | known.hidden.keys()
    for hazard in sorted((held | known.issues.keys()) - known.titles.keys()):
        yield f"{hazard} is not in the catalogue"
    for hazard in known.titles:
        if hazard in named and hazard in known.hidden:
            yield f"{hazard} is covered by a rule and marked as not visible"
        if hazard in known.predicted and hazard in known.hidden:
            yield f"{hazard} is predicted and marked as not visible"
        if hazard not in held:
            yield f"{hazard} is not covered"


def naming(*hazards: str) -> Rule:
    return replace(RULE, hazards=hazards)


def test_the_catalogue_is_complete() -> None:
    assert list(faults(rulebook.built_in().rules, catalogue())) == []


def test_the_catalogue_has_every_hazard_once_in_order() -> None:
    ids = [(hazard[0], int(hazard[1:])) for hazard in catalogue().titles]

    assert ids == sorted(set(ids))
    assert len(ids) == 168


def test_a_rule_counts_first_then_what_is_predicted() -> None:
    assert coverage([naming("A1")], KNOWN) == (
        Coverage("A1", "hazard A1", CoverageKind.RULE, rules=(RULE.id,)),
        Coverage("A2", "hazard A2", CoverageKind.PREDICTED, words="in plan", issues=("a/b#1", "a/b#2")),
        Coverage("A3", "hazard A3", CoverageKind.HIDDEN, words="it cannot be seen"),
        Coverage("A4", "hazard A4", CoverageKind.NOTHING),
    )


@pytest.mark.parametrize(
    ("rule", "known", "fault"),
    [
        pytest.param(naming("A1"), FULL, "", id="whole"),
        pytest.param(naming("A1", "A2"), FULL, "", id="predicted and a rule"),
        pytest.param(naming("A1", "B1"), FULL, "B1 is not in the catalogue", id="unknown"),
        pytest.param(naming("A1"), replace(FULL, issues={"B2": []}), "B2 is not in the catalogue", id="issue"),
        pytest.param(naming(), FULL, "A1 is not covered", id="nothing"),
        pytest.param(
            naming("A1"),
            replace(FULL, hidden={"A1": "x"}),
            "A1 is covered by a rule and marked as not visible",
            id="both",
        ),
        pytest.param(
            naming("A1"), replace(FULL, hidden={"A2": "x"}), "A2 is predicted and marked as not visible", id="twice"
        ),
    ],
)
def test_contradictions_are_named(rule: Rule, known: Catalogue, fault: str) -> None:
    assert list(faults([rule], known)) == ([fault] if fault else [])
