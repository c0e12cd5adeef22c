"""A run that ends before it began says why, once for people and in each report for programs."""

import json
from pathlib import Path

import pytest

from kubectl_applylint.cli.unreached import UnreachedError, report_unreached
from kubectl_applylint.config.configuration import Config, Format, Output
from kubectl_applylint.core.problem import Problem

PROBLEM = Problem("cluster prod", "no connection: refused", "check the VPN")
LINE = "applylint: cluster prod: problem: no connection: refused; check the VPN"
MORE = "nothing was checked (to continue without it: --allow-unreachable)"


def test_the_error_is_the_message_of_the_problem() -> None:
    assert str(UnreachedError(PROBLEM)) == "no connection: refused"
    assert UnreachedError(PROBLEM).problem is PROBLEM


@pytest.mark.parametrize("form", [Format.TEXT, Format.CONCISE])
def test_people_get_one_line_and_no_report(capsys: pytest.CaptureFixture[str], form: Format) -> None:
    report_unreached("applylint", "check", Config(output=(Output(form),)), PROBLEM)
    output = capsys.readouterr()

    assert output.out == ""
    assert output.err.startswith(LINE)
    assert output.err.endswith(f"{MORE}\n")
    assert output.err.count("\n") == 1


@pytest.mark.parametrize("command", ["check", "plan"])
def test_programs_get_a_report_with_the_problem(capsys: pytest.CaptureFixture[str], command: str) -> None:
    report_unreached("applylint", command, Config(output=(Output(Format.JSON),)), PROBLEM)
    output = capsys.readouterr()

    assert [each["message"] for each in json.loads(output.out)["problems"]] == ["no connection: refused"]
    assert output.err.startswith(LINE)


def test_files_get_a_report_in_every_form_that_the_command_has(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text, sarif = tmp_path / "a.txt", tmp_path / "a.sarif"
    outputs = (Output(Format.TEXT, str(text)), Output(Format.SARIF, str(sarif)), Output(Format.TEXT))
    report_unreached("applylint", "plan", Config(output=outputs), PROBLEM)

    assert "no connection: refused" in text.read_text()
    assert not sarif.exists()
    assert capsys.readouterr().out == ""


def test_other_commands_make_no_report(capsys: pytest.CaptureFixture[str]) -> None:
    report_unreached("applylint", "owners", Config(output=(Output(Format.JSON),)), PROBLEM, more="; nothing was read")
    output = capsys.readouterr()

    assert output.out == ""
    assert output.err.endswith("; nothing was read\n")
