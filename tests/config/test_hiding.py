"""Selection of rules and hiding of findings: errors name the place and a similar name."""

from pathlib import Path

import pytest

from kubectl_applylint.config.configuration import Config, ConfigError
from kubectl_applylint.config.hiding import (
    all_rules,
    baseline_text,
    choose_rules,
    policy_of,
    read_baseline,
    rules_of_folders,
    unknown_rules,
)
from kubectl_applylint.config.language import Language
from kubectl_applylint.config.severities import SeveritySetting
from kubectl_applylint.core.location import NOWHERE, Location
from kubectl_applylint.lint.hiding.baseline import entry
from kubectl_applylint.lint.model import Severity
from tests.report.samples import FINDING

RULES = {rule.id: rule for rule in all_rules(Config())}
FAMILY = next(rule.family for rule in RULES.values() if rule.family)
PLAIN = next(rule.id for rule in RULES.values() if rule.ignorable and not rule.remedy and not rule.refines)
EXPLAINING = next(rule.id for rule in RULES.values() if rule.ignorable and rule.remedy and "rejected" in rule.id)
PROTECTED = next(rule.id for rule in RULES.values() if not rule.ignorable)


def faults(config: Config) -> list[str]:
    with pytest.raises(ConfigError) as caught:
        choose_rules(config)
    return list(caught.value.faults)


def test_all_rules_run_where_nothing_is_chosen() -> None:
    found = choose_rules(Config())

    assert {rule.id for rule in found.rules} == found.known == RULES.keys()
    assert (found.silent, found.notes) == ((), ())
    assert PROTECTED in found.protected
    assert PLAIN not in found.protected


@pytest.mark.parametrize(
    ("name", "is_silent"),
    [pytest.param(PLAIN, False, id="a plain rule"), pytest.param(EXPLAINING, True, id="a rule that explains refusals")],
)
def test_an_ignored_rule_does_not_run(name: str, is_silent: bool) -> None:
    found = choose_rules(Config(ignore=(name,)))

    assert name not in {rule.id for rule in found.rules}
    assert [rule.id for rule in found.silent] == ([name] if is_silent else [])
    assert name in found.known


def test_rules_can_be_chosen_by_family() -> None:
    assert {rule.family for rule in choose_rules(Config(select=(FAMILY,))).rules} == {FAMILY}


def test_nothing_is_ignored_if_ignores_are_off() -> None:
    assert PLAIN in {rule.id for rule in choose_rules(Config(ignore=(PLAIN,), no_ignores=True)).rules}
    assert policy_of(Config(no_ignores=True), choose_rules(Config())).is_off


@pytest.mark.parametrize(
    ("config", "fault"),
    [
        pytest.param(
            Config(ignore=(PROTECTED,)),
            f"{PROTECTED} cannot be ignored (applylint explain {PROTECTED})",
            id="protected",
        ),
        pytest.param(
            Config(ignore=(PLAIN,), non_ignorable=(PLAIN,)),
            f"{PLAIN} cannot be ignored",
            id="protected by configuration",
        ),
        pytest.param(Config(select=(f"{PLAIN}x",)), f"did you mean {PLAIN}?", id="misspelled"),
        pytest.param(Config(ignore=("qqqq",)), "applylint rules lists all rules", id="unlike any"),
        pytest.param(Config(non_ignorable=(FAMILY,)), f"unknown rule {FAMILY!r}", id="a family cannot be protected"),
    ],
)
def test_names_that_do_not_work(config: Config, fault: str) -> None:
    (found,) = faults(config)

    assert fault in found


def test_all_faults_are_reported_at_once() -> None:
    assert len(faults(Config(select=("a-a",), ignore=("b-b", PROTECTED)))) == 3


def test_a_protected_rule_of_an_ignored_family_still_runs() -> None:
    family = RULES[PROTECTED].family
    found = choose_rules(Config(ignore=(family,)))

    assert PROTECTED in {rule.id for rule in found.rules}
    (note,) = found.notes
    assert f"{PROTECTED}" in note
    assert note.endswith("cannot be ignored")


def test_severities_are_those_of_the_current_ids() -> None:
    former = EXPLAINING.replace("rejected", "refused")
    settings = (SeveritySetting(former, Severity.INFO, Location("x.yaml", NOWHERE)),)
    found = choose_rules(Config(severity=settings))

    assert policy_of(Config(), found).severities == {EXPLAINING: Severity.INFO}
    assert found.notes == (f"x.yaml: renamed rules: {former} is now {EXPLAINING}",)
    assert choose_rules(Config(severity=settings, no_ignores=True)).severities == {}


def test_unknown_names_are_reported_with_their_place() -> None:
    assert [*unknown_rules("x.yaml:1", ["a", "bc"], ["a", "bcd"], "family")] == [
        "x.yaml:1: unknown family 'bc'; did you mean bcd?"
    ]


def test_broken_rules_of_a_folder_end_the_run(tmp_path: Path) -> None:
    (tmp_path / "rule.yaml").write_text("7")

    with pytest.raises(ConfigError, match="not a map of rule keys"):
        rules_of_folders(Config(rules=(str(tmp_path),)))


def test_rules_are_in_the_language_of_the_run() -> None:
    translated = {rule.id: rule for rule in all_rules(Config(lang=Language.JAPANESE))}

    assert translated[PLAIN].summary == RULES[PLAIN].translations["ja"]["summary"]


def test_files_of_a_baseline_are_relative_to_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "conf").mkdir()
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    known = entry(FINDING, str(tmp_path / "deploy/web.yaml"))
    file = str(tmp_path / "conf/known.json")
    text = baseline_text([known], file)
    Path(file).write_text(text, encoding="utf-8")
    found = read_baseline(file)

    assert '"../deploy/web.yaml"' in text
    assert found.entries == (known,)
    assert found.file == "../conf/known.json"


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        pytest.param(None, "No such file or directory; create it with: applylint baseline create", id="not there"),
        pytest.param(b"\xff", "not UTF-8 text", id="no text"),
        pytest.param(b"{", "not JSON", id="no JSON"),
    ],
)
def test_a_baseline_that_cannot_be_read(tmp_path: Path, content: bytes | None, fault: str) -> None:
    file = tmp_path / "known.json"
    if content is not None:
        file.write_bytes(content)

    with pytest.raises(ConfigError) as caught:
        policy_of(Config(baseline=str(file)), choose_rules(Config()))
    assert fault in str(caught.value.faults[0])
    assert str(caught.value.faults[0]).startswith(str(file))
