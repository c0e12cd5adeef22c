import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import CONFIG_MAP, DEPLOYMENT, SELECTOR

Run = Callable[..., tuple[int, str, str]]
LIVE = ("--against", "snapshot:prod.json")
PROTECTED = "whole-list-taken-drops-entries"


def configure(folder: Path, text: str) -> None:
    (folder / ".applylint.yaml").write_text(text)


@pytest.mark.parametrize(
    "entry",
    [
        f"rule: {SELECTOR}",
        f"rule: [{SELECTOR}, port-taken-rejected], path: web.yaml, resource: shop/deployment/web, field: spec.selector",
        f"rule: {SELECTOR}, path: '**/web.yaml', until: 2999-12-31, reason: it is made again",
    ],
    ids=["rule", "place", "until"],
)
def test_an_entry_of_the_configuration_hides_a_finding(run: Run, folder: Path, entry: str) -> None:
    configure(folder, f"ignore: [{{{entry}}}]")

    code, out, _ = run("check", "web.yaml", *LIVE)

    assert code == 0
    assert "1 finding hidden by configuration (-v to list)\n" in out


@pytest.mark.parametrize(
    ("text", "flags", "note"),
    [
        (f"ignore: [{{rule: {SELECTOR}, until: 2020-01-01}}]", [], "it expired on 2020-01-01"),
        (
            f"ignore: [{{rule: {SELECTOR}}}]",
            ["--require-reason"],
            "it gives no reason, and require-reason asks for one",
        ),
        (f"ignore: [{{rule: {SELECTOR}}}]\nnon-ignorable: {SELECTOR}", [], "this rule cannot be ignored"),
        (f"ignore: [{{rule: {SELECTOR}}}]", ["--no-ignores"], ""),
        (f"ignore: [{SELECTOR}]", ["--no-ignores"], ""),
    ],
    ids=["expired", "no reason", "non-ignorable", "no ignores", "no ignored rule"],
)
def test_an_entry_that_hides_nothing_is_reported_beside_the_finding(
    run: Run, folder: Path, text: str, flags: list[str], note: str
) -> None:
    configure(folder, text)

    code, out, _ = run("check", "web.yaml", *LIVE, *flags)

    remark = f".applylint.yaml:1:10: note: this entry does not hide {SELECTOR}: {note}\n"
    assert code == 1
    assert (remark if note else "") in out
    assert ("note:" in out) is bool(note)


@pytest.mark.parametrize(
    ("text", "flags", "line"),
    [
        ("ignore:\n- rule: selector-change-refuse", [],
         f".applylint.yaml:2:3: unknown rule 'selector-change-refuse'; did you mean {SELECTOR}?"),
        ("select: no-such", [],
         ".applylint.yaml:1:1: unknown rule or family 'no-such'; applylint rules lists all rules"),
        ("non-ignorable: [no-such]", [],
         ".applylint.yaml:1:1: unknown rule 'no-such'; applylint rules lists all rules"),
        (f"ignore: {PROTECTED}", [],
         f".applylint.yaml:1:1: {PROTECTED} cannot be ignored (applylint explain {PROTECTED})"),
        (f"non-ignorable: {SELECTOR}", ["--ignore", SELECTOR],
         f"--ignore: {SELECTOR} cannot be ignored (applylint explain {SELECTOR})"),
        ("baseline: known.json", [],
         "{}/known.json: the baseline cannot be read: No such file or directory; create it with: applylint baseline"
         " create"),
        ("baseline: web.yaml", [], "{}/web.yaml:1:1: not JSON: Expecting value"),
    ],
    ids=["entry", "select", "non-ignorable", "built in", "protected", "no baseline", "broken baseline"],
)  # fmt: skip
def test_names_that_cannot_be_right_end_the_run_at_their_place(
    run: Run, folder: Path, text: str, flags: list[str], line: str
) -> None:
    configure(folder, text)

    code, out, err = run("check", "web.yaml", *LIVE, *flags)

    assert (code, out) == (2, "")
    assert err == f"applylint: {line.format(folder.resolve())}\n"


COMMENTED = f"# applylint: ignore-file[{SELECTOR}] it is made again\n{DEPLOYMENT}"


def test_a_wide_entry_is_unused_only_if_a_whole_folder_was_examined(run: Run, folder: Path) -> None:
    configure(folder, "ignore: [{rule: selector-missing-rejected}]")
    (folder / "deploy").mkdir()
    (folder / "deploy/web.yaml").write_text(COMMENTED)
    unused = ".applylint.yaml:1:10: note: this entry does not hide selector-missing-rejected: the rule finds nothing"

    assert unused in run("check", "deploy", *LIVE)[1]
    assert unused not in run("check", "deploy/web.yaml", *LIVE)[1]
    assert unused not in run("check", "deploy", "-l", "app!=x", *LIVE)[1]
    (folder / "deploy/broken.yaml").write_text("apiVersion: v1\nkind: ConfigMap\na: [")
    assert unused not in run("check", "deploy", *LIVE)[1]


