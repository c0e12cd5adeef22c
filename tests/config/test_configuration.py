from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path

import pytest

from kubectl_applylint.config.configuration import (
    OPTIONS,
    ColorMode,
    Config,
    ConfigError,
    Format,
    Output,
    load,
    wants_color,
)
from kubectl_applylint.config.language import Language
from kubectl_applylint.lint.model import Severity
from kubectl_applylint.run.compare.against import Against, AgainstKind

YAML = ".applylint.yaml"
FORMATS = (
    "text, concise, json, yaml, sarif, github, gitlab, junit, markdown, rdjsonl, html, openreports, part, diff, dir"
)
STATES = "none, live, last-applied, snapshot:FILE, dir:PATH, file:PATH, or a git revision"


@pytest.fixture(name="repo")
def _repo(tmp_path: Path) -> Path:
    """A repository with a folder below its root."""
    (tmp_path / ".git").mkdir()
    (tmp_path / "deploy").mkdir()
    return tmp_path


def faults(folder: Path, flags: Mapping[str, Sequence[str]], environ: Mapping[str, str] | None = None) -> list[str]:
    with pytest.raises(ConfigError) as caught:
        load(flags, environ or {}, folder)
    return list(caught.value.faults)


def test_an_empty_configuration_means_the_defaults(tmp_path: Path) -> None:
    assert load({}, {}, tmp_path, Config(namespace="shop")) == Config(namespace="shop")


@pytest.mark.parametrize(
    ("flags", "wanted"),
    [
        ({"against": ["none"]}, Config()),
        ({"against": ["snapshot:a:b.yaml"]}, Config(against=Against(AgainstKind.SNAPSHOT, "a:b.yaml"))),
        ({"against": ["dir:before"]}, Config(against=Against(AgainstKind.DIR, "before"))),
        ({"against": ["file:before.yaml"]}, Config(against=Against(AgainstKind.FILE, "before.yaml"))),
        ({"against": ["last-applied"]}, Config(against=Against(AgainstKind.LAST_APPLIED))),
        ({"against": ["last-applied:prod.json"]}, Config(against=Against(AgainstKind.LAST_APPLIED, "prod.json"))),
        ({"against": ["main"]}, Config(against=Against(AgainstKind.GIT, "main"))),
        ({"against": ["index"]}, Config(against=Against(AgainstKind.GIT, "index"))),
        ({"against": ["git:none"]}, Config(against=Against(AgainstKind.GIT, "none"))),
        ({"against": ["origin/main..."]}, Config(against=Against(AgainstKind.GIT, "origin/main..."))),
        ({"against": ["HEAD~1:deploy/a b"]}, Config(against=Against(AgainstKind.GIT, "HEAD~1:deploy/a b"))),
        ({"namespace": ["shop"]}, Config(namespace="shop")),
        ({"kubernetes-version": ["v1.33.4"]}, Config(kubernetes_version="1.33")),
        ({"kubernetes-version": ["1.30"]}, Config(kubernetes_version="1.30")),
        ({"server-side": ["true"], "force-conflicts": ["true"]}, Config(server_side=True, force_conflicts=True)),
        ({"field-manager": ["team a"]}, Config(field_manager="team a")),
        ({"rules": ["ours", "theirs"]}, Config(rules=("ours", "theirs"))),
        ({"select": ["a,b", "c"]}, Config(select=("a", "b", "c"))),
        ({"ignore": ["a"]}, Config(ignore=("a",))),
        ({"no-ignores": ["true"]}, Config(no_ignores=True)),
        ({"require-reason": ["true"]}, Config(require_reason=True)),
        ({"non-ignorable": ["a"]}, Config(non_ignorable=("a",))),
        ({"baseline": ["known.json"]}, Config(baseline="known.json")),
        ({"fail-on": ["warning"]}, Config(fail_on=Severity.WARNING)),
        ({"exit-zero": ["true"]}, Config(exit_zero=True)),
        ({"show-secrets": ["false"]}, Config()),
        ({"color": ["never"]}, Config(color=ColorMode.NEVER)),
        ({"lang": ["ja"]}, Config(lang=Language.JAPANESE)),
        ({"output": ["json=a.json", "text"]}, Config(output=(Output(Format.JSON, "a.json"), Output(Format.TEXT)))),
        ({"verbosity": ["2"]}, Config(verbosity=2)),
    ],
    ids=lambda value: "-".join(value) if isinstance(value, dict) else "",
)
def test_every_flag_is_read(tmp_path: Path, flags: Mapping[str, Sequence[str]], wanted: Config) -> None:
    assert load(flags, {}, tmp_path) == wanted


