"""The command ``diagnose``: explains kubectl errors. It needs no cluster."""

import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

from kubectl_applylint.cli.parsing.arguments import Arguments
from kubectl_applylint.cli.show import TARGETS, has_color, refuse_forms
from kubectl_applylint.cli.terminal.output import read_stdin, width, write
from kubectl_applylint.config.configuration import Config, ConfigError, Format
from kubectl_applylint.core.problem import Problem, UnreadableError
from kubectl_applylint.core.safe_text import Target
from kubectl_applylint.lint.errors.diagnose import Diagnosis
from kubectl_applylint.lint.errors.diagnose import diagnose as explained
from kubectl_applylint.lint.errors.error_log import MAX_BYTES, logged_errors
from kubectl_applylint.report.context import Context
from kubectl_applylint.report.diagnosis import diagnosis_json, diagnosis_text, mask_diagnosis
from kubectl_applylint.rulebook import rulebook
from kubectl_applylint.sources.system.contents import STDIN

_RENDERERS: Final[Mapping[Format, Callable[[Sequence[Diagnosis], Context], str]]] = {
    Format.TEXT: diagnosis_text,
    Format.JSON: diagnosis_json,
}


def diagnose(program: str, arguments: Arguments, config: Config) -> int:
    """Explain the errors in a text; 0 for none, 1 if all are explained, 3 if one is unknown or unread."""
    refuse_forms("diagnose", config, _RENDERERS)
    book = rulebook.load([Path(folder) for folder in config.rules])
    if book.problems:
        raise ConfigError(map(str, book.problems))
    is_given = tuple(arguments.files) not in ((), (STDIN,))
    text, is_whole = (" ".join(arguments.files), True) if is_given else _stdin(program)
    found = [*map(mask_diagnosis, explained(logged_errors(text), book.rules))]
    for output in config.output:
        context = Context(command="diagnose", color=has_color(config, file=output.file), width=width(output.file))
        target = TARGETS.get(output.format, Target.TEXT)
        write(_RENDERERS[output.format](found, context), output.file, target, color=context.color)
    return _code(found, exit_zero=config.exit_zero) if is_whole else 3


def _stdin(program: str) -> tuple[str, bool]:
    """Return the text of standard input and whether it is complete; report if it is not."""
    try:
        content = read_stdin(MAX_BYTES + 1)
    except OSError as fault:
        text = f"standard input cannot be read: {fault.strerror}"
        raise UnreadableError(Problem("-", text, "pipe the output of kubectl into it")) from None
    is_whole = len(content) <= MAX_BYTES
    if not is_whole:
        print(
            f"{program}: only the first {MAX_BYTES // 1024} KiB were read: pass only the error messages",
            file=sys.stderr,
        )
    return content[:MAX_BYTES].decode(errors="replace"), is_whole


def _code(found: Sequence[Diagnosis], *, exit_zero: bool) -> int:
    """Return the exit code for the explanations."""
    if not all(diagnosis.known for diagnosis in found):
        return 3
    return int(not exit_zero and any(not diagnosis.failure.warning for diagnosis in found))
