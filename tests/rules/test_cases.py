"""Every rule folder that ships is whole, and every case in it comes out as it says."""

import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from pathlib import Path

import pytest

from kubectl_applylint.core.outcome import Verdict, plain
from kubectl_applylint.core.paths import render
from kubectl_applylint.core.state import Present
from kubectl_applylint.core.values import JsonObject, mapping
from kubectl_applylint.lint import checks
from kubectl_applylint.lint.model import Rule, Scenario
from kubectl_applylint.lint.run import lint
from kubectl_applylint.rulebook import rulebook
from tests.cases.cases import Case, read_case
from tests.cases.tool_cases import case_files
from tests.cluster.normal import TIME, after_form, differing
from tests.rules.stories import input_of_case, subject_of, subjects_of

BOOK = rulebook.built_in()
RULES = {rule.id: rule for rule in BOOK.rules}


def cases() -> Iterator[object]:
    for rule in BOOK.rules:
        for file in case_files(rule.folder):
            yield pytest.param(rule, file, id=f"{rule.id}/{file.stem}")


def read(rule: Rule, file: Path) -> Case:
    return _read(file, rule.id)


@cache
def _read(file: Path, rule: str) -> Case:
    return read_case(file.read_text(), file=str(file), rule=rule)


def test_every_rule_folder_is_valid() -> None:
    families = [
        item for item in files("kubectl_applylint.rules").iterdir() if item.is_dir() and item.name[0] not in "._"
    ]
    folders = [item for family in families for item in family.iterdir() if item.is_dir()]

    assert BOOK.problems == ()
    assert len(BOOK.rules) == len(folders)
    assert {family.id for family in BOOK.families} == {family.name for family in families}
    assert {rule.family for rule in BOOK.rules} == {family.id for family in BOOK.families}


def test_no_family_is_called_as_a_rule() -> None:
    assert {family.id for family in BOOK.families} & RULES.keys() == set()


def test_every_family_has_japanese_texts() -> None:
    assert [family.id for family in BOOK.families if family.in_language("ja").summary == family.summary] == []


def faults(rule: Rule) -> Iterator[object]:
    """Yield what a rule has none of, or has wrong; with a check it has cases of both kinds, else of none."""
    files = (*case_files(rule.folder), *case_files(rule.folder, of_tools=True))
    kinds = [file.name.partition("-")[0] for file in files]
    yield from (f"case {kind}-*" for kind in {*kinds} ^ ({"bad", "ok"} if rule.check else set()))
    yield from (key for key in ("hazards", "since", "see") if not getattr(rule, key))
    yield from (hazard for hazard in rule.hazards if not re.fullmatch(r"[A-L]\d+", hazard))
    yield from checks.faults(rule)


def test_rules_are_whole() -> None:
    assert {rule.id: wrong for rule in BOOK.rules if (wrong := list(faults(rule)))} == {}


@pytest.mark.parametrize(("rule", "file"), list(cases()))
def test_a_case_finds_what_it_expects(rule: Rule, file: Path) -> None:
    case = read(rule, file)
    wanted = {rule.id, *(expected.rule for expected in case.findings)}
    special = [other for other in BOOK.rules if other.id not in wanted and wanted.intersection(other.refines)]

    report = lint(subjects_of(case), [RULES[name] for name in sorted(wanted)], silent=special)

    assert [(problem.message, problem.where) for problem in report.problems] == []
    assert [skip for skip in report.skips if rule.id in skip.rules] == []
    found = sorted((finding.rule, render(finding.path)) for finding in report.findings)
    assert found == sorted((expected.rule, expected.path) for expected in case.findings)
    for expected in case.findings:
        assert any(expected.message in finding.message for finding in report.findings)


def test_refined_rules_exist() -> None:
    assert [rule.id for rule in BOOK.rules if rule.id in rule.refines or not RULES.keys() >= {*rule.refines}] == []


def refining_cases() -> Iterator[object]:
    for rule in BOOK.rules:
        for file in case_files(rule.folder) if rule.refines else ():
            if file.name.startswith("bad-"):
                yield pytest.param(rule, file, id=f"{rule.id}/{file.stem}")


