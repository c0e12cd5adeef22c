"""The command ``defaults``: prints manifests with the defaults of the server. It needs no cluster."""

from collections.abc import Callable, Mapping
from typing import Final

from kubectl_applylint.cli.parsing.arguments import Arguments
from kubectl_applylint.cli.show import has_color, refuse_forms
from kubectl_applylint.cli.terminal.output import read_stdin, say, width, write
from kubectl_applylint.config.configuration import Config, ConfigError, Format
from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.records import replace
from kubectl_applylint.core.safe_text import Target
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.lint.model import Subject
from kubectl_applylint.report.context import Context
from kubectl_applylint.report.defaults import Defaulted, DefaultsReport, defaults_json, defaults_yaml
from kubectl_applylint.report.text import problem_line
from kubectl_applylint.run.load.run_input import RunInput, input_of_files
from kubectl_applylint.secrets.masking import mask_objects
from kubectl_applylint.server.defaults.explain import with_defaults
from kubectl_applylint.server.faults import DecodeError

_RENDERERS: Final[Mapping[Format, Callable[[DefaultsReport, Context], str]]] = {
    Format.TEXT: defaults_yaml,
    Format.YAML: defaults_yaml,
    Format.JSON: defaults_json,
}
_ADVICE: Final = "correct it: the server would reject it, too"


def defaults(program: str, arguments: Arguments, config: Config) -> int:
    """Print manifests with their defaults; return 3 if one cannot be read."""
    refuse_forms("defaults", config, _RENDERERS)
    if not arguments.files:
        raise ConfigError([f"specify manifests: {program} defaults -f FILE"])
    report = _defaults_report(_run_input(arguments, config), show_secrets=config.show_secrets)
    for output in config.output:
        color = output.format is Format.TEXT and has_color(config, file=output.file)
        context = Context(command="defaults", color=color, width=width(output.file))
        write(_RENDERERS[output.format](report, context), output.file, Target.JSON, color=color)
    say(program, (*report.notes, *(problem_line(problem, Context()) for problem in report.problems)))
    return 3 if report.problems else 0


def _run_input(arguments: Arguments, config: Config) -> RunInput:
    return input_of_files(
        arguments.files,
        recursive=arguments.recursive,
        stdin=read_stdin,
        flags=arguments.apply,
        kubernetes_version=config.kubernetes_version,
    )


def _defaults_report(run_input: RunInput, *, show_secrets: bool) -> DefaultsReport:
    written = {(document.file, document.index): document for document in run_input.documents}
    items = [
        _with_defaults(subject, written[subject.document.file, subject.document.index])
        for subject in run_input.subjects
    ]
    objects = [item for item in items if isinstance(item, Defaulted)]
    shown = [item.object for item in objects]
    return DefaultsReport(
        objects=tuple(map(_showing, objects, shown if show_secrets else mask_objects(shown))),
        problems=(*run_input.problems, *(item for item in items if isinstance(item, Problem))),
        notes=run_input.notes,
    )


def _with_defaults(subject: Subject, written: Document) -> Defaulted | Problem:
    """Return a manifest with the defaults of the server, without the namespace that kubectl adds."""
    location, kind = written.locate(()), subject.kind
    if kind is None:
        return Defaulted(written.ref, location, written.object, ())
    try:
        filled = with_defaults(written.object, kind, subject.schema.version)
    except DecodeError as fault:
        return Problem(f"{location} {written.ref}", fault.message, _ADVICE)
    return Defaulted(written.ref, location, filled.object, filled.defaults, custom=kind.custom)


def _showing(item: Defaulted, shown: JsonObject) -> Defaulted:
    return replace(item, object=shown)
