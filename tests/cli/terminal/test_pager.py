"""Output longer than the screen: the pager and its conditions. The last tests read a real terminal."""

import fcntl
import io
import os
import pty
import select
import struct
import subprocess
import sys
import termios
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import pytest

from kubectl_applylint.cli.terminal import output, pager
from kubectl_applylint.cli.terminal.pager import has_reader, is_long, page_output, pager_of
from kubectl_applylint.core.safe_text import link

PROGRAM = (sys.executable, "-m", "kubectl_applylint")
NOTHING: Mapping[str, str] = {}
OWNING = (
    sys.executable,
    "-c",
    "import fcntl, os, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); os.execv(sys.argv[1], sys.argv[1:])",
)
"""Starts the program that follows in a session whose terminal is the one on standard input."""
ROWS, COLUMNS = 10, 80
RULES = ("rules", "--family", "cluster")
MANY = "".join(f"line {number}\n" for number in range(ROWS))
CLEARED = ("APPLYLINT_PAGER", "PAGER", "LESS", "CI", "NO_COLOR", "COLUMNS", "LINES", "FORCE_HYPERLINK")


class Terminal(io.StringIO):
    """Says that it is one; no other program can write to it."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("environ", "command"),
    [
        ({}, ("less",)),
        ({"PAGER": "more"}, ("more",)),
        ({"PAGER": "more", "APPLYLINT_PAGER": "less -S"}, ("less", "-S")),
        ({"PAGER": "more", "APPLYLINT_PAGER": ""}, ()),
        ({"PAGER": "cat"}, ()),
        ({"PAGER": " "}, ()),
        ({"GIT_PAGER": "more"}, ("less",)),
        ({"PAGER": "sed s/a/b/ | less"}, ("sh", "-c", "sed s/a/b/ | less")),
        ({"PAGER": "LESS=R less"}, ("sh", "-c", "LESS=R less")),
    ],
    ids=["none named", "usual", "own", "own off", "cat", "blank", "git's", "pipe", "with a variable"],
)
def test_the_environment_names_the_pager(environ: Mapping[str, str], command: tuple[str, ...]) -> None:
    assert pager_of(environ) == command


@pytest.mark.parametrize(
    ("stream", "environ"),
    [
        (io.StringIO(), {"TERM": "xterm"}),
        (Terminal(), {"TERM": "dumb"}),
        (Terminal(), {}),
        (Terminal(), {"TERM": "xterm", "CI": "true"}),
        (Terminal(), {"TERM": "xterm"}),
    ],
    ids=["pipe", "dumb", "no terminal type", "CI", "terminal of another session"],
)
def test_a_stream_without_a_terminal_has_no_reader(
    stream: io.StringIO, environ: Mapping[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdout", stream)

    assert not has_reader(environ)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("line\n" * (ROWS - 1), False),
        ("line\n" * ROWS, True),
        ("x" * COLUMNS * ROWS, True),
        ("\x1b[31mx\x1b[0m" * COLUMNS, False),
        ("", False),
    ],
    ids=["fits", "one more", "one long line", "colours take no room", "nothing"],
)
def test_a_text_longer_than_the_screen_is_recognized(text: str, wanted: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LINES", str(ROWS))
    monkeypatch.setenv("COLUMNS", str(COLUMNS))

    assert is_long(text) is wanted


@pytest.fixture(name="desk")
def _desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A reader in front of a small screen, whose pager keeps what it is given in a file."""
    monkeypatch.setattr(pager, "has_reader", lambda environ: True)
    monkeypatch.setenv("LINES", str(ROWS))
    return tmp_path / "seen"


def shown_by(command: str, text: str = MANY, *, is_wanted: bool = True) -> None:
    with page_output({**os.environ, "PAGER": command}, is_wanted=is_wanted):
        output.write(text)


def test_a_pager_gets_the_page_and_the_way_less_behaves(desk: Path, capfd: pytest.CaptureFixture[str]) -> None:
    shown_by(f'{{ echo "$LESS $LV"; cat; }} > {desk}')

    assert (desk.read_text(), capfd.readouterr().out) == (f"FRX -c\n{MANY}", "")


