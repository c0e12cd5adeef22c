"""The commands: what each looks at, how it is judged, and which code it ends with."""

import os
from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeVar

from kubectl_applylint.cli.arguments import Arguments
from kubectl_applylint.cli.fix import fixed, print_diff, refuse_fix, without, write_fixes
from kubectl_applylint.cli.output import say
from kubectl_applylint.cli.progress import showing_units, spread_watched, watched
from kubectl_applylint.cli.round_trip import of_every_commit, refuse_revert, repeated, reverted, tell
from kubectl_applylint.cli.show import RENDERERS, refuse_forms, show, without_parts
from kubectl_applylint.cli.state import live_source, request_of, unit_sources, unreadable
from kubectl_applylint.cli.stopwatch import phase
from kubectl_applylint.config.configuration import Config, ConfigError, Format
from kubectl_applylint.config.hiding import Chosen, all_rules, chosen, policy_of
from kubectl_applylint.core.problem import Unreadable
from kubectl_applylint.core.records import dataclass, replace
from kubectl_applylint.lint.dispatch import Dispatch
from kubectl_applylint.lint.hiding.suppress import Policy
from kubectl_applylint.lint.model import Report, Rule, Severity, Subject
from kubectl_applylint.lint.run import Result
from kubectl_applylint.report.ending import CLEAN, FAILING, INCOMPLETE, exit_code
from kubectl_applylint.run import assemble, unit_reports, unit_runs
from kubectl_applylint.run.files import RunInput
from kubectl_applylint.run.keeping import keep_results, result_of
from kubectl_applylint.run.kept_results import KeptResult
from kubectl_applylint.run.told_units import Sharing
from kubectl_applylint.run.unit_reports import SpreadUnits, UnitJudge, UnitResult
from kubectl_applylint.run.unit_run import Runs, UnitRun
from kubectl_applylint.sources.render.render_cache import identity_of
from kubectl_applylint.sources.system import processes

_Told = TypeVar("_Told")


def check(program: str, arguments: Arguments, config: Config) -> int:
    """Report the hazards of an apply; 1 if one is heavy enough."""
    refuse_forms("check", config, (*RENDERERS["check"], Format.PART))
    refuse_fix(arguments.fix, arguments.files)
    done = _resumed(program, arguments, config, chosen(config).rules) if arguments.share.resumes else None
    if done is not None:
        return done
    judged = judge(program, arguments, config)
    if arguments.fix.fix:
        fixes = fixed(program, arguments.fix, arguments.files, (judged.report, judged.runs, judged.rules))
        if arguments.fix.diff:
            print_diff(program, fixes, judged.runs, config)
            return exit_code(without(judged.report, fixes), "check", config.fail_on, exit_zero=config.exit_zero)
        write_fixes(program, fixes)
        judged = judge(program, arguments, config, is_again=True) if fixes else judged
    report, rules, pages = judged.report, judged.rules.rules, without_parts(config)
    if pages is not config:
        from kubectl_applylint.cli.parts import part_of, write_parts  # noqa: PLC0415  10 ms that a hook need not wait

        write_parts(part_of(arguments, config, judged.runs, judged.results, rules), config)
    show(report, judged.runs, pages, program=program, command="check", rules=rules)
    return exit_code(report, "check", config.fail_on, exit_zero=config.exit_zero)


@dataclass(frozen=True, slots=True)
class Judged:
    """What the rules found, and what they ran on."""

    report: Report
    runs: Runs
    rules: Chosen
    policy: Policy
    results: tuple[UnitResult, ...]
    """What they found in each unit."""


