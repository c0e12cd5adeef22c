#!/usr/bin/env python3
"""Write ``docs/plan.svg``, the picture of the README: a real plan in a terminal of 112 columns, with its colours."""

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from pathlib import Path

from rich.console import Console
from rich.text import Text

ROOT = Path(__file__).parents[1]
PICTURE = ROOT / "docs" / "plan.svg"
COMMAND = "applylint plan examples/change/after --against dir:examples/change/before"
COLUMNS, LINES = 112, 200
_ELSEWHERE = re.compile(r"@font-face \{.*?\}\s*|<!--.*?-->\s*", re.DOTALL)


def main() -> int:
    """Write the picture."""
    PICTURE.write_text(drawn(printed()), encoding="utf-8")
    return 0


def printed() -> str:
    """Return what the command prints in a terminal."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", LINES, COLUMNS, 0, 0))
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {"PATH": path, "HOME": os.environ.get("HOME", "/"), "TERM": "xterm-256color", "LANG": "C.UTF-8"}
    process = subprocess.Popen(
        COMMAND.split(), cwd=ROOT, env=environment, stdin=theirs, stdout=theirs, stderr=subprocess.DEVNULL
    )
    os.close(theirs)
    parts: list[bytes] = []
    while part := _read(ours):
        parts.append(part)
    process.wait()
    os.close(ours)
    return b"".join(parts).decode().replace("\r\n", "\n").rstrip("\n")


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65536)
    except OSError:  # the other side has closed it
        return b""


def drawn(text: str) -> str:
    """Return a picture of what a terminal shows, which refers to nothing elsewhere."""
    with open(os.devnull, "w", encoding="utf-8") as nowhere:
        console = Console(file=nowhere, record=True, width=COLUMNS, force_terminal=True, color_system="truecolor")
        console.print(Text.from_ansi(f"$ {COMMAND}\n{text}"))
    return _ELSEWHERE.sub("", console.export_svg(title="applylint", unique_id="plan")).replace("Fira Code, ", "")


if __name__ == "__main__":
    raise SystemExit(main())
