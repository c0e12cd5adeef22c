import textwrap
from pathlib import Path

import pytest
import yaml

from kubectl_applylint.appliers.request import Applier
from kubectl_applylint.core.values import texts_at
from kubectl_applylint.engine.errors import ErrorText
from kubectl_applylint.lint.fixes.alternatives import fix_alternatives
from kubectl_applylint.lint.fixes.steps import fix_step
from kubectl_applylint.lint.model import Need, Rule, Severity
from kubectl_applylint.rulebook import rulebook
from kubectl_applylint.rulebook.rulebook import RuleProblem

RULE = """\
id: port-breaks-apply
summary: A port breaks the apply
severity: warning
check: server_fields_in_manifest
message: "{object} breaks"
why: |
  It does.
fix: |
  kubectl patch {resource} -p '{{"spec":null}}'
"""


def folder(parent: Path, text: str, name: str = "port-breaks-apply") -> Path:
    place = parent / name
    place.mkdir(parents=True)
    (place / "rule.yaml").write_text(textwrap.dedent(text))
    return place


def messages(book: rulebook.Rulebook) -> list[str]:
    return [f"{problem.line}:{problem.column} {problem.message}" for problem in book.problems]


def theirs(book: rulebook.Rulebook) -> list[str]:
    ours = {rule.id for rule in rulebook.built_in().rules}
    return [rule.id for rule in book.rules if rule.id not in ours]


def test_a_short_rule_gets_defaults(tmp_path: Path) -> None:
    place = folder(tmp_path, RULE)

    book = rulebook.load([tmp_path])

    (rule,) = [rule for rule in book.rules if rule.id == "port-breaks-apply"]
    assert book.problems == ()
    assert (rule.severity, rule.confidence, rule.since) == (Severity.WARNING, "high", "")
    assert (rule.needs, rule.kinds, rule.appliers, rule.params) == ((Need.MANIFEST,), (), (), {})
    assert (rule.see, rule.hazards, rule.folder, rule.ignorable) == ((), (), str(place), True)
    assert rule.why == "It does."


def test_a_full_rule_is_read_whole(tmp_path: Path) -> None:
    folder(
        tmp_path,
        RULE
        + """\
confidence: low
since: 0.2.0
needs: [manifest, live]
applies_to: {kinds: [Service], appliers: [kubectl-client]}
params: {paths: [spec]}
see: [https://example.com]
hazards: [A1]
remedy: let it break
refines: [live-change-undone]
ignorable: false
errors:
- {field: spec.ports, message: "{port} breaks", example: port 1 breaks}
- {message: breaks too, kinds: [Pod], follows: true}
""",
    )

    (rule,) = [rule for rule in rulebook.load([tmp_path]).rules if rule.id == "port-breaks-apply"]

    assert (rule.confidence, rule.since, rule.needs) == ("low", "0.2.0", (Need.MANIFEST, Need.LIVE))
    assert (rule.kinds, rule.appliers, rule.params) == (("Service",), ("kubectl-client",), {"paths": ["spec"]})
    assert (rule.see, rule.hazards) == (("https://example.com",), ("A1",))
    assert (rule.remedy, rule.ignorable, rule.refines) == ("let it break", False, ("live-change-undone",))
    assert rule.errors == (
        ErrorText("spec.ports", "{port} breaks", kinds=("Service",), example="port 1 breaks"),
        ErrorText(message="breaks too", kinds=("Pod",), follows=True),
    )


def test_translated_texts_of_a_rule_replace_the_english_ones(tmp_path: Path) -> None:
    folder(tmp_path, RULE + "ja:\n  message: '{object} が壊れる'\n  why: |\n    壊れる。\n")

    (rule,) = [rule for rule in rulebook.load([tmp_path]).rules if rule.id == "port-breaks-apply"]
    japanese = rule.in_language("ja")

    assert (japanese.message, japanese.why, japanese.fix) == ("{object} が壊れる", "壊れる。", rule.fix)
    assert rule.in_language("de") == rule


def test_a_rule_folder_can_be_named_itself(tmp_path: Path) -> None:
    assert theirs(rulebook.load([folder(tmp_path, RULE)])) == ["port-breaks-apply"]


def test_rules_come_sorted_and_ours_stay(tmp_path: Path) -> None:
    folder(tmp_path, RULE)
    folder(tmp_path, RULE.replace("port-", "a-"), "a-breaks-apply")

    book = rulebook.load([tmp_path])

    assert theirs(book) == ["a-breaks-apply", "port-breaks-apply"]
    assert [rule.id for rule in book.rules] == sorted(rule.id for rule in book.rules)
    assert len(book.rules) == len(rulebook.built_in().rules) + 2


