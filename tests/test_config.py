from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from kubectl_applylint.config import (
    Against,
    ColorMode,
    Config,
    ConfigError,
    Format,
    Kind,
    Output,
    find,
    load,
    wants_color,
)
from kubectl_applylint.language import Language
from kubectl_applylint.model import Severity

YAML, TOML = ".applylint.yaml", "pyproject.toml"
FORMATS = "text, concise, json, yaml, sarif, github, gitlab, junit, markdown"
STATES = "none, live, snapshot:FILE, dir:PATH, file:PATH, nor a git revision"


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


def test_nothing_said_means_the_defaults(tmp_path: Path) -> None:
    assert load({}, {}, tmp_path, Config(namespace="shop")) == Config(namespace="shop")


@pytest.mark.parametrize(
    ("flags", "wanted"),
    [
        ({"against": ["none"]}, Config()),
        ({"against": ["snapshot:a:b.yaml"]}, Config(against=Against(Kind.SNAPSHOT, "a:b.yaml"))),
        ({"against": ["dir:before"]}, Config(against=Against(Kind.DIR, "before"))),
        ({"against": ["file:before.yaml"]}, Config(against=Against(Kind.FILE, "before.yaml"))),
        ({"against": ["main"]}, Config(against=Against(Kind.GIT, "main"))),
        ({"against": ["index"]}, Config(against=Against(Kind.GIT, "index"))),
        ({"against": ["git:none"]}, Config(against=Against(Kind.GIT, "none"))),
        ({"against": ["origin/main..."]}, Config(against=Against(Kind.GIT, "origin/main..."))),
        ({"against": ["HEAD~1:deploy/a b"]}, Config(against=Against(Kind.GIT, "HEAD~1:deploy/a b"))),
        ({"namespace": ["shop"]}, Config(namespace="shop")),
        ({"kubernetes-version": ["v1.33.4"]}, Config(kubernetes_version="1.33")),
        ({"kubernetes-version": ["1.30"]}, Config(kubernetes_version="1.30")),
        ({"server-side": ["true"], "force-conflicts": ["true"]}, Config(server_side=True, force_conflicts=True)),
        ({"field-manager": ["team a"]}, Config(field_manager="team a")),
        ({"rules": ["ours", "theirs"]}, Config(rules=("ours", "theirs"))),
        ({"select": ["a,b", "c"]}, Config(select=("a", "b", "c"))),
        ({"ignore": ["a"]}, Config(ignore=("a",))),
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
        ({"against": ["live?"]}, f"--against: 'live?' is none of {STATES}"),
        ({"against": ["snapshot:"]}, f"--against: 'snapshot:' is none of {STATES}"),
        ({"against": ["live:prod"]}, f"--against: 'live:prod' is none of {STATES}"),
        ({"against": ["git:"]}, f"--against: 'git:' is none of {STATES}"),
        ({"against": ["--upload-pack=x"]}, f"--against: '--upload-pack=x' is none of {STATES}"),
        ({"against": ["dir:"]}, f"--against: 'dir:' is none of {STATES}"),
        ({"namespace": [""]}, "--namespace: an empty value"),
        ({"kubernetes-version": ["new"]}, "--kubernetes-version: 'new' is no version such as 1.36"),
        (
            {"field-manager": ["a\tb"]},
            "--field-manager: 'a\\tb' is no name of 1 to 128 characters that can be printed",
        ),
        ({"fail-on": ["fatal"]}, "--fail-on: 'fatal' is none of error, warning, info"),
        ({"color": ["red"]}, "--color: 'red' is none of auto, always, never"),
        ({"output": ["xml"]}, f"--output: 'xml' is none of {FORMATS}"),
        ({"exit-zero": ["yes"]}, "--exit-zero: 'yes' is none of true, false"),
        ({"verbosity": ["-1"]}, "--verbosity: '-1' is no number"),
        (
            {"output": ["text", "json"]},
            "--output: two formats go to standard output; give one a file of its own, as in -o json=report.json",
        ),
        ({"namespace": ["a", "b"]}, "--namespace: namespace takes one value, not 2"),
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


def test_files_named_in_the_configuration_stand_beside_it(repo: Path) -> None:
    (repo / YAML).write_text("against: snapshot:prod.yaml\nrules: [ours]\noutput: json=out.json\n")

    config = load({}, {}, repo / "deploy")

    assert (config.against.argument, config.rules) == (str(repo / "prod.yaml"), (str(repo / "ours"),))
    assert config.output == (Output(Format.JSON, str(repo / "out.json")),)


def test_pyproject_is_read_in_its_own_types(repo: Path) -> None:
    (repo / TOML).write_text('[tool.applylint]\nexit-zero = true\nselect = ["a"]\nkubernetes-version = 1.33\n')

    assert load({}, {}, repo) == Config(exit_zero=True, select=("a",), kubernetes_version="1.33")


def test_the_nearest_file_holds(repo: Path) -> None:
    (repo / YAML).write_text("")
    (repo / "deploy" / TOML).write_text("[tool.other]\n")

    assert find(repo / "deploy") == (repo / YAML).resolve()
    (repo / "deploy" / TOML).write_text("[tool.applylint]\n")
    assert find(repo / "deploy") == (repo / "deploy" / TOML).resolve()


def test_outside_of_a_repository_only_the_folder_itself_counts(tmp_path: Path) -> None:
    (tmp_path / YAML).write_text("namespace: elsewhere\n")
    (tmp_path / "work").mkdir()

    assert find(tmp_path / "work") is None


def test_a_pyproject_that_cannot_be_read_is_somebody_elses_trouble(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / TOML).write_text("[tool.applylint]\n")

    def refuse(path: Path, **_: str) -> str:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "read_text", refuse)

    assert load({}, {}, tmp_path) == Config()


@pytest.mark.parametrize(
    ("name", "text", "wanted"),
    [
        (YAML, "color: red\nfail-on: info\nfails: 1\n",
         ["{}:3:1: unknown option 'fails'; known are against, namespace, kubernetes-version, server-side,"
          " force-conflicts, field-manager, rules, select, ignore, fail-on, exit-zero, show-secrets, color, lang,"
          " output, verbosity",
          "{}:1:1: 'red' is none of auto, always, never"]),
        (YAML, "select: {a: b}\n", ["{}:1:1: select takes plain values, alone or in a list"]),
        (YAML, "- a\n", ["{}:1:1: not a mapping of options"]),
        (YAML, "a: [\n", ["{}:2:1: not YAML: expected the node content, but found '<stream end>'"]),
        (YAML, b"\xff\xfe\xff", ["{}: cannot be read: not UTF-8 text"]),
        (YAML, "color: \x07\n", ["{}: not YAML: special characters are not allowed"]),
        (TOML, '[tool.x]\ncolor = 1\n[tool.applylint]\n\ncolor = "red"\n',
         ["{}:5:1: 'red' is none of auto, always, never"]),
        (TOML, "[tool.applylint]\nselect = [[1]]\n", ["{}:2:1: select takes plain values, alone or in a list"]),
        (TOML, "[tool.applylint.select]\na = 1\n", ["{}:1:1: select takes plain values, alone or in a list"]),
        (TOML, "[tool.applylint]\na b\n",
         ["{}: not TOML: Expected '=' after a key in a key/value pair (at line 2, column 3)"]),
    ],
    ids=["all", "map", "no mapping", "no yaml", "no text", "control", "toml", "toml list", "toml table", "no toml"],
)  # fmt: skip
def test_every_fault_of_the_file_has_its_place(repo: Path, name: str, text: str | bytes, wanted: list[str]) -> None:
    file = repo / name
    file.write_bytes(text if isinstance(text, bytes) else text.encode())

    assert faults(repo, {}) == [line.format(file.resolve()) for line in wanted]


def test_faults_of_all_sources_come_together(repo: Path) -> None:
    (repo / YAML).write_text("color: red\n")

    assert faults(repo, {"fail-on": ["fatal"]}, {"APPLYLINT_VERBOSITY": "loud"}) == [
        f"{(repo / YAML).resolve()}:1:1: 'red' is none of auto, always, never",
        "APPLYLINT_VERBOSITY: 'loud' is no number",
        "--fail-on: 'fatal' is none of error, warning, info",
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