def judge(program: str, arguments: Arguments, config: Config, *, is_again: bool = False) -> Judged:
    """Run the rules on what the arguments name; what was said of the run is not said ``is_again``."""
    rules = chosen(config)
    said = () if is_again else rules.notes
    say(program, said)
    policy = policy_of(config, rules)
    unknown = "" if is_again else "the rules that need it did not run"
    lightest = _lightest_with_edits(arguments, config)
    depends_on = _depends_on(arguments, config, rules, policy, lightest)
    known = arguments.shows_known or arguments.command != "check"
    judging = UnitJudge(Dispatch(rules.rules, rules.silent), policy, shows_known=known, lightest=lightest)
    sharing = Sharing(partial(_tell, judging), partial(spread_watched, words="checking unit"), processes.pays)
    runs = gather_all(program, arguments, config, unknown=unknown, results_depend_on=depends_on, sharing=sharing)
    applies = sum(1 + len(subject.alternatives) for subject in runs.subjects)

    def shared(work: Callable[[Subject], list[Result]], subjects: Sequence[Subject]) -> list[list[Result]]:
        return spread_watched(work, subjects, "checking object", applies=applies)

    each: list[tuple[UnitRun, Report]] = []
    with showing_units():
        spread_units = _shared_units("checking unit", applies)
        report = unit_reports.check(runs, judging, spread=shared, spread_units=spread_units, keeps=each.extend)
    keep_results(each)
    timed = replace(runs, each=tuple(run for run, _ in each))
    results = unit_reports.results_of(timed, [told for _, told in each])
    return Judged(report, runs, rules, unit_reports.within_extent(policy, runs), results)


def _tell(judging: UnitJudge, run: UnitRun) -> KeptResult | None:
    return result_of(run, judging(run))


def _shared_units(words: str, applies: int) -> SpreadUnits:
    """Return what shares work on units, so many applies, among all cores, and shows how far it is."""

    def shared(
        work: Callable[[UnitRun], tuple[_Told, float]], units: Sequence[UnitRun], /
    ) -> list[tuple[_Told, float]]:
        return spread_watched(work, units, words, applies=applies)

    return shared


def _depends_on(
    arguments: Arguments, config: Config, rules: Chosen, policy: Policy, lightest: Severity | None
) -> tuple[object, ...] | None:
    """Return what the findings of a unit depend on beside the request; ``None`` if they are not kept."""
    if arguments.command != "check" or config.rules or config.show_secrets or arguments.fix.fix:
        return None
    every = (*rules.rules, *rules.silent)
    told = [(rule.id, rule.message, identity_of(os.path.join(rule.folder, "rule.yaml"))) for rule in every]
    return (told, len(rules.silent), policy, lightest)


def _lightest_with_edits(arguments: Arguments, config: Config) -> Severity | None:
    """Return how light a finding may be whose edits are of use, ``None`` if none are.

    Text shows no fixes of infos without ``-v``, and one line a finding has no fix at all.
    """
    if not arguments.fix.fix and all(output.format is Format.CONCISE for output in config.output):
        return None
    briefly = all(output.format in (Format.TEXT, Format.CONCISE) for output in config.output)
    is_brief = briefly and not config.verbosity and not arguments.fix.fix
    return Severity.WARNING if is_brief else Severity.INFO


def plan(program: str, arguments: Arguments, config: Config) -> int:
    """Predict what the apply does to each object; 1 if one would be refused."""
    if arguments.targets is not None:
        from kubectl_applylint.cli.targets import plan_targets  # noqa: PLC0415  5 ms for those who ask for it

        return plan_targets(program, arguments, config)
    refuse_forms("plan", config, (*RENDERERS["plan"], Format.PART))
    done = _resumed(program, arguments, config, ()) if arguments.share.resumes else None
    if done is not None:
        return done
    runs = gather_all(program, arguments, config, unknown="plan shows a fresh install")
    with showing_units():
        watch = partial(watched, words="predicting object")
        shared = _shared_units("predicting unit", len(runs.subjects))
        results, said = unit_reports.planned(runs, partial(all_rules, config), watch=watch, spread_units=shared)
    report, pages = unit_reports.joined(results, said.lines), without_parts(config)
    say(program, [note for note in report.notes if note not in runs.notes])
    if pages is not config:
        from kubectl_applylint.cli.parts import part_of, write_parts  # noqa: PLC0415  see check

        write_parts(part_of(arguments, config, replace(runs, said=said), results, ()), config)
    show(report, runs, pages, program=program, command="plan")
    return exit_code(report, "plan", config.fail_on, exit_zero=config.exit_zero)


