"""The command ``diagnose``: what an error of kubectl means that has happened already. No cluster is asked."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

from kubectl_applylint import rulebook
from kubectl_applylint.cli.arguments import Arguments
from kubectl_applylint.cli.output import read_stdin, width, write
from kubectl_applylint.cli.show import TARGETS, has_color, refuse_forms
from kubectl_applylint.config import Config, ConfigError, Format
from kubectl_applylint.diagnose import Diagnosis
from kubectl_applylint.diagnose import diagnose as explained
from kubectl_applylint.errorlog import failures
from kubectl_applylint.model import Problem, Unreadable
from kubectl_applylint.report.context import Context
from kubectl_applylint.report.diagnosis import diagnosis_json, diagnosis_text, mask_diagnosis
from kubectl_applylint.safe_text import Target

_RENDERERS: Final[Mapping[Format, Callable[[Sequence[Diagnosis], Context], str]]] = {
    Format.TEXT: diagnosis_text,
    Format.JSON: diagnosis_json,
}


def diagnose(program: str, arguments: Arguments, config: Config) -> int:
    """Explain the errors in a text: 0 if there is none, 1 if all are explained, 3 if one is not known."""
    refuse_forms("diagnose", config, _RENDERERS)
    book = rulebook.load([Path(folder) for folder in config.rules])
    if book.problems:
        raise ConfigError(map(str, book.problems))
    text = " ".join(arguments.files) or _stdin()
    found = [*map(mask_diagnosis, explained(failures(text), book.rules))]
    for output in config.output:
        context = Context(command="diagnose", color=has_color(config, file=output.file), width=width())
        target = TARGETS.get(output.format, Target.TEXT)
        write(_RENDERERS[output.format](found, context), output.file, target, color=context.color)
    return _code(found, exit_zero=config.exit_zero)


def _stdin() -> str:
    try:
        return read_stdin().decode(errors="replace")
    except OSError as fault:
        text = f"standard input cannot be read: {fault.strerror}"
        raise Unreadable(Problem("-", text, "pipe what kubectl has printed into it")) from None


def _code(found: Sequence[Diagnosis], *, exit_zero: bool) -> int:
    if not all(diagnosis.known for diagnosis in found):
        return 3
    return int(not exit_zero and any(not diagnosis.failure.warning for diagnosis in found))
