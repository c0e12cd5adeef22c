from pathlib import Path

import pytest

from kubectl_applylint.config.configuration import Config, load
from kubectl_applylint.config.settings import ConfigFault, ConfigFile, Setting, find, from_file

YAML, TOML = ".applylint.yaml", "pyproject.toml"


@pytest.fixture(name="repo")
def _repo(tmp_path: Path) -> Path:
    """A repository with a folder below its root."""
    (tmp_path / ".git").mkdir()
    (tmp_path / "deploy").mkdir()
    return tmp_path


def settings_lines(folder: Path, name: str, text: str | bytes) -> list[str]:
    """Return what a file says, a line each: a setting with its place, entries in braces, or a fault."""
    file = folder / name
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return [item.text if isinstance(item, ConfigFault) else words(item) for item in from_file(file, name)]


def words(setting: Setting) -> str:
    entries = [f"{{{', '.join(map(words, entry.settings))}}}@{entry.place}" for entry in setting.entries]
    return f"{setting.place} {setting.name}={','.join((*setting.texts, *entries))}"


@pytest.mark.parametrize(
    ("name", "text", "wanted"),
    [
        (YAML, "", []),
        (YAML, "select: [a, b]\ncolor:   red\n", [f"{YAML}:1:1 select=a,b", f"{YAML}:2:1 color=red"]),
        (YAML, "kubernetes-version: 1.30\n", [f"{YAML}:1:1 kubernetes-version=1.30"]),
        (YAML, "ignore:\n  - a\n  - rule: [b, c]\n    until: 2026-12-31\n",
         [f"{YAML}:1:1 ignore=a,{{{YAML}:3:5 rule=b,c, {YAML}:4:5 until=2026-12-31}}@{YAML}:3:5"]),
        (TOML, '[tool.x]\ncolor = 1\n[tool.applylint]\nexit-zero = true\n  "select" = ["a"]\n',
         [f"{TOML}:4:1 exit-zero=true", f"{TOML}:5:3 select=a"]),
        (TOML, "[tool.applylint]\nkubernetes-version = 1.30\n", [f"{TOML}:2:1 kubernetes-version=1.30"]),
        (TOML, '[tool.applylint]\nignore = ["a", {rule = "b", until = 2026-12-31}]\n',
         [f"{TOML}:2:1 ignore=a,{{{TOML}:2:1 rule=b, {TOML}:2:1 until=2026-12-31}}@{TOML}:2:1"]),
        (TOML, '[[tool.applylint.ignore]]\nrule = ["a"]\n\n[[tool.applylint.ignore]]\nrule = "b"\n',
         [f"{TOML}:1:1 ignore={{{TOML}:1:1 rule=a}}@{TOML}:1:1,{{{TOML}:4:1 rule=b}}@{TOML}:4:1"]),
    ],
    ids=["nothing", "yaml", "number", "mapping", "toml", "toml number", "inline table", "tables"],
)  # fmt: skip
def test_each_setting_keeps_its_text_and_its_place(repo: Path, name: str, text: str, wanted: list[str]) -> None:
    assert settings_lines(repo, name, text) == wanted


@pytest.mark.parametrize(
    ("name", "text", "wanted"),
    [
        (YAML, "select: [[a]]\n", [f"{YAML}:1:1: select takes a scalar or a list of scalars"]),
        (YAML, "ignore: [{rule: {a: b}}]\n", [f"{YAML}:1:11: rule takes a scalar or a list of scalars",
                                              f"{YAML}:1:1 ignore={{}}@{YAML}:1:10"]),
        (YAML, "- a\n", [f"{YAML}:1:1: not a map of options"]),
        (YAML, "[a]: 1\n", [f"{YAML}:1:1: not the name of an option"]),
        (YAML, "a: 1\na: 2\n", [f"{YAML}:1:1 a=1", f"{YAML}:2:1: a is set twice", f"{YAML}:2:1 a=2"]),
        (YAML, "a: [\n", [f"{YAML}:2:1: not YAML: expected the node content, but found '<stream end>'"]),
        (YAML, b"\xff\xfe\xff", [f"{YAML}: cannot be read: not UTF-8 text"]),
        (YAML, "color: \x07\n", [f"{YAML}: not YAML: special characters are not allowed"]),
        (TOML, "[tool.applylint]\nselect = [[1]]\n", [f"{TOML}:2:1: select takes a scalar or a list of scalars"]),
        (TOML, "[tool.applylint]\nselect.a = [{b = 1}]\n",
         [f"{TOML}:2:1: select takes a scalar or a list of scalars"]),
        (TOML, "[tool.applylint]\na b\n",
         [f"{TOML}: not TOML: Expected '=' after a key in a key/value pair (at line 2, column 3)"]),
    ],
    ids=["list", "deep map", "no mapping", "odd key", "twice", "no yaml", "no text", "control", "toml list",
         "toml table", "no toml"],
)  # fmt: skip
def test_invalid_settings_are_named_with_their_place(
    repo: Path, name: str, text: str | bytes, wanted: list[str]
) -> None:
    assert settings_lines(repo, name, text) == wanted


def test_the_nearest_file_holds(repo: Path) -> None:
    (repo / YAML).write_text("")
    (repo / "deploy" / TOML).write_text("[tool.other]\n")

    assert find(repo / "deploy") == ConfigFile((repo / YAML).resolve(), repo.resolve())
    (repo / "deploy" / TOML).write_text("[tool.applylint]\n")
    assert find(repo / "deploy") == ConfigFile((repo / "deploy" / TOML).resolve(), repo.resolve())


def test_outside_of_a_repository_only_the_folder_itself_counts(tmp_path: Path) -> None:
    (tmp_path / YAML).write_text("namespace: elsewhere\n")
    (tmp_path / "work").mkdir()

    assert find(tmp_path / "work") is None


def test_an_unreadable_pyproject_is_skipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / TOML).write_text("[tool.applylint]\n")

    def refuse(path: Path, **_: str) -> str:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "read_text", refuse)

    assert load({}, {}, tmp_path) == Config()
