"""The checks of the text of an editor, apart from the protocol."""

import json

from kubectl_applylint.appliers.flags import NO_FLAGS
from kubectl_applylint.cli.lsp_checks import TextChecker, TextFindings
from kubectl_applylint.config.configuration import Config
from kubectl_applylint.config.hiding import choose_rules, policy_of

URI = "file:///web.yaml"
TEXT = (
    "apiVersion: v1\nkind: Service\nmetadata:\n  name: web\nspec:\n  selector: {app: web}\n  ports:\n  - port: '80'\n"
)
SECRET = "apiVersion: v1\nkind: Secret\nmetadata:\n  name: web\nstringData:\n  a: [c4nary-of-a-secret]\n"


def findings(text: str) -> TextFindings:
    config = Config()
    rules = choose_rules(config)
    checker = TextChecker(rules, policy_of(config, rules), NO_FLAGS, config.kubernetes_version)
    return checker.check(text, "web.yaml", URI)


def test_a_finding_has_its_place_and_a_fix() -> None:
    found = findings(TEXT)

    (fix,) = found.actions
    assert fix["edit"]["changes"][URI][0]["newText"] == "  - port: 80\n"
    assert fix["diagnostics"] == [*found.diagnostics]


def test_what_cannot_be_read_has_its_place() -> None:
    (unread,) = findings("apiVersion: v1\nkind: [\n").diagnostics

    assert unread["range"]["start"]["line"] == 2


def test_a_value_of_a_secret_is_masked() -> None:
    found = findings(SECRET)

    assert found.diagnostics
    assert "c4nary" not in json.dumps([*found.diagnostics, *found.actions])