def test_a_comment_about_a_rule_that_could_not_run_is_not_unused(run: Run, folder: Path) -> None:
    (folder / "web.yaml").write_text(COMMENTED)
    (folder / "settings.yaml").write_text(f"# applylint: ignore-file[twin-entry-lost]\n{CONFIG_MAP}")

    assert "note:" not in run("check", "web.yaml", "settings.yaml")[1]


def test_a_program_that_reads_the_output_leaves_remarks_to_people(run: Run, folder: Path) -> None:
    (folder / "web.yaml").write_text("# applylint: ignore-file[no-such-rule]\n" + DEPLOYMENT)

    _, out, err = run("check", "web.yaml", *LIVE, "-o", "json,sarif=a.sarif")

    assert "applylint: web.yaml:1:1: note: this comment does not hide no-such-rule: the rule does not exist" in err
    assert json.loads(out)["ignoreWarnings"][0]["location"]["line"] == 1


def test_a_family_is_ignored(run: Run) -> None:
    code, out, err = run("check", "web.yaml", *LIVE, "--ignore", "immutable")

    assert (code, SELECTOR in out) == (0, False)
    assert "nobody may ignore" not in err


def test_a_family_is_selected(run: Run, folder: Path) -> None:
    configure(folder, "select: [immutable]")

    code, out, _ = run("check", "web.yaml", *LIVE)

    assert code == 1
    assert SELECTOR in out


def test_rules_that_cannot_be_ignored_run_although_their_family_is_ignored(run: Run, folder: Path) -> None:
    configure(folder, f"ignore: immutable\nnon-ignorable: {SELECTOR}")

    code, out, err = run("check", "web.yaml", *LIVE)

    assert code == 1
    assert SELECTOR in out
    assert f"applylint: .applylint.yaml:1:1: {SELECTOR} still runs: cannot be ignored\n" in err


def test_a_misspelled_family_is_reported(run: Run) -> None:
    line = "applylint: --select: unknown rule or family 'imutable'; did you mean immutable?\n"

    assert run("check", "web.yaml", *LIVE, "--select", "imutable") == (2, "", line)


@pytest.mark.parametrize(
    ("text", "flags", "code", "found"),
    [
        (f"severity: {{{SELECTOR}: warning}}", [], 0, "warning"),
        ("severity: {'selector-*': info}\nfail-on: info", [], 1, "info"),
        ("severity: {immutable: info}", ["--no-ignores"], 1, "error"),
        (f"severity: {{immutable: info}}\nnon-ignorable: {SELECTOR}", [], 1, "error"),
    ],
    ids=["rule", "pattern", "no ignores", "non-ignorable"],
)
def test_findings_have_the_configured_severity(
    run: Run, folder: Path, text: str, flags: list[str], code: int, found: str
) -> None:
    configure(folder, text)

    exit_code, out, _ = run("check", "web.yaml", *LIVE, *flags, "-o", "json,sarif=a.sarif")
    finding = next(one for one in json.loads(out)["findings"] if one["rule"] == SELECTOR)
    (log,) = json.loads((folder / "a.sarif").read_text())["runs"]
    result = next(one for one in log["results"] if one["ruleId"] == SELECTOR)
    rule = log["tool"]["driver"]["rules"][result["ruleIndex"]]

    assert (exit_code, finding["severity"]) == (code, found)
    assert result["level"] == ("note" if found == "info" else found)
    assert rule["defaultConfiguration"]["level"] == "error"


def test_findings_of_a_rule_that_is_off_are_counted_as_hidden(run: Run, folder: Path) -> None:
    configure(folder, f"severity: {{{SELECTOR}: off}}")

    code, out, _ = run("check", "web.yaml", *LIVE)
    (hidden,) = json.loads(run("check", "web.yaml", *LIVE, "-o", "json")[1])["suppressed"]

    assert (code, "1 finding hidden by configuration (-v to list)\n" in out) == (0, True)
    assert (hidden["finding"]["rule"], hidden["suppressedBy"]) == (SELECTOR, "configuration")
    assert hidden["reason"] == "severity: off"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (
            f"severity:\n  {PROTECTED}: warning",
            f".applylint.yaml:2:3: {PROTECTED} cannot be set to warning: its findings cannot be hidden (applylint"
            f" explain {PROTECTED})",
        ),
        (
            "severity: {no-such-*: info}",
            ".applylint.yaml:1:12: unknown rule or family 'no-such-*'; applylint rules lists all rules",
        ),
    ],
    ids=["protected", "unknown"],
)
def test_severities_that_cannot_be_right_end_the_run(run: Run, folder: Path, text: str, line: str) -> None:
    configure(folder, text)

    assert run("check", "web.yaml", *LIVE) == (2, "", f"applylint: {line}\n")


def test_a_changed_severity_does_not_show_cached_results(
    run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("APPLYLINT_CACHE_DIR", str(folder / "cache"))
    (folder / "web.yaml").write_text(DEPLOYMENT.replace("{app: shop}", "{app: web}", 1))

    codes = []
    for severity in ("error", "error", "warning", "off", "error"):
        configure(folder, f"severity: {{'*': {severity}}}\nincomplete: []")
        codes.append(run("check", "web.yaml")[0])
    assert codes == [1, 1, 0, 0, 1]
