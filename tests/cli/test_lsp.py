"""The command ``lsp``, apart from the protocol."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.editor.client import running_editor

pytestmark = pytest.mark.slow

COMMAND = (sys.executable, "-m", "kubectl_applylint", "lsp")


def test_a_session_ends_with_0(tmp_path: Path) -> None:
    with running_editor(tmp_path) as editor:
        assert editor.answer("initialize", {})["result"]["serverInfo"]["name"] == "applylint"


def test_an_editor_that_disappears_ends_the_program_with_1() -> None:
    run = subprocess.run(COMMAND, stdin=subprocess.DEVNULL, capture_output=True, check=False)

    assert (run.returncode, run.stdout, run.stderr) == (1, b"", b"")


def test_an_invalid_configuration_is_one_line() -> None:
    run = subprocess.run([*COMMAND, "--select", "none"], stdin=subprocess.DEVNULL, capture_output=True, check=False)

    assert run.returncode == 2
    assert run.stderr.count(b"\n") == 1