@pytest.mark.parametrize(
    ("flags", "fault"),
    [
        ({"against": ["live?"]}, f"--against: 'live?' is not one of {STATES}"),
        ({"against": ["snapshot:"]}, f"--against: 'snapshot:' is not one of {STATES}"),
        ({"against": ["live:prod"]}, f"--against: 'live:prod' is not one of {STATES}"),
        ({"against": ["git:"]}, f"--against: 'git:' is not one of {STATES}"),
        ({"against": ["--upload-pack=x"]}, f"--against: '--upload-pack=x' is not one of {STATES}"),
        ({"against": ["dir:"]}, f"--against: 'dir:' is not one of {STATES}"),
        ({"namespace": [""]}, "--namespace: an empty value"),
        ({"kubernetes-version": ["new"]}, "--kubernetes-version: 'new' is not a version such as 1.36"),
        (
            {"field-manager": ["a\tb"]},
            "--field-manager: 'a\\tb' is not a name of 1 to 128 printable characters",
        ),
        ({"fail-on": ["fatal"]}, "--fail-on: 'fatal' is not one of error, warning, info"),
        ({"fail-on": ["eror"]}, "--fail-on: 'eror' is not one of error, warning, info; did you mean error?"),
        ({"color": ["red"]}, "--color: 'red' is not one of auto, always, never"),
        ({"output": ["xml"]}, f"--output: 'xml' is not one of {FORMATS}"),
        ({"exit-zero": ["yes"]}, "--exit-zero: 'yes' is not one of true, false"),
        ({"verbosity": ["-1"]}, "--verbosity: '-1' is not a number"),
        (
            {"output": ["text", "json"]},
            "--output: two formats write to standard output; specify a file for one, as in -o json=report.json",
        ),
        ({"namespace": ["a", "b"]}, "--namespace: namespace takes one value, got 2"),
    ],
    ids=lambda value: "-".join(value) if isinstance(value, dict) else "",
)
def test_a_wrong_value_is_named_with_its_flag(tmp_path: Path, flags: Mapping[str, Sequence[str]], fault: str) -> None:
    assert faults(tmp_path, flags) == [fault]


def test_flags_win_over_variables_and_these_over_the_file(repo: Path) -> None:
    (repo / YAML).write_text("namespace: file\ncolor: always\nfail-on: info\n")
    environ = {"APPLYLINT_NAMESPACE": "variable", "APPLYLINT_COLOR": "never", "APPLYLINT_SELECT": "a, b"}

    config = load({"namespace": ["flag"]}, environ, repo / "deploy")

    assert config == Config(namespace="flag", color=ColorMode.NEVER, fail_on=Severity.INFO, select=("a", "b"))


def test_an_empty_variable_says_nothing(tmp_path: Path) -> None:
    assert load({}, {"APPLYLINT_NAMESPACE": ""}, tmp_path) == Config()


def test_files_named_in_the_configuration_are_relative_to_it(repo: Path) -> None:
    (repo / YAML).write_text("against: snapshot:prod.yaml\nrules: [ours]\noutput: json=out.json\n")

    config = load({}, {}, repo / "deploy", file=str(repo / YAML))

    assert (config.against.argument, config.rules) == (str(repo / "prod.yaml"), (str(repo / "ours"),))
    assert config.output == (Output(Format.JSON, str(repo / "out.json")),)


def test_mappings_under_ignore_hide_findings_besides_the_flag(repo: Path) -> None:
    (repo / YAML).write_text(
        "ignore:\n- a\n- {rule: [b, c], path: 'old/**', resource: shop/deployment/web, field: spec, until: 2026-12-31,"
        " reason: later}\n- rule: d\n"
    )

    config = load({"ignore": ["e"]}, {}, repo / "deploy")

    assert config.ignore == ("e",)
    assert [(waiver.rules, str(waiver.place), waiver.reason, waiver.until) for waiver in config.waivers] == [
        (("b", "c"), "../.applylint.yaml:3:3", "later", date(2026, 12, 31)),
        (("d",), "../.applylint.yaml:4:3", "", None),
    ]


