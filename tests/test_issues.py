"""``docs/issues.md`` has the issues of the catalogue, with what covers their hazards."""

import re
from pathlib import Path
from typing import Final

from kubectl_applylint.rulebook import rulebook
from kubectl_applylint.rulebook.catalogue import CoverageKind, catalogue, coverage

PAGE = Path(__file__).parent.parent / "docs" / "issues.md"
ROW: Final = re.compile(r"\| \[(\S+)#(\d+)\]\(https://github\.com/(\S+)/issues/(\d+)\) \| (.+) \| (\w+) \| (.+) \|")
ROWS = [ROW.fullmatch(line) for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| [")]
RULES = rulebook.built_in().rules
HELD = {each.hazard: each for each in coverage(RULES, catalogue())}


def test_every_row_has_an_issue_with_its_address() -> None:
    assert [row for row in ROWS if row is None or row.group(1, 2) != row.group(3, 4)] == []


def test_the_page_has_the_issues_of_the_catalogue() -> None:
    listed = [(row.group(6), f"{row.group(1)}#{row.group(2)}") for row in ROWS if row]

    assert sorted(listed) == sorted((hazard, issue) for hazard, each in HELD.items() for issue in each.issues)
    assert len({issue for _, issue in listed}) == len(listed)


def test_rules_that_cover_an_issue_cover_its_hazard() -> None:
    words = {CoverageKind.PREDICTED: "predicted", CoverageKind.HIDDEN: "not visible"}
    for row in filter(None, ROWS):
        held, text = HELD[row.group(6)], row.group(7)
        named = re.findall(r"`([a-z0-9-]+)`", text)

        assert set(named) <= set(held.rules)
        assert named if held.held is CoverageKind.RULE else text == f"{words[held.held]}: {held.words}"