@pytest.mark.parametrize(
    ("change", "faults"),
    [
        pytest.param(("", ""), [], id="none"),
        pytest.param(("summary: A port", "sumary: A port"), ["1:1 summary is missing", "2:1 unknown key"], id="key"),
        pytest.param(("warning", "loud"), ["3:1 severity: 'loud' is not one of error, warning, info"], id="choice"),
        pytest.param(("id: port", "id: Port"), ["1:1 id: not lower-case words", "1:1 the id is 'Port-"], id="id"),
        pytest.param(
            ("check: server_fields_in_manifest", "check: os.path"),
            ["4:1 check: unknown check 'os.path'"],
            id="check",
        ),
        pytest.param(
            ("check: server_fields_in_manifest", "check: _lists"),
            ["4:1 check: unknown check '_lists'"],
            id="helper",
        ),
        pytest.param(("{object}", "{0}"), ["5:1 message: {0} is not a placeholder"], id="position"),
        pytest.param(("{object}", "{object!r}"), ["5:1 message: {object} is not a placeholder"], id="conversion"),
        pytest.param(("{object}", "{"), ["5:1 message: expected '}' before end of string; double"], id="open brace"),
        pytest.param(("{{", "{"), ["8:1 fix: "], id="JSON with single braces"),
        pytest.param(('"{object} breaks"', "[a]"), ["5:1 message: not text"], id="type"),
        pytest.param(('"{object} breaks"', '""'), ["5:1 message: empty"], id="empty"),
        pytest.param(("check:", "see: [x, 3]\ncheck:"), ["4:10 see: not text"], id="list element"),
        pytest.param(("check:", "see: x\ncheck:"), ["4:1 see: not a list"], id="list"),
        pytest.param(("check:", "needs: [live, dead]\ncheck:"), ["4:15 needs: 'dead' is not one of"], id="need"),
        pytest.param(("check:", "params: [1]\ncheck:"), ["4:1 params: not a map"], id="params"),
        pytest.param(("check:", "params: {1: 2}\ncheck:"), ["4:1 params: not a map"], id="params with numbers"),
        pytest.param(("check:", "applies_to: x\ncheck:"), ["4:1 applies_to: not a map"], id="scope"),
        pytest.param(
            ("check:", "applies_to:\n  kind: [A]\ncheck:"), ["5:3 applies_to: unknown key 'kind'"], id="scope key"
        ),
        pytest.param(("check:", "errors: [x]\ncheck:"), ["4:10 errors: not a map"], id="error"),
        pytest.param(("check:", "errors: [{kinds: [A]}]\ncheck:"), ["4:10 errors: field or message"], id="empty error"),
        pytest.param(
            ("check:", "errors: [{message: '{a} {a}'}]\ncheck:"), ["4:11 errors: message: {a} occurs"], id="named twice"
        ),
        pytest.param(
            ("check:", "errors: [{field: a, follows: x}]\ncheck:"), ["4:21 errors: follows: not true"], id="flag"
        ),
        pytest.param(("check:", "ja: [a]\ncheck:"), ["4:1 ja: not a map"], id="translation"),
        pytest.param(("check:", "ja: {id: a}\ncheck:"), ["4:6 ja: unknown key 'id'"], id="translated id"),
        pytest.param(("check:", "ja: {message: a}\ncheck:"), ["4:6 ja: message: {object} is only"], id="left out"),
        pytest.param(("check:", "ja: {summary: ''}\ncheck:"), ["4:6 ja: summary: empty"], id="no translation"),
        pytest.param(
            ("check:", "ja: {fix: '{resource} {path}'}\ncheck:"), ["4:6 ja: fix: {path} is only"], id="put in"
        ),
        pytest.param(("check:", "id: port-breaks-apply\ncheck:"), ["4:1 id is set twice"], id="twice"),
        pytest.param(("check:", "params: {a: 1, a: 2}\ncheck:"), ["4:16 a is set twice"], id="twice below"),
    ],
)
def test_every_fault_is_named_with_its_place(tmp_path: Path, change: tuple[str, str], faults: list[str]) -> None:
    folder(tmp_path, RULE.replace(*change) if change[0] else RULE)

    found = messages(rulebook.load([tmp_path]))

    assert len(found) == len(faults)
    assert [message.startswith(fault) for message, fault in zip(found, faults, strict=True)] == [True] * len(faults)


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        (b"id: [\n", "2:1 not YAML: did not find expected node content"),
        (b"a: b\nc: d: e", "2:5 not YAML: mapping values are not allowed in this context"),
        (b"\xff", "1:1 not UTF-8 text"),
        (b"a: \x00", "1:1 not YAML: "),
        (b"", "1:1 not a map of rule keys"),
        (b"- a", "1:1 not a map of rule keys"),
        (b"? [a]\n: b", "1:3 not YAML: found unhashable key"),
    ],
    ids=["open list", "two colons", "not UTF-8", "control character", "empty", "a list", "odd key"],
)
def test_an_unreadable_file_is_a_fault(tmp_path: Path, content: bytes, fault: str) -> None:
    (tmp_path / "port-breaks-apply").mkdir()
    (tmp_path / "port-breaks-apply" / "rule.yaml").write_bytes(content)

    found = messages(rulebook.load([tmp_path]))

    assert found
    assert found[0].startswith(fault)


