import io
import os
import sys
from pathlib import Path

import pytest

from kubectl_applylint.cli.terminal.output import is_terminal, say, use_utf8, width, write, write_files
from kubectl_applylint.config.configuration import ConfigError
from kubectl_applylint.core.safe_text import Target


class Terminal(io.StringIO):
    """Says that it is one."""

    def isatty(self) -> bool:
        return True

    def fileno(self) -> int:
        raise OSError("no terminal of the system")


def test_messages_go_to_standard_error_with_escapes(capsys: pytest.CaptureFixture[str]) -> None:
    say("applylint", ["one", "two\x1b[2J"])

    assert capsys.readouterr() == ("", "applylint: one\napplylint: two\\u001b[2J\n")


def test_messages_in_a_terminal_wrap_at_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", terminal := Terminal())
    monkeypatch.setenv("COLUMNS", "30")

    say("applylint", ["the live state is unknown: a-very-long-name-of-a-cluster-or-file"])

    assert terminal.getvalue().splitlines() == [
        "applylint: the live state is",
        "  unknown:",
        "  a-very-long-name-of-a-cluster-or-file",
    ]


def test_a_file_is_as_wide_as_it_gets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", Terminal())
    monkeypatch.setenv("COLUMNS", "70")

    assert (width(), width("report.txt")) == (70, None)


def test_a_report_goes_to_standard_output_or_to_its_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write("é\n", str(tmp_path / "out"))
    write("ü\n")

    assert (tmp_path / "out").read_bytes() == b"\xc3\xa9\n"
    assert capsys.readouterr().out == "ü\n"


def test_an_unwritable_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as caught:
        write("x", str(tmp_path / "no" / "out"))

    assert caught.value.faults == (f"{tmp_path}/no/out: cannot be written: No such file or directory",)


def test_files_are_written_with_text_that_commands_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    write_files(str(folder), [("a/b", "##[error]\x1b[2J")], Target.JSON)

    assert (folder / "a/b").read_text() == "##\\u005berror]\\u001b[2J"
    with pytest.raises(ConfigError, match="out: cannot be written: it is not empty"):
        write_files(str(folder), [], Target.JSON)


def test_any_locale_is_overruled(monkeypatch: pytest.MonkeyPatch) -> None:
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding="ascii"))

    use_utf8()
    write("é \udcff")

    assert raw.getvalue() == b"\xc3\xa9 \\udcff"


def test_a_reader_who_has_seen_enough_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    with open(writer, "w", encoding="utf-8") as stream:
        monkeypatch.setattr(sys, "stdout", stream)

        write("x" * 100_000)


@pytest.mark.parametrize(
    ("stream", "wanted"),
    [(Terminal(), True), (io.StringIO(), False), (None, False)],
    ids=["terminal", "pipe", "closed"],
)
def test_only_a_terminal_is_one(stream: io.StringIO | None, wanted: bool) -> None:
    assert is_terminal(stream) is wanted


@pytest.mark.parametrize(
    ("stream", "columns", "wanted"),
    [
        (io.StringIO(), "70", None),
        (Terminal(), "70", 70),
        (Terminal(), "0", None),
        (Terminal(), "", None),
    ],
    ids=["pipe", "variable", "zero", "unknown"],
)
def test_text_is_as_wide_as_the_terminal(
    stream: io.StringIO, columns: str, wanted: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdout", stream)
    monkeypatch.setenv("COLUMNS", columns)

    assert width() == wanted