def test_the_callers_less_is_kept(desk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LESS", "S")
    shown_by(f'echo "$LESS" > {desk}; cat > /dev/null')

    assert desk.read_text() == "S\n"


@pytest.mark.parametrize(("forced", "links"), [("", 0), ("0", 0), ("1", 2 * ROWS)], ids=["usual", "off", "forced"])
def test_a_pager_gets_links_only_where_they_are_forced(desk: Path, forced: str, links: int) -> None:
    with page_output({**os.environ, "PAGER": f"cat > {desk}", "FORCE_HYPERLINK": forced}, is_wanted=True):
        output.write((link("web.yaml", "file://host/web.yaml") + "\n") * ROWS, links=True)

    assert desk.read_text().count("\x1b]8;;") == links


@pytest.mark.parametrize(
    ("command", "text", "is_wanted"),
    [
        ("cat", MANY, True),
        ("", MANY, True),
        ("absent-pager", MANY, True),
        ("absent-pager -x | absent-too", MANY, True),
        ("echo never", "short\n", True),
        ("echo never", MANY, False),
        ("/", MANY, True),
    ],
    ids=["cat", "empty", "not found", "not found by a shell", "short", "--no-pager", "no program"],
)
def test_without_a_pager_the_page_is_printed(
    desk: Path, capfd: pytest.CaptureFixture[str], command: str, text: str, is_wanted: bool
) -> None:
    shown_by(command, text, is_wanted=is_wanted)

    assert capfd.readouterr().out == text


def test_an_early_exit_of_the_pager_is_no_error(desk: Path, capfd: pytest.CaptureFixture[str]) -> None:
    shown_by("head -n 1", MANY * 100_000)

    assert capfd.readouterr() == ("line 0\n", "")


def test_output_before_an_exception_is_printed(desk: Path, capfd: pytest.CaptureFixture[str]) -> None:
    @page_output({"PAGER": "echo never"}, is_wanted=True)
    def fail() -> None:
        output.write(MANY)
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()

    assert capfd.readouterr().out == MANY


def at_a_terminal(argv: Sequence[str], environ: Mapping[str, str] = NOTHING, keys: bytes = b"") -> tuple[int, str]:
    """Run the program as the only one of a terminal, press ``keys`` once it has nothing more to show.

    Returns the exit code and all that the terminal was sent.
    """
    kept = {name: value for name, value in os.environ.items() if name not in CLEARED}
    terminal, its_side = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
    process = subprocess.Popen(
        [*OWNING, *PROGRAM, *argv],
        stdin=its_side,
        stdout=its_side,
        stderr=its_side,
        env={**kept, "TERM": "xterm", **environ},
        start_new_session=True,
    )
    os.close(its_side)
    with process, suppress(OSError):  # reading fails once no program has the terminal open
        seen = bytearray()
        while True:
            if select.select([terminal], [], [], 3 if seen else 30)[0]:
                seen += os.read(terminal, 65536)
            elif keys:
                os.write(terminal, keys[:1])
                keys = keys[1:]
            else:
                process.kill()
    os.close(terminal)
    return process.returncode, seen.decode()


@pytest.mark.slow
def test_a_reader_leaves_the_pager_and_gets_the_exit_code(folder: Path) -> None:
    snapshot = ("--against", "snapshot:prod.json")

    code, seen = at_a_terminal(["check", "web.yaml", "settings.yaml", *snapshot], {"PAGER": "less"}, keys=b"\x03q")

    assert code == 1
    assert "2 units: " in seen
    assert "exit code 1" not in seen, "nobody has turned the page"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("argv", "environ"),
    [
        (["--no-pager"], {}),
        ([], {"PAGER": "cat"}),
        ([], {"APPLYLINT_PAGER": ""}),
        ([], {"PAGER": "absent-pager"}),
        ([], {"CI": "1"}),
    ],
    ids=["flag", "cat", "empty", "not found", "CI"],
)
def test_a_terminal_gets_all_at_once(folder: Path, argv: list[str], environ: dict[str, str]) -> None:
    code, seen = at_a_terminal([*RULES, *argv], environ)

    assert (code, "webhook-refuses-dry-run" in seen) == (0, True)


@pytest.mark.slow
def test_a_repository_names_no_pager(folder: Path) -> None:
    (folder / ".applylint.yaml").write_text("pager: touch pwned\n")

    code, seen = at_a_terminal(RULES)

    assert (code, "unknown option 'pager'" in seen, (folder / "pwned").exists()) == (2, True, False)
