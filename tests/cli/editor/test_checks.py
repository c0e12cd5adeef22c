"""The checks of the text of an editor, apart from the protocol."""

import json
from dataclasses import replace

from kubectl_applylint.cli.editor.checks import CheckedText, Checker
from kubectl_applylint.cli.editor.texts import OpenText
from kubectl_applylint.cli.parsing.arguments import parse
from kubectl_applylint.config.configuration import Config
from kubectl_applylint.config.hiding import choose_rules, policy_of
from tests.cli.editor.test_server import SECRET, TEXT

CONFIG = Config()
RULES = choose_rules(CONFIG)
CHECKER = Checker(replace(parse("applylint", ["lsp"]), command="check"), CONFIG, RULES, policy_of(CONFIG, RULES))
URI = "file:///web.yaml"
LAST = 1_000


def check_text(text: str) -> CheckedText:
    return CHECKER.check_alone(OpenText(URI, text), "web.yaml")


def test_a_finding_has_its_place_and_a_fix() -> None:
    found = check_text(TEXT)

    (fix,) = CHECKER.fixes(found, 0, LAST)
    assert fix["edit"]["changes"][URI][0]["newText"] == "  - port: 80\n"
    assert fix["diagnostics"] == found.diagnostics
    assert CHECKER.fixes(found, 0, 6) == []


def test_a_syntax_error_has_its_place() -> None:
    (unread,) = check_text("apiVersion: v1\nkind: [\n").diagnostics

    assert unread["range"]["start"]["line"] == 2


def test_a_value_of_a_secret_is_masked() -> None:
    found = check_text(SECRET)

    assert found.diagnostics
    assert "c4nary" not in json.dumps([*found.diagnostics, *CHECKER.fixes(found, 0, LAST)])
