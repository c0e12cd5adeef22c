"""The commands of the README and of the pages in ``docs``, and what they print.

``python -m tests.readme`` writes what they print now into these.
"""

import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
PAGES = (README, *sorted((ROOT / "docs").glob("*.md")))
_SESSION = re.compile(r"^```console\n\$ (?P<command>.*)\n(?P<output>(?:.*\n)*?)```$", re.MULTILINE)
_BLOCK = re.compile(r"^```(?P<language>\w*)\n(?P<lines>(?:.*\n)*?)```$|(?P<indented>^(?: {4}\S.*\n)+)", re.MULTILINE)
_OURS = re.compile(r"\s*(?:kubectl )?applylint ")
_SCRIPT = re.compile(r"^```sh\n(?P<line>.*)\n```$", re.MULTILINE)


def sessions(text: str) -> dict[str, str]:
    """Return the commands that are shown with what they print."""
    return {match["command"]: match["output"] for match in _SESSION.finditer(text)}


def scripts(text: str) -> list[str]:
    """Return the commands that are shown without what they print, each a block of one line."""
    return [match["line"] for match in _SCRIPT.finditer(text)]


def shown_commands(text: str) -> list[str]:
    """Return the commands of applylint that are shown for other repositories or a cluster, which this one has not."""
    found = (match for match in _BLOCK.finditer(text) if match["language"] in (None, "", "sh"))
    blocks = (match["lines"] or match["indented"] for match in found)
    return [line for block in blocks for line in block.splitlines() if _OURS.match(line)]


def run(
    command: str, *, folder: Path = ROOT, environment: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a command of a page in a clone, with the programs of this environment unless ``environment`` says so."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        command,
        shell=True,
        cwd=folder,
        env={**os.environ, "PATH": path, **(environment or {})},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


def fill(text: str) -> str:
    """Return a page with what its commands print now."""
    return _SESSION.sub(lambda match: f"```console\n$ {match['command']}\n{run(match['command']).stdout}```", text)


if __name__ == "__main__":
    for page in PAGES:
        page.write_text(fill(page.read_text(encoding="utf-8")), encoding="utf-8")
