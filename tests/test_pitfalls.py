"""``docs/pitfalls.md`` names rules, tests and recordings that are there, and leaves out no test of the documents."""

import ast
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from kubectl_applylint.rulebook import rulebook
from kubectl_applylint.rulebook.catalogue import CoverageKind, catalogue, coverage
from tests.cases.cases import read_case

TESTS = Path(__file__).parent
PAGE = TESTS.parent / "docs" / "pitfalls.md"
RULES = {rule.id: rule for rule in rulebook.built_in().rules}
HELD = {each.hazard: each.held for each in coverage(tuple(RULES.values()), catalogue())}
BOOK = "Field merge semantics (The Kubectl Book)"
WORDS = {"summary", "message", "why", "fix"}
TODAY = ("as written", "**out of date**", "**wrong**", "**not so**")


@dataclass(frozen=True, slots=True)
class Entry:
    """One row of the page; ``names`` are the words in backticks of who holds it, and of what is so today."""

    document: str
    where: str
    words: str
    hazards: tuple[str, ...]
    names: tuple[str, ...]
    today: str

    @property
    def rules(self) -> tuple[str, ...]:
        return tuple(name for name in self.names if "::" not in name)

    @property
    def tests(self) -> tuple[str, ...]:
        return tuple(name for name in (*self.names, *quoted_names(self.today)) if "::" in name)


def quoted_names(text: str) -> list[str]:
    return re.findall(r"`([^`]+)`", text)


def entries() -> Iterator[Entry]:
    document = ""
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            document = line.removeprefix("## ")
        if line.startswith("| ") and not line.startswith("| Where"):
            where, words, hazards, names, today = (cell.strip() for cell in line.strip("|").split("|"))
            yield Entry(document, where, words, tuple(hazards.split()), tuple(quoted_names(names)), today)


ENTRIES = tuple(entries())


@cache
def functions(file: str) -> frozenset[str]:
    tree = ast.parse((TESTS / file).read_text(encoding="utf-8"))
    return frozenset(node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))


def without_holder(entry: Entry) -> Iterator[str]:
    """Yield what of the rules, hazards and tests that a row names is not there, or does not belong together."""
    rules = [name for name in entry.rules if name in RULES]
    yield from [] if entry.names else ["names nothing"]
    yield from (name for name in entry.rules if name not in RULES)
    yield from (name for name in rules if not set(RULES[name].hazards) & set(entry.hazards))
    yield from (hazard for hazard in entry.hazards if HELD[hazard] is CoverageKind.NOTHING)
    yield from (test for test in entry.tests if test.partition("::")[2] not in functions(test.partition("::")[0]))


def missing_recordings(entry: Entry) -> Iterator[str]:
    """Yield why recordings do not confirm the "today" column of a row."""
    files = [name for name in quoted_names(entry.today) if name.endswith(".yaml")]
    cases = [read_case((TESTS / file).read_text(encoding="utf-8"), file=file, rule="") for file in files]
    yield from [] if entry.today.startswith(TODAY) else [f"says {entry.today}"]
    yield from (case.file for case in cases if case.verified is None)
    yield from ["names no recording"] if "**" in entry.today and not cases else []


def offenders(faults: Callable[[Entry], Iterator[str]]) -> dict[str, list[str]]:
    """Return what is wrong with each row, by its place and words, for those with which anything is."""
    return {f"{entry.where}: {entry.words}": wrong for entry in ENTRIES if (wrong := list(faults(entry)))}


def test_rules_and_tests_of_rows_exist() -> None:
    assert offenders(without_holder) == {}


def test_rows_about_other_behavior_name_a_recording() -> None:
    assert offenders(missing_recordings) == {}


def test_no_test_of_the_documents_is_left_out() -> None:
    files = [f"seeds/{file.name}" for file in (TESTS / "seeds").glob("test_*.py") if file.name != "test_recorded.py"]
    tests = {f"{file}::{name}" for file in files for name in functions(file) if name.startswith("test_")}
    recorded = {f"seeds/recorded/{file.name}" for file in (TESTS / "seeds" / "recorded").glob("*.yaml")}

    assert tests - {test for entry in ENTRIES for test in entry.tests} == set()
    assert recorded - {name for entry in ENTRIES for name in quoted_names(entry.today)} == set()


def test_predicted_hazards_have_a_test() -> None:
    tested = {hazard for entry in ENTRIES if entry.tests for hazard in entry.hazards}

    assert {hazard for hazard, held in HELD.items() if held is CoverageKind.PREDICTED} - tested == set()


def test_readers_of_the_japanese_chapter_get_its_rules_in_japanese() -> None:
    names = {name for entry in ENTRIES if entry.document == BOOK for name in (*entry.rules, *quoted_names(entry.today))}
    rules = [RULES[name] for name in sorted(names) if name in RULES]

    assert {rule.id for rule in rules if WORDS - rule.translations.get("ja", {}).keys()} == set()
    assert {rule.id for rule in rules if rule.remedy and "remedy" not in rule.translations["ja"]} == set()
    assert {entry.where for entry in ENTRIES if entry.document == BOOK and " / " not in entry.where} == set()