def test_a_problem_reads_as_editors_like_it(tmp_path: Path) -> None:
    place = folder(tmp_path, RULE.replace("warning", "loud"))

    (problem,) = rulebook.load([tmp_path]).problems

    assert str(problem) == f"{place}/rule.yaml:3:1: severity: 'loud' is not one of error, warning, info"


@pytest.mark.parametrize("name", ["nothing-here", "empty"])
def test_a_folder_without_rules_is_a_fault(tmp_path: Path, name: str) -> None:
    (tmp_path / "empty").mkdir()

    assert rulebook.load([tmp_path / name]).problems == (
        RuleProblem(str(tmp_path / name), 1, 1, "not a rule directory: it contains no rule.yaml"),
    )


def test_an_id_that_ships_cannot_be_taken(tmp_path: Path) -> None:
    taken = rulebook.built_in().rules[0].id
    folder(tmp_path, RULE.replace("port-breaks-apply", taken), taken)

    assert messages(rulebook.load([tmp_path])) == [f"1:1 {taken!r} is the id of another rule"]


def test_an_id_can_be_taken_only_once(tmp_path: Path) -> None:
    first, second = folder(tmp_path / "a", RULE), folder(tmp_path / "b", RULE)

    (problem,) = rulebook.load([first, second]).problems

    assert problem.file == f"{second}/rule.yaml"
    assert problem.message == "'port-breaks-apply' is the id of another rule"


def test_parameters_of_users_rules_are_validated(tmp_path: Path) -> None:
    folder(tmp_path, RULE.replace("check: server_fields_in_manifest", "check: jsonpath\nparams: {path: live.spec}"))

    assert messages(rulebook.load([tmp_path])) == [
        "5:1 params: path: reads live, so that needs has to name live",
    ]


@pytest.mark.parametrize(
    ("check", "words", "faults"),
    [
        (
            "check: server_fields_in_manifest",
            "{object} breaks {typo}",
            ["message: {typo} is not set by the check server_fields_in_manifest nor by any rule"],
        ),
        ("check: jsonpath\nparams: {path: manifest.spec}", "{object}: {value} at {match}, {ns}", []),
        ("check: jsonpath\nparams: {path: manifest.spec}", "{values}", ["message: {values} is not set by"]),
        (
            "check: rejections\nerrors: [{message: 'got {port}'}]",
            "{port} of {nothing}",
            ["message: {nothing} is not set"],
        ),
    ],
)
def test_placeholders_that_nothing_fills_are_faults(tmp_path: Path, check: str, words: str, faults: list[str]) -> None:
    folder(tmp_path, RULE.replace("check: server_fields_in_manifest", check).replace("{object} breaks", words))

    found = messages(rulebook.load([tmp_path]))

    assert len(found) == len(faults)
    assert all(fault in message for fault, message in zip(faults, found, strict=True))


def family(parent: Path, name: str = "ports", text: str = "summary: Ports\n") -> Path:
    folder(parent / name, RULE)
    (parent / name / "family.yaml").write_text(text)
    return parent / name


@pytest.mark.parametrize("inner", ["", "ports", "ports/port-breaks-apply"], ids=["families", "family", "rule"])
def test_a_rule_belongs_to_the_family_of_its_folder(tmp_path: Path, inner: str) -> None:
    family(tmp_path)

    book = rulebook.load([tmp_path / inner])

    assert [rule.family for rule in book.rules if rule.id == "port-breaks-apply"] == ["ports"]
    assert [known.summary for known in book.families if known.id == "ports"] == ["Ports"]
    assert book.problems == ()