def _resumed(program: str, arguments: Arguments, config: Config, rules: Sequence[Rule]) -> int | None:
    from kubectl_applylint.cli.parts import resumed, run_of  # noqa: PLC0415  see check
    from kubectl_applylint.run.parts import report_of_shards  # noqa: PLC0415  see check

    found = resumed(program, arguments, config, run_of(arguments, config, rules))
    if found is None:
        return None
    return exit_code(report_of_shards([found]), arguments.command, config.fail_on, exit_zero=config.exit_zero)


def revert(program: str, arguments: Arguments, config: Config) -> int:
    """Tell what a revert of the change does not undo; 1 if there is something."""
    refuse_revert(config)
    run_input = gather(program, arguments, config, unknown="there is no earlier state to revert to")
    report = tell(program, arguments, config, run_input, reverted(run_input))
    return _code(report, bool(report.outcomes) and not config.exit_zero)


def again(program: str, arguments: Arguments, config: Config) -> int:
    """Tell what a second apply, or a way over every commit, still changes; 1 if there is something."""
    run_input = gather(program, arguments, config, unknown="the first apply is assumed to be a fresh install")
    told = of_every_commit(run_input) if arguments.every_commit else repeated(run_input)
    report = tell(program, arguments, config, run_input, told)
    return _code(report, bool(report.outcomes) and not config.exit_zero)


def gather(program: str, arguments: Arguments, config: Config, *, unknown: str) -> RunInput:
    """Return the subjects of the files, or else of the cluster, and say what they were compared with.

    ``unknown`` says what follows where the live state is not known.
    """
    phase("reading what the manifests are compared with")
    with live_source(arguments, config) as source:
        phase("reading the manifests and the live objects")
        run_input = assemble.assemble(request_of(arguments, config), source)
    if not run_input.origin:
        lost = "it could not be read" if run_input.is_unreachable else unknown
        run_input = replace(run_input, notes=(f"the live state is unknown: {lost}", *run_input.notes))
    phase(f"checking {len(run_input.subjects)} objects")
    say(program, run_input.notes)
    return run_input


def gather_all(
    program: str,
    arguments: Arguments,
    config: Config,
    *,
    unknown: str,
    results_depend_on: tuple[object, ...] | None = None,
    sharing: Sharing | None = None,
) -> Runs:
    """Return the applies that the arguments mean, and say what they were compared with; ``unknown`` as above.

    Nothing is said without ``unknown``; ``sharing`` is that of ``runs_of``.
    """
    phase("reading what the manifests are compared with")
    request = replace(request_of(arguments, config), results_depend_on=results_depend_on)
    is_compared = unit_runs.is_by_units(request)
    with (
        live_source(arguments, config, is_compared=is_compared) as source,
        unit_sources(arguments, config) as source_of,
    ):
        phase("reading the manifests and the live objects")
        try:
            with showing_units():
                runs = unit_runs.runs_of(replace(request, source_of=source_of), source, sharing)
        except (unit_runs.UnknownRoot, unit_runs.UnknownPath) as fault:
            raise ConfigError([str(fault)]) from None
        except Unreadable as fault:
            runs = unreadable(fault.problem, request, config)
    if not runs.origin:
        lost = "it could not be read" if runs.is_unreachable else unknown
        runs = replace(runs, said=runs.said.beginning(f"the live state is unknown: {lost}"))
    phase(f"checking {len(runs.subjects)} objects")
    say(program, runs.notes if unknown else ())
    return runs


def _code(report: Report, failing: bool) -> int:
    if report.problems:
        return INCOMPLETE
    return FAILING if failing else CLEAN
