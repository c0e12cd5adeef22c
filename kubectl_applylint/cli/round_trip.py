"""The commands ``revert`` and ``again``."""

from collections.abc import Iterator

from kubectl_applylint.cli.parsing.arguments import Arguments
from kubectl_applylint.cli.show import RENDERERS, refuse_forms, show
from kubectl_applylint.cli.state import gather
from kubectl_applylint.config.configuration import Config, ConfigError
from kubectl_applylint.core.problem import Problem
from kubectl_applylint.engine.set_apply import apply_other
from kubectl_applylint.engine.undo import (
    ChangedObjects,
    changed_by_second_apply,
    changed_by_stages,
    not_restored_by_revert,
)
from kubectl_applylint.lint.model import Report
from kubectl_applylint.report.context import EVERY_COMMIT
from kubectl_applylint.report.ending import CLEAN, FAILING, INCOMPLETE
from kubectl_applylint.run.compare.against import AgainstKind
from kubectl_applylint.run.load.run_input import RunInput

_CHANGES = (AgainstKind.DIR, AgainstKind.FILE, AgainstKind.GIT, AgainstKind.LAST_APPLIED)


def revert(program: str, arguments: Arguments, config: Config) -> int:
    """Show what a revert of the change does not undo; return 1 if there is anything."""
    refuse_revert(config)
    run_input = gather(program, arguments, config, unknown="there is no earlier state to revert to")
    changed = not_restored_by_revert(run_input.whole, run_input.past) if run_input.whole else ()
    report = write_report_of(program, arguments, config, run_input, changed)
    return _code(report, bool(report.outcomes) and not config.exit_zero)


def again(program: str, arguments: Arguments, config: Config) -> int:
    """Show what a second apply, or applying every commit, still changes; return 1 if there is anything."""
    run_input = gather(program, arguments, config, unknown="the first apply is assumed to be a fresh install")
    whole = run_input.whole
    changed: ChangedObjects = ()
    if whole:
        changed = (
            changed_by_stages(whole, run_input.stages()) if arguments.every_commit else changed_by_second_apply(whole)
        )
    report = write_report_of(program, arguments, config, run_input, changed)
    return _code(report, bool(report.outcomes) and not config.exit_zero)


def _code(report: Report, failing: bool) -> int:
    """Return the exit code of a report."""
    if report.problems:
        return INCOMPLETE
    return FAILING if failing else CLEAN


def refuse_revert(config: Config) -> None:
    """Raise ``ConfigError`` if there is no earlier state to revert to."""
    if config.against.kind not in _CHANGES:
        raise ConfigError(
            ["revert: specify the state to revert to: --against REVISION, dir:PATH, file:PATH or last-applied"]
        )


def _prediction_problems(run_input: RunInput) -> Iterator[Problem]:
    """Yield the problems of objects whose apply or revert cannot be predicted."""
    if run_input.whole is None:
        return
    for whole in (run_input.whole, apply_other(run_input.whole, run_input.past, run_input.whole.after)):
        for document, fault in whole.unpredicted:
            yield Problem(f"{document.locate(())} {document.ref}", fault.message)


def write_report_of(
    program: str, arguments: Arguments, config: Config, run_input: RunInput, changed: ChangedObjects
) -> Report:
    """Write the report about the changed objects, and return it."""
    command = EVERY_COMMIT if arguments.every_commit else arguments.command
    refuse_forms(command, config, RENDERERS[command])
    problems = tuple(dict.fromkeys(_prediction_problems(run_input)))
    report = run_input.complete(Report(outcomes=changed, problems=problems, checked=len(run_input.subjects)))
    show(report, run_input, config, program=program, command=command)
    return report