def test_a_rule_outside_of_families_belongs_to_none(tmp_path: Path) -> None:
    folder(tmp_path / "deeper", RULE)

    book = rulebook.load([tmp_path])

    assert [rule.family for rule in book.rules if rule.id == "port-breaks-apply"] == [""]
    assert book.families == rulebook.built_in().families


def test_own_rules_may_join_a_family_that_ships(tmp_path: Path) -> None:
    shipped = rulebook.built_in().families
    family(tmp_path, shipped[0].id, "summary: another one\n")

    assert rulebook.load([tmp_path]).families == shipped


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[]", "1:1 not a mapping of family keys"),
        ("summary: [", "1:11 not YAML: did not find expected node content while parsing a flow node"),
        ("ja: {summary: a}", "1:1 summary is missing"),
        ("summary: a\nkinds: b", "2:1 unknown key 'kinds'; known are summary, ja"),
    ],
    ids=["list", "not YAML", "no summary", "unknown key"],
)
def test_a_broken_family_is_reported(tmp_path: Path, text: str, message: str) -> None:
    family(tmp_path, text=text)

    book = rulebook.load([tmp_path])

    assert [line for line in messages(book) if "not YAML" in line or line == message] != []
    assert [problem.file for problem in book.problems] == [str(tmp_path / "ports" / "family.yaml")]


def test_a_family_is_not_called_as_a_rule(tmp_path: Path) -> None:
    family(tmp_path, "port-breaks-apply")

    assert messages(rulebook.load([tmp_path])) == [
        "1:1 'port-breaks-apply' is the id of a rule; give the folder of the family another name"
    ]


def test_a_rule_may_refine_one_that_is_read_after_it(tmp_path: Path) -> None:
    folder(tmp_path, RULE + "refines: second-rule\n")
    folder(tmp_path, RULE.replace("port-breaks-apply", "second-rule"), "second-rule")

    book = rulebook.load([tmp_path])

    assert book.problems == ()
    assert [rule.refines for rule in book.rules if rule.id == "port-breaks-apply"] == [("second-rule",)]


@pytest.mark.parametrize(
    ("refines", "message"),
    [
        ("live-change-undon", "refines: there is no rule 'live-change-undon'; did you mean live-change-undone?"),
        ("[port-breaks-apply]", "refines: a rule cannot refine itself"),
        ("[1]", "refines: not lower-case words joined by hyphens, such as port-listed-twice"),
    ],
    ids=["misspelled", "itself", "number"],
)
def test_a_refined_rule_must_exist(tmp_path: Path, refines: str, message: str) -> None:
    folder(tmp_path, RULE + f"refines: {refines}\n")

    assert [line.partition(" ")[2] for line in messages(rulebook.load([tmp_path]))] == [message]


@pytest.mark.parametrize("rule", rulebook.built_in().rules, ids=lambda rule: rule.id)
def test_the_first_alternative_deletes_and_restarts_nothing(rule: Rule) -> None:
    first = fix_alternatives(rule.fix)[0]

    assert [part for part in first.parts if fix_step(part).loses] == []


@pytest.mark.parametrize("rule", rulebook.built_in().rules, ids=lambda rule: rule.id)
def test_a_translated_fix_has_the_same_alternatives(rule: Rule) -> None:
    translated = rule.in_language("ja").fix

    assert len(fix_alternatives(translated)) == len(fix_alternatives(rule.fix))


@pytest.mark.parametrize("rule", rulebook.built_in().rules, ids=lambda rule: rule.id)
def test_a_rule_that_ships_names_its_appliers_or_all(rule: Rule) -> None:
    content = yaml.safe_load(Path(rule.folder, "rule.yaml").read_text(encoding="utf-8"))
    named = texts_at(content, "applies_to", "appliers")

    assert named == ("all",) or (named and {*named} <= {*Applier})


@pytest.mark.parametrize("rule", rulebook.built_in().rules, ids=lambda rule: rule.id)
def test_a_rule_about_the_last_applied_annotation_is_about_one_way_to_apply(rule: Rule) -> None:
    is_about_annotation = rule.family == "last-applied" or "last-applied" in rule.message

    assert not is_about_annotation or {*rule.appliers} in ({"kubectl-client"}, {"kubectl-server"}, {"argocd"})
