"""The settings of an editor."""

from pathlib import Path

import pytest

from kubectl_applylint.cli.editor.settings import checker_of
from kubectl_applylint.cli.parsing.arguments import parse
from kubectl_applylint.config.configuration import ConfigError
from kubectl_applylint.core.values import Json

ARGUMENTS = parse("applylint", ["lsp", "-n", "shop"])


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))


@pytest.mark.parametrize(
    "settings", [None, {}, {"applylint": {"against": ""}}, {"path": "x", "trace": {}, "select": None}]
)
def test_without_settings_the_command_line_counts(settings: Json) -> None:
    found = checker_of(ARGUMENTS, settings)

    assert (found.config.namespace, str(found.config.against), found.arguments.command) == ("shop", "none", "check")


def test_settings_override_the_command_line() -> None:
    settings = {"against": "live", "namespace": "other", "ignore": ["replicas-set-back"], "context": "prod"}
    found = checker_of(ARGUMENTS, {"applylint": settings})

    assert (str(found.config.against), found.config.namespace) == ("live", "other")
    assert found.arguments.connection.context == "prod"
    assert "replicas-set-back" not in [rule.id for rule in found.rules.rules]


@pytest.mark.parametrize(("text", "against"), [("live", "none"), ("last-applied", "none"), ("HEAD", "git:HEAD")])
def test_no_configuration_file_makes_an_editor_ask_a_cluster(tmp_path: Path, text: str, against: str) -> None:
    (tmp_path / "applylint").mkdir()
    (tmp_path / "applylint/config.yaml").write_text(f"against: {text}\n")
    found = checker_of(ARGUMENTS, {})

    assert str(found.config.against) == against
    assert found.arguments.flags["against"] == (against,)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"agianst": "HEAD"}, "applylint.agianst: unknown setting; did you mean against"),
        ({"select": 1}, "applylint.select: expected a string, or a list of strings"),
        ({"context": ["a"]}, "applylint.context: expected a string"),
        ({"select": "none"}, "unknown rule or family 'none'"),
        ({"against": "snapshot:"}, "is not one of none, live"),
    ],
)
def test_an_invalid_setting_is_named(settings: Json, words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        checker_of(ARGUMENTS, settings)
