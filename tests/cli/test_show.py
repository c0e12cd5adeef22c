"""The output of a report: its format, its file, and what is masked."""

import json
from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from pathlib import Path

import pytest

from kubectl_applylint.cli.show import (
    RENDERERS,
    TARGETS,
    WITH_EXCERPTS,
    has_color,
    phrases,
    refuse_forms,
    show,
    write_report,
)
from kubectl_applylint.config.configuration import ColorMode, Config, ConfigError, Format, Output
from kubectl_applylint.config.language import Language
from kubectl_applylint.core.documents import Document, InCluster
from kubectl_applylint.core.safe_text import Target
from kubectl_applylint.core.state import ref_of
from kubectl_applylint.lint.model import Report
from kubectl_applylint.report.context import Context
from kubectl_applylint.run.load.run_input import RunInput
from tests.report.samples import FILE, FINDING, LINES, REPORT

PASSWORD = "correct-horse-battery"
INPUT = RunInput(texts={FILE: "\r\n".join(LINES)})
FORMS = [(command, form) for command, forms in RENDERERS.items() for form in forms]


def to(*outputs: Output) -> Config:
    return Config(output=outputs)


@pytest.mark.parametrize(("command", "form"), FORMS)
def test_every_format_has_a_renderer(command: str, form: Format) -> None:
    module, _, name = RENDERERS[command][form].rpartition(".")

    assert isinstance(getattr(import_module(f"kubectl_applylint.report.{module}"), name), Callable)  # type: ignore[arg-type]  # to tell functions
    assert (TARGETS.get(form, Target.TEXT) is Target.TEXT) == (form in (Format.TEXT, Format.CONCISE, Format.DIFF))


@pytest.mark.parametrize(
    ("command", "form"), [(command, form) for command, forms in RENDERERS.items() for form in forms], ids=str
)
def test_the_forms_that_show_lines_of_files_are_known(command: str, form: Format) -> None:
    module, _, name = RENDERERS[command][form].rpartition(".")
    render = getattr(import_module(f"kubectl_applylint.report.{module}"), name)
    with_lines, without = (render(REPORT, Context(command=command, sources=one)) for one in ({FILE: LINES}, {}))

    assert with_lines == without or form in WITH_EXCERPTS


def test_unsupported_formats_are_rejected_before_any_work() -> None:
    config = to(Output(Format.TEXT), Output(Format.SARIF), Output(Format.YAML))

    with pytest.raises(ConfigError) as caught:
        refuse_forms("plan", config, RENDERERS["plan"])
    assert list(caught.value.faults) == [
        f"--output: plan has no format {form}; it has text, concise, json, junit, markdown, html, diff"
        for form in ("sarif", "yaml")
    ]
    refuse_forms("plan", to(Output(Format.JSON)), RENDERERS["plan"])


def test_each_output_gets_its_own_form(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "report.json"
    write_report(REPORT, INPUT, to(Output(Format.CONCISE), Output(Format.JSON, str(file))), command="check")

    assert json.loads(file.read_text())["findings"][0]["rule"] == "selector-changed"
    assert "web.yaml:5:3: error:" in capsys.readouterr().out


def test_lines_of_the_input_are_quoted(capsys: pytest.CaptureFixture[str]) -> None:
    write_report(REPORT, INPUT, to(Output(Format.TEXT)), command="check")

    assert "5 |   selector: {matchLabels: {app: shop}}\n" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("outputs", "is_reported"),
    [
        pytest.param((Output(Format.TEXT),), False, id="a person reads the text"),
        pytest.param((Output(Format.JSON),), True, id="only a program reads"),
        pytest.param((Output(Format.TEXT, "FOLDER/a.txt"), Output(Format.JSON)), True, id="the text goes to a file"),
        pytest.param((Output(Format.JSON, "FOLDER/a.json"), Output(Format.MARKDOWN)), False, id="one of them is read"),
    ],
)
def test_problems_go_to_standard_error_if_no_person_reads_the_report(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], outputs: tuple[Output, ...], is_reported: bool
) -> None:
    placed = [Output(one.format, one.file.replace("FOLDER", str(tmp_path))) for one in outputs]
    show(REPORT, INPUT, to(*placed), program="applylint", command="check")

    assert ("not YAML: a tab indents this line" in capsys.readouterr().err) == is_reported


@pytest.mark.parametrize("form", [Format.TEXT, Format.JSON])
@pytest.mark.parametrize("show_secrets", [True, False])
def test_values_of_secrets_are_masked_unless_they_are_asked_for(
    capsys: pytest.CaptureFixture[str], form: Format, show_secrets: bool
) -> None:
    names = {"name": "token", "namespace": "shop"}
    secret = {"apiVersion": "v1", "kind": "Secret", "metadata": names, "stringData": {"password": PASSWORD}}
    document = Document(FILE, 0, secret, ref_of(secret), InCluster())
    found = RunInput(documents=(document,), texts={FILE: "\n".join((*LINES[:4], f"  password: {PASSWORD}"))})
    report = Report(findings=(replace(FINDING, message=f"the password {PASSWORD} changes"),))
    write_report(report, found, Config(output=(Output(form),), show_secrets=show_secrets), command="check")

    assert (PASSWORD in capsys.readouterr().out) == show_secrets


@pytest.mark.parametrize(
    ("mode", "file", "environ", "is_colored"),
    [
        pytest.param(ColorMode.ALWAYS, "", {}, True, id="always"),
        pytest.param(ColorMode.NEVER, "", {"FORCE_COLOR": "1"}, False, id="never"),
        pytest.param(ColorMode.AUTO, "", {}, False, id="no terminal"),
        pytest.param(ColorMode.AUTO, "a.txt", {"FORCE_COLOR": "1"}, False, id="a file"),
        pytest.param(ColorMode.ALWAYS, "a.txt", {}, True, id="a file, always"),
    ],
)
def test_colors_depend_on_the_mode_file_and_environment(
    monkeypatch: pytest.MonkeyPatch, mode: ColorMode, file: str, environ: dict[str, str], is_colored: bool
) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR", "CLICOLOR_FORCE"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environ.items():
        monkeypatch.setenv(name, value)

    assert has_color(Config(color=mode), file=file) == is_colored


def test_english_needs_no_phrases() -> None:
    assert phrases(Language.ENGLISH) == {}
    assert phrases(Language.JAPANESE)
