"""Runs that end before they start because the state to compare with cannot be read."""

from typing import Final

from kubectl_applylint.cli.terminal.output import say
from kubectl_applylint.config.configuration import Config, Format
from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.records import replace
from kubectl_applylint.lint.model import Report
from kubectl_applylint.report.context import Context
from kubectl_applylint.report.text import problem_line

_READ_AS_IT_COMES: Final = (Format.TEXT, Format.CONCISE)
_GO_ON: Final = "; nothing was checked (to continue without it: --allow-unreachable)"
_REPORTS: Final = ("check", "plan")


class UnreachedError(Exception):
    """The cluster, snapshot or revision that the caller named cannot be read."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        super().__init__(problem.message)


def report_unreached(program: str, command: str, config: Config, problem: Problem, *, more: str = _GO_ON) -> None:
    """Print in one line why nothing was examined, and write reports with only this problem."""
    line = problem_line(problem, Context())
    say(program, [f"{line}{more}"])
    outputs = tuple(one for one in config.output if one.file or one.format not in _READ_AS_IT_COMES)
    if not outputs or command not in _REPORTS:
        return
    from kubectl_applylint.cli.show import RENDERERS, write_report  # noqa: PLC0415  40 ms, for few runs
    from kubectl_applylint.run.load.run_input import RunInput  # noqa: PLC0415  40 ms, as above

    supported = tuple(one for one in outputs if one.format in RENDERERS[command])
    write_report(Report(problems=(problem,)), RunInput(), replace(config, output=supported), command=command)
