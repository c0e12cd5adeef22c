"""Editors: the extension of Visual Studio Code is built and its protocol library and Neovim use the program."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from zipfile import ZipFile

import pytest

from kubectl_applylint.cli.editor.settings import CONTEXT, OPTIONS
from tests.cli.editor.test_server import TEXT

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parent.parent
EXTENSION = ROOT / "editors/vscode"
VSCE = "@vscode/vsce@3.9.2"
PATIENCE = 300
LSP = (sys.executable, "-m", "kubectl_applylint", "lsp")
NEOVIM = """
local id = vim.lsp.start_client({ cmd = { %s }, root_dir = vim.fn.getcwd(), init_options = { against = "none" } })
vim.lsp.buf_attach_client(0, id)
vim.wait(20000, function() return #vim.diagnostic.get(0) > 0 end, 50)
local position = { textDocument = vim.lsp.util.make_text_document_params(), position = { line = 7, character = 6 } }
local hover = vim.lsp.buf_request_sync(0, "textDocument/hover", position, 10000)
local found = { diagnostics = vim.diagnostic.get(0), hover = hover[id].result.contents.value }
io.stdout:write(vim.fn.json_encode(found))
vim.lsp.stop_client(id)
vim.cmd("quit!")
"""


def _missing(reason: str) -> None:
    """Skip a test without its program, or fail if ``CI`` is set."""
    if os.environ.get("CI"):
        pytest.fail(reason)
    pytest.skip(reason)


def _run(command: Sequence[str], folder: Path) -> str:
    run = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=PATIENCE)
    assert run.returncode == 0, run.stdout + run.stderr
    return run.stdout


@pytest.fixture(name="extension", scope="module")
def _extension(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of the extension with the packages that it needs."""
    if shutil.which("npm") is None:
        _missing("npm is not installed")
    folder = tmp_path_factory.mktemp("editors") / "vscode"
    shutil.copytree(EXTENSION, folder, ignore=shutil.ignore_patterns("node_modules", "dist", "*.vsix"))
    run = subprocess.run(["npm", "ci", "--no-audit", "--no-fund"], cwd=folder, capture_output=True, text=True)
    if run.returncode:
        _missing(f"npm ci failed: {run.stderr[-2000:]}")
    return folder


@pytest.mark.cluster
def test_the_extension_is_packaged_with_what_it_runs(extension: Path) -> None:
    options = ("--no-dependencies", "--allow-missing-repository", "--skip-license", "--out", "applylint.vsix")
    _run(["npx", "--yes", VSCE, "package", *options], extension)

    with ZipFile(extension / "applylint.vsix") as package:
        names = {name for name in package.namelist() if name.startswith("extension/")}
    assert names == {"extension/package.json", "extension/readme.md", "extension/dist/extension.js"}


@pytest.mark.cluster
def test_the_protocol_library_of_the_extension_understands_the_program(extension: Path, tmp_path: Path) -> None:
    file = tmp_path / "web.yaml"
    file.write_text(TEXT)
    found = json.loads(_run(["node", "test/session.mjs", str(file), "7", "6", *LSP], extension))

    assert found["encoding"] == "utf-16"
    assert [one["code"] for one in found["diagnostics"]] == ["value-of-wrong-type-rejected"]
    assert found["fixes"][0]["edit"]["changes"][file.as_uri()][0]["newText"] == "  - port: 80\n"
    assert found["hover"]["contents"]["value"].startswith("**value-of-wrong-type-rejected**")


@pytest.mark.cluster
def test_neovim_shows_the_diagnostics_of_a_manifest(tmp_path: Path) -> None:
    editor = shutil.which("nvim")
    if editor is None:
        _missing("Neovim is not installed (apt-get install neovim)")
    (tmp_path / "web.yaml").write_text(TEXT)
    (tmp_path / "try.lua").write_text(NEOVIM % ", ".join(f'"{word}"' for word in LSP))
    command = [str(editor), "--headless", "-u", "NONE", "-i", "NONE", "web.yaml", "-c", "luafile try.lua"]
    found = json.loads(_run(command, tmp_path))

    (diagnostic,) = found["diagnostics"]
    assert (diagnostic["lnum"], diagnostic["col"], diagnostic["source"]) == (7, 4, "applylint")
    assert found["hover"].startswith("**value-of-wrong-type-rejected**")


def test_the_extension_has_the_settings_of_the_program() -> None:
    settings = json.loads((EXTENSION / "package.json").read_text())["contributes"]["configuration"]["properties"]
    assert {name.removeprefix("applylint.") for name in settings} - {"path", "trace.server"} == {*OPTIONS, CONTEXT}
