"""Descriptions of what is at a position."""

from pathlib import Path

import pytest

from kubectl_applylint.cli.editor.checks import CheckedText
from kubectl_applylint.cli.editor.hover import hover_text
from kubectl_applylint.cli.editor.settings import checker_of
from kubectl_applylint.cli.editor.texts import OpenText, uri_of
from kubectl_applylint.cli.editor.unit_checks import UnitChecker
from kubectl_applylint.cli.parsing.arguments import parse
from tests.cli.editor.test_checks import CHECKER
from tests.cli.editor.test_definitions import place_of_word
from tests.cli.editor.test_server import TEXT
from tests.cli.editor.test_unit_checks import WEB

SECRET = "apiVersion: v1\nkind: Secret\nmetadata: {name: a}\nstringData: {b: c4nary-of-a-secret}\n"


def hover(text: str, word: str) -> str:
    checked = CHECKER.check_alone(OpenText("untitled:1", text), "web.yaml")
    return hover_text(CHECKER, checked, place_of_word(text, word))


def test_a_diagnostic_has_the_text_of_its_rule() -> None:
    found = hover(TEXT, "port:")

    assert found.startswith("**value-of-wrong-type-rejected** (error): ")
    assert "\n\n" in found


def test_a_field_has_its_defaults() -> None:
    assert "`spec.template.spec.containers[0].ports[0]` of deployment.apps/web" in hover(WEB, "[{containerPort")
    assert '- default: protocol is "TCP"' in hover(WEB, "[{containerPort")


@pytest.mark.parametrize("word", ["apiVersion", "name: web"])
def test_a_field_without_a_default_has_no_text(word: str) -> None:
    assert hover(WEB, word) == ""


def test_a_secret_is_not_described() -> None:
    other = SECRET.replace("Secret", "ConfigMap").replace("stringData", "data")

    assert "c4nary" not in hover(f"{SECRET}---\n{other}", "stringData")
    assert "c4nary" not in hover(f"{SECRET}---\n{other}", "data:")


@pytest.mark.slow
def test_a_live_object_shows_why_a_field_has_its_value(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "app").mkdir()
    web = WEB.replace("spec:\n", "spec:\n  replicas: 3\n", 1)
    (tmp_path / "app/web.yaml").write_text(web)
    live = WEB.replace("spec:\n", "spec:\n  replicas: 2\n", 1).replace(
        "{name: web}", "{name: web, namespace: default}", 1
    )
    (tmp_path / "live.yaml").write_text(live)
    checker = checker_of(parse("applylint", ["lsp"]), {"against": "snapshot:live.yaml"})
    document = OpenText(uri_of(str(tmp_path / "app/web.yaml")), web)
    checked = UnitChecker(checker, [str(tmp_path)]).check(document, [document])

    assert isinstance(checked, CheckedText)
    found = hover_text(checker, checked, place_of_word(web, "replicas"))
    assert "spec.replicas of deployment" in found
    assert "the next kubectl apply changes it from 2 to 3" in found
