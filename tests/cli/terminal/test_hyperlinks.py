"""Links to files: the terminals that get them, and their targets."""

import os
import socket
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from kubectl_applylint.cli import applylint
from kubectl_applylint.cli.terminal.hyperlinks import has_links, is_forced, url_of
from tests.cli.terminal.test_pager import Terminal

KITTY = {"TERM": "xterm-kitty"}


@pytest.mark.parametrize(
    ("environ", "is_terminal", "wanted"),
    [
        ({"TERM": "xterm-256color"}, True, False),
        (KITTY, True, True),
        (KITTY, False, False),
        ({**KITTY, "CI": "1"}, True, False),
        ({**KITTY, "STY": "1.pts"}, True, False),
        ({**KITTY, "NO_COLOR": "1"}, True, True),
        ({"TERM": "xterm", "TERM_PROGRAM": "vscode"}, True, True),
        ({"TERM": "xterm", "TERM_PROGRAM": "Apple_Terminal"}, True, False),
        ({"TERM": "xterm", "VTE_VERSION": "7006"}, True, True),
        ({"TERM": "xterm", "VTE_VERSION": "4900"}, True, False),
        ({"TERM": "xterm", "VTE_VERSION": "new"}, True, False),
        ({"TERM": "xterm", "WT_SESSION": "x"}, True, True),
        ({"TERM": "dumb", "WT_SESSION": "x"}, True, False),
        ({"FORCE_HYPERLINK": "1"}, False, True),
        ({**KITTY, "FORCE_HYPERLINK": "0"}, True, False),
        ({**KITTY, "FORCE_HYPERLINK": ""}, True, True),
    ],
    ids=[
        "unknown",
        "kitty",
        "pipe",
        "CI",
        "screen",
        "without colours",
        "program",
        "other program",
        "VTE",
        "old VTE",
        "odd VTE",
        "set",
        "dumb",
        "forced",
        "forced off",
        "not forced",
    ],
)
def test_links_are_for_terminals_that_know_them(environ: Mapping[str, str], is_terminal: bool, wanted: bool) -> None:
    assert has_links(environ, is_terminal=is_terminal) is wanted


@pytest.mark.parametrize(("value", "wanted"), [("1", True), ("0", False), ("", False)])
def test_the_caller_may_force_links(value: str, wanted: bool) -> None:
    assert is_forced({"FORCE_HYPERLINK": value}) is wanted


@pytest.mark.parametrize(
    ("environ", "fragment"),
    [(KITTY, "#3"), ({"TERM": "xterm", "TERM_PROGRAM": "iTerm.app"}, "#3"), ({"FORCE_HYPERLINK": "1"}, "")],
    ids=["kitty", "iTerm", "others"],
)
def test_a_link_names_host_and_file_and_the_line_where_that_is_known(
    folder: Path, environ: Mapping[str, str], fragment: str
) -> None:
    url = url_of(environ, is_terminal=True)

    assert url("web.yaml", 3) == f"file://{socket.gethostname()}{folder}/web.yaml{fragment}"
    assert "#" not in url("web.yaml", 0)


def test_a_link_is_of_characters_that_a_url_may_have(folder: Path) -> None:
    name = os.fsdecode(b"a b\x1b\\\xff;#.yaml")
    (folder / name).touch()

    assert url_of(KITTY, is_terminal=True)(name, 0).endswith("/a%20b%1B%5C%FF%3B%23.yaml")


@pytest.mark.parametrize("name", ["-", "absent.yaml", ".", "deployment.apps/web in shop", ""])
def test_names_without_a_file_have_no_link(folder: Path, name: str) -> None:
    assert url_of(KITTY, is_terminal=True)(name, 1) == ""


def test_a_check_links_the_places_of_its_findings(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", terminal := Terminal())
    monkeypatch.setenv("FORCE_HYPERLINK", "1")

    applylint(["check", "web.yaml", "absent.yaml", "--against", "snapshot:prod.json", "--color=never"])

    url = f"file://{socket.gethostname()}{folder}/web.yaml"
    assert f"\x1b]8;;{url}\x1b\\web.yaml:5:3\x1b]8;;\x1b\\: error: " in terminal.getvalue()
    assert "\nabsent.yaml: problem: " in terminal.getvalue()


@pytest.mark.parametrize("form", ["concise", "json", "github", "markdown"])
def test_other_forms_have_no_links(
    folder: Path, form: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("FORCE_HYPERLINK", "1")

    applylint(["check", "web.yaml", "--against", "snapshot:prod.json", "-o", form])

    assert "file://" not in capsys.readouterr().out