@pytest.mark.parametrize(("rule", "file"), list(refining_cases()))
def test_a_general_rule_keeps_silent_where_a_rule_refines_it(rule: Rule, file: Path) -> None:
    """Alone the general rule may find the place; beside the rule that refines it, it does not."""
    subjects = subjects_of(read(rule, file))
    general = [RULES[name] for name in rule.refines]

    alone = {finding.path for finding in lint(subjects, general).findings}
    own = {finding.path for finding in lint(subjects, [rule]).findings}
    both = {finding.path for finding in lint(subjects, [*general, rule]).findings if finding.rule != rule.id}

    assert both == alone - own


def base_cases() -> Iterator[object]:
    for rule in BOOK.rules:
        for file in case_files(rule.folder):
            if "\nbase:\n" in file.read_text():
                yield pytest.param(rule, file, id=f"{rule.id}/{file.stem}")


@pytest.mark.parametrize(("rule", "file"), list(base_cases()))
def test_predicted_deletions_were_recorded(rule: Rule, file: Path) -> None:
    case = read(rule, file)
    left = input_of_case(case).unapplied_outcomes

    pruned = {str(document.ref) for document, outcome in left if outcome.verdict is Verdict.PRUNED}
    assert sorted(pruned) == sorted(case.gone)


def server_side_cases() -> Iterator[object]:
    """Yield those that start from a live object: of a new one only the server knows addresses and ports."""
    for rule in BOOK.rules:
        for file in case_files(rule.folder):
            text = file.read_text()
            if "flags: [--server-side" in text and "\nlive:\n" in text:
                yield pytest.param(rule, file, id=f"{rule.id}/{file.stem}")


@pytest.mark.parametrize(("rule", "file"), list(server_side_cases()))
def test_a_server_side_apply_comes_out_as_it_was_replayed(rule: Rule, file: Path) -> None:
    """Owners too: these stories change definitions and versions under their objects, as no recording does."""
    case = read(rule, file)
    outcome = subject_of(case).predict(Scenario.APPLY)

    assert outcome.result is not None
    assert isinstance(case.after, Present)
    assert outcome.verdict is case.verdict
    assert differing(as_recorded(outcome.result), case.after.object) == []


def as_recorded(result: JsonObject) -> JsonObject:
    """Return a predicted object in the form of cases, in which all was written in one second."""
    metadata = result["metadata"]
    listed = metadata.get("managedFields", [])
    entries = [{**entry, "time": TIME} if "time" in entry else entry for entry in listed]
    timed = {**result, "metadata": {**metadata, **({"managedFields": entries} if entries else {})}}
    return after_form(mapping(plain(timed)), namespace="default", since=TIME)


@pytest.mark.parametrize(
    "rule", [rule for rule in BOOK.rules if rule.id.endswith("-rejected")], ids=lambda rule: rule.id
)
def test_rules_about_rejections_have_rejected_cases(rule: Rule) -> None:
    refused = {
        file.name: read(rule, file).verdict in (Verdict.REJECTED, Verdict.CONFLICT) for file in case_files(rule.folder)
    }

    assert refused == {name: name.startswith("bad-") for name in refused}


@pytest.mark.parametrize(
    "rule", [rule for rule in BOOK.rules if rule.check == "fields_sent_again"], ids=lambda rule: rule.id
)
def test_fields_that_are_sent_again_were_recorded(rule: Rule) -> None:
    """The stories apply the same manifest twice: what kubectl says the second time is the evidence."""
    verdicts = {file.name: read(rule, file).verdict for file in case_files(rule.folder)}

    wanted = {"bad": Verdict.CONFIGURED, "ok": Verdict.UNCHANGED}
    assert verdicts == {name: wanted[name.partition("-")[0]] for name in verdicts}


@pytest.mark.slow
def test_every_case_was_replayed() -> None:
    readings = ((file, read(rule, file)) for rule in BOOK.rules for file in case_files(rule.folder))

    assert [str(file) for file, case in readings if case.verified is None and not case.is_synced] == []


def test_every_check_is_used() -> None:
    modules = {file.stem for file in Path(checks.__path__[0]).glob("[!_]*.py")}

    assert modules - {rule.check for rule in BOOK.rules} <= {"jsonpath"}
