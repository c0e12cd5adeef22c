"""The commands ``check`` and ``plan``: convert flags to a request, run it, and show the result."""

import os
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from functools import cache, partial
from typing import TypeAlias

from kubectl_applylint.cli.fix import editable_fixes, print_diff, refuse_fix, without_fixed, write_fixes
from kubectl_applylint.cli.parsing.arguments import Arguments
from kubectl_applylint.cli.show import RENDERERS, refuse_forms, report_code, show
from kubectl_applylint.cli.state import live_sources, request_of, share_of, unread_source
from kubectl_applylint.cli.terminal.output import say
from kubectl_applylint.cli.terminal.progress import showing_units, spread_with_progress, with_progress
from kubectl_applylint.cli.terminal.stopwatch import phase
from kubectl_applylint.config.configuration import Config, ConfigError, Format
from kubectl_applylint.config.hiding import RuleSelection, all_rules, choose_rules, policy_of
from kubectl_applylint.core.problem import UnreadableError
from kubectl_applylint.core.records import dataclass, replace
from kubectl_applylint.lint.dispatch import Dispatch
from kubectl_applylint.lint.hiding.suppress import Policy
from kubectl_applylint.lint.model import Rule, Severity
from kubectl_applylint.report.context import STATISTICS
from kubectl_applylint.run.collect import RunResult, policy_with_extent
from kubectl_applylint.run.compare.against import NOTHING
from kubectl_applylint.run.compare.live_source import LiveSources
from kubectl_applylint.run.discover.discovery import UnknownPathError, UnknownRootError
from kubectl_applylint.run.evaluate import Evaluation, PlanEvaluation, RuleEvaluation
from kubectl_applylint.run.execute import Executor
from kubectl_applylint.run.hazards import HazardRules
from kubectl_applylint.run.pipeline import run
from kubectl_applylint.sources.render.render_cache import identity_of
from kubectl_applylint.sources.system import processes

Finish: TypeAlias = Callable[[str, Arguments, Config, RunResult, Sequence[Rule]], int]
"""Writes the result of a run and returns the exit code."""


def show_result(program: str, arguments: Arguments, config: Config, result: RunResult, rules: Sequence[Rule]) -> int:
    """Write the reports of a run and return the exit code; ``rules`` are the rules that ran."""
    command = STATISTICS if arguments.statistics else arguments.command
    show(result.report, result.runs, config, program=program, command=command, rules=rules)
    return report_code(result.report, arguments.command, config)


def check(program: str, arguments: Arguments, config: Config, finish: Finish = show_result) -> int:
    """Report the hazards of an apply; return 1 if one is at least as severe as ``fail-on``."""
    if arguments.statistics:
        refuse_forms(STATISTICS, config, RENDERERS[STATISTICS])
    refuse_forms("check", config, (*RENDERERS["check"], Format.PART))
    refuse_fix(arguments.fix, arguments.files)
    checked = check_units(program, arguments, config)
    if arguments.fix.fix:
        result = checked.result
        fixes = editable_fixes(program, arguments.fix, arguments.files, (result.report, result.runs, checked.rules))
        if arguments.fix.diff:
            print_diff(program, fixes, result.runs, config)
            return report_code(without_fixed(result.report, fixes), "check", config)
        write_fixes(program, fixes)
        checked = check_units(program, arguments, config, is_again=True) if fixes else checked
    return finish(program, arguments, config, checked.result, checked.rules.rules)


def plan(program: str, arguments: Arguments, config: Config, finish: Finish = show_result) -> int:
    """Predict the effect of an apply on each object; return 1 if one would be rejected."""
    refuse_forms("plan", config, (*RENDERERS["plan"], Format.PART))
    result = execute(
        program,
        arguments,
        config,
        PlanEvaluation(
            partial(all_rules, config), cache(partial(_hazard_rules, config)), without_live="plan shows a fresh install"
        ),
    )
    return finish(program, arguments, config, result, ())


def _hazard_rules(config: Config) -> HazardRules:
    """Return the rules for the objects that a plan changes."""
    rules = choose_rules(config)
    return HazardRules(Dispatch(rules.rules, rules.silent), policy_of(config, rules))


@dataclass(frozen=True, slots=True)
class Checked:
    """The result of a check with its rules and the policy that hides findings."""

    result: RunResult
    rules: RuleSelection
    policy: Policy


def check_units(program: str, arguments: Arguments, config: Config, *, is_again: bool = False) -> Checked:
    """Run the rules on the arguments; if the check ``is_again``, notes are not repeated."""
    rules = choose_rules(config)
    say(program, () if is_again else rules.notes)
    policy = policy_of(config, rules)
    lightest = _lightest_with_edits(arguments, config)
    evaluation = RuleEvaluation(
        Dispatch(rules.rules, rules.silent),
        policy,
        shows_known=arguments.shows_known or arguments.command != "check",
        lightest=lightest,
        without_live="the rules that need it did not run",
    )
    depends_on = _depends_on(arguments, config, rules, policy, lightest)
    result = execute(program, arguments, config, evaluation, results_depend_on=depends_on, is_silent=is_again)
    return Checked(result, rules, policy_with_extent(policy, result.runs))


def execute(
    program: str,
    arguments: Arguments,
    config: Config,
    evaluation: Evaluation,
    *,
    results_depend_on: tuple[object, ...] | None = None,
    is_silent: bool = False,
) -> RunResult:
    """Return the result of the requested run, and print its notes unless it ``is_silent``."""
    phase("reading what the manifests are compared with")
    if arguments.allow_network:
        # The modules that download take 40 ms to import, and most runs download nothing.
        from kubectl_applylint.cli.fetch import fetch_for  # noqa: PLC0415

        fetch_for(program, arguments, config)
    request = request_of(arguments, config)
    executor = Executor(
        share_of(arguments), None, results_depend_on, spread_with_progress, with_progress, processes.is_worth_forking
    )
    try:
        with showing_units():
            result = run(request, live_sources(arguments, config, request), evaluation, executor)
    except (UnknownRootError, UnknownPathError) as fault:
        raise ConfigError([str(fault)]) from None
    except UnreadableError as fault:
        source = unread_source(fault.problem, config)
        bare = replace(request, against=NOTHING, is_one_apply=True)
        result = run(bare, nullcontext(LiveSources(source)), evaluation, executor)
    say(program, () if is_silent else result.report.notes)
    return result


def _depends_on(
    arguments: Arguments, config: Config, rules: RuleSelection, policy: Policy, lightest: Severity | None
) -> tuple[object, ...] | None:
    """Return what findings depend on besides the request, or ``None`` to disable caching."""
    if arguments.command != "check" or config.rules or config.show_secrets or arguments.fix.fix:
        return None
    every = (*rules.rules, *rules.silent)
    files = [(rule.id, rule.message, identity_of(os.path.join(rule.folder, "rule.yaml"))) for rule in every]
    return (files, len(rules.silent), policy, lightest)


def _lightest_with_edits(arguments: Arguments, config: Config) -> Severity | None:
    """Return the lowest severity of findings whose edits are shown, or ``None``.

    Text shows no fixes of infos without ``-v``, and the format ``concise`` shows none.
    """
    if not arguments.fix.fix and all(output.format is Format.CONCISE for output in config.output):
        return None
    briefly = all(output.format in (Format.TEXT, Format.CONCISE) for output in config.output)
    is_brief = briefly and not (config.verbosity or arguments.fix.fix or arguments.statistics)
    return Severity.WARNING if is_brief else Severity.INFO
