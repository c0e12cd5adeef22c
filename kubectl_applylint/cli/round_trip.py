"""The commands ``revert`` and ``again``."""

from collections.abc import Iterator

from kubectl_applylint.cli.arguments import Arguments
from kubectl_applylint.cli.show import RENDERERS, refuse_forms, show
from kubectl_applylint.config.configuration import Config, ConfigError
from kubectl_applylint.core.problem import Problem
from kubectl_applylint.engine.set_apply import afresh
from kubectl_applylint.engine.undo import Told, not_settled, not_undone, passed
from kubectl_applylint.lint.model import Report
from kubectl_applylint.report.context import EVERY_COMMIT
from kubectl_applylint.run.against import AgainstKind
from kubectl_applylint.run.files import Survey

_CHANGES = (AgainstKind.DIR, AgainstKind.FILE, AgainstKind.GIT, AgainstKind.LAST_APPLIED)


def refuse_revert(config: Config) -> None:
    """Raise ``ConfigError`` where there is no earlier revision that a revert could lead back to."""
    if config.against.kind not in _CHANGES:
        raise ConfigError(
            ["revert: name what a revert leads back to: --against REVISION, dir:PATH, file:PATH or last-applied"]
        )


def reverted(found: Survey) -> Told:
    """Return what is not as it was when the earlier manifests are applied after the later ones."""
    return not_undone(found.whole, found.past) if found.whole else ()


def repeated(found: Survey) -> Told:
    """Return what a second apply changes."""
    return not_settled(found.whole) if found.whole else ()


def of_every_commit(found: Survey) -> Told:
    """Return what every commit applied in turn makes otherwise than the last one alone."""
    return passed(found.whole, found.stages()) if found.whole else ()


def _unpredicted(found: Survey) -> Iterator[Problem]:
    """Yield what keeps the engine from telling what becomes of an object, on the way there or back."""
    if found.whole is None:
        return
    for whole in (found.whole, afresh(found.whole, found.past, found.whole.after)):
        for document, fault in whole.unpredicted:
            yield Problem(f"{document.locate(())} {document.ref}", fault.message)


def tell(program: str, arguments: Arguments, config: Config, found: Survey, told: Told) -> Report:
    """Write the report on what is not as it should be, and return it."""
    command = EVERY_COMMIT if arguments.every_commit else arguments.command
    refuse_forms(command, config, RENDERERS[command])
    problems = tuple(dict.fromkeys(_unpredicted(found)))
    report = found.complete(Report(outcomes=told, problems=problems, checked=len(found.subjects)))
    show(report, found, config, program=program, command=command)
    return report