@pytest.mark.parametrize(
    ("criteria", "is_exact"),
    [("", False), ("path: a.yaml", True), ("path: '*.yaml'", False), ("path: '**', resource: cm/a", True),
     ("resource: 'cm/?'", False), ("field: spec", False)],
)  # fmt: skip
def test_an_entry_is_exact_if_it_is_about_one_file_or_object(repo: Path, criteria: str, is_exact: bool) -> None:
    (repo / YAML).write_text(f"ignore: [{{rule: a, {criteria}}}]\n")

    assert load({}, {}, repo).waivers[0].scope.is_exact is is_exact


def test_a_path_is_relative_to_the_folder_of_the_configuration(repo: Path) -> None:
    (repo / YAML).write_text("ignore: [{rule: a, path: deploy/*.yaml}]\n")

    pattern = load({}, {}, repo / "deploy").waivers[0].scope.path

    assert pattern is not None
    assert pattern.fullmatch(f"{repo.resolve().as_posix()}/deploy/web.yaml")


def test_the_last_word_on_each_option_is_known(repo: Path) -> None:
    (repo / YAML).write_text("color: never\nnamespace: a\nignore: [{rule: a}]\n")

    config = load({"namespace": ["b"], "ignore": ["c"]}, {"APPLYLINT_VERBOSITY": "1"}, repo)

    assert {name: str(setting.place) for name, setting in config.origins.items()} == {
        "color": ".applylint.yaml:1:1",
        "namespace": "--namespace",
        "ignore": "--ignore",
        "verbosity": "APPLYLINT_VERBOSITY",
    }
    assert (config.place("color"), config.place("select")) == (".applylint.yaml:1:1", "--select")


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("fail_on: info", "1:1: unknown option 'fail_on'; did you mean fail-on?"),
        ("x: 1", f"1:1: unknown option 'x'; valid options: {', '.join(OPTIONS)}"),
        ("select: [{rule: a}]", "1:1: select takes a scalar or a list of scalars"),
        ("against: []", "1:1: against takes one value, got 0"),
        ("ignore:\n- rule: a\n  resorce: b/c", "3:3: unknown key 'resorce'; did you mean resource?"),
        ("ignore:\n- reason: a", "2:3: rule is required"),
        ("ignore:\n- rule: []", "2:3: rule is required"),
        ("ignore:\n- {rule: a, until: 2026-02-30}", "2:13: '2026-02-30' is not a date such as 2026-12-31"),
        ("ignore:\n- {rule: a, until: [2026-02-01, 2026-02-02]}", "2:13: until takes one value, got 2"),
        ("ignore: {rule: a, resource: web}",
         "1:19: 'web' is not an object; write it like deployment/web or shop/deployment/web"),
    ],
)  # fmt: skip
def test_a_wrong_entry_of_the_file_is_named_with_its_place(repo: Path, text: str, fault: str) -> None:
    (repo / YAML).write_text(text)

    assert faults(repo, {}) == [f".applylint.yaml:{fault}"]


def test_errors_of_all_sources_are_reported_together(repo: Path) -> None:
    (repo / YAML).write_text("color: red\n")

    assert faults(repo, {"fail-on": ["fatal"]}, {"APPLYLINT_VERBOSITY": "loud"}) == [
        ".applylint.yaml:1:1: 'red' is not one of auto, always, never",
        "APPLYLINT_VERBOSITY: 'loud' is not a number",
        "--fail-on: 'fatal' is not one of error, warning, info",
    ]


@pytest.mark.parametrize(
    ("mode", "environ", "is_terminal", "wanted"),
    [
        ("auto", {}, True, True),
        ("auto", {}, False, False),
        ("auto", {"NO_COLOR": "1", "FORCE_COLOR": "1"}, True, False),
        ("auto", {"NO_COLOR": ""}, True, True),
        ("auto", {"FORCE_COLOR": "1"}, False, True),
        ("auto", {"FORCE_COLOR": "0"}, False, False),
        ("auto", {"CLICOLOR_FORCE": "1"}, False, True),
        ("auto", {"TERM": "dumb"}, True, False),
        ("always", {"NO_COLOR": "1"}, False, True),
        ("never", {"FORCE_COLOR": "1"}, True, False),
    ],
)
def test_colour_follows_the_flag_then_the_variables_then_the_terminal(
    mode: str, environ: Mapping[str, str], is_terminal: bool, wanted: bool
) -> None:
    assert wants_color(ColorMode(mode), environ, is_terminal=is_terminal) is wanted
