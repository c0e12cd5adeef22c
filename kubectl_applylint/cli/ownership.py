"""The commands about ownership: ``owners``, ``why``, ``migrate``, ``adopt`` and ``handover``."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial

from kubectl_applylint.appliers.request import TOOL_APPLIERS, Applier
from kubectl_applylint.cli.parsing.arguments import Arguments
from kubectl_applylint.cli.show import has_color, links
from kubectl_applylint.cli.state import gather, live_source
from kubectl_applylint.cli.terminal.output import say, width, write
from kubectl_applylint.config.configuration import Config, ConfigError, Format
from kubectl_applylint.core.paths import Path, parse
from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.records import replace
from kubectl_applylint.core.safe_text import Target
from kubectl_applylint.core.state import Absent, Present, Unknown
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.engine.cluster_model import ClusterModel
from kubectl_applylint.lint.model import Subject
from kubectl_applylint.ownership.adoption import adoption
from kubectl_applylint.ownership.exact_plans import exact_plans
from kubectl_applylint.ownership.field_history import FieldHistory, field_history
from kubectl_applylint.ownership.field_ownership import ownership_of
from kubectl_applylint.ownership.handover import handover as next_step
from kubectl_applylint.ownership.migration import MergeSite, migration
from kubectl_applylint.ownership.step import StepPlan
from kubectl_applylint.ownership.tool_migration import Origin, tool_migration
from kubectl_applylint.report.context import Context, no_url
from kubectl_applylint.report.ending import CLEAN, FAILING, INCOMPLETE
from kubectl_applylint.report.ownership.field_history import history_json, history_text, mask_history
from kubectl_applylint.report.ownership.owners import GroupBy, mask_owners, owners_json, owners_text
from kubectl_applylint.report.ownership.steps import Planner, steps_json, steps_text
from kubectl_applylint.report.text import problem_line
from kubectl_applylint.run.compare.against import AgainstKind
from kubectl_applylint.run.load.applied_objects import input_of_named_objects
from kubectl_applylint.run.load.run_input import RunInput
from kubectl_applylint.schema.names import ObjectArgument, is_name_of_kind, names_of, parse_objects
from kubectl_applylint.secrets.masked_steps import mask_plans

_UNKNOWN = "ownership cannot be determined"


def owners(program: str, arguments: Arguments, config: Config) -> int:
    """Print the owners of the fields of live objects."""
    _refuse("owners", config)
    _refuse_both("owners", arguments)
    run_input = _run_input(program, arguments, config)
    found = [ownership_of(live.object, subject.kind) for subject, live in _live_subjects(program, run_input.subjects)]
    shown = found if config.show_secrets else mask_owners(found, run_input.objects)
    by = GroupBy(arguments.by or GroupBy.MANAGER)
    return _write_page(
        program,
        config,
        run_input.problems,
        text=partial(owners_text, shown, run_input.problems, by),
        json=lambda: owners_json(shown, run_input.problems, by),
    )


def why(program: str, arguments: Arguments, config: Config) -> int:
    """Print the origin of the value and owner of a field."""
    _refuse("why", config)
    path = _path(arguments)
    run_input = _named_object(program, arguments, config)
    found = [field_history(subject, live.object, path) for subject, live in _live_subjects(program, run_input.subjects)]
    problems = (*run_input.problems, *(_missing_field_problem(each) for each in found if each.is_nowhere))
    known = [each for each in found if not each.is_nowhere]
    shown = known if config.show_secrets else [mask_history(each, run_input.objects) for each in known]
    return _write_page(
        program,
        config,
        problems,
        text=partial(history_text, shown, problems),
        json=lambda: history_json(shown, problems),
    )


def migrate(program: str, arguments: Arguments, config: Config) -> int:
    """Plan the steps to the other side or another program; return 1 if a step would be rejected."""
    _refuse("migrate", config)
    if not arguments.files:
        raise ConfigError(["migrate needs files: pass them with -f"])
    run_input = gather(program, arguments, config, unknown=_UNKNOWN)
    planned = _migration(arguments.to or MergeSite.SERVER, Origin(arguments.origin) if arguments.origin else None)
    plans = exact_plans(_known_subjects(run_input), lambda subject: planned(subject, _object(subject)))
    return _write_steps(program, config, Planner.MIGRATE, plans, run_input)


def _migration(to: str, origin: Origin | None) -> Callable[[Subject, JsonObject | None], StepPlan]:
    """Return the function that plans the migration of an object; imports only the chosen program."""
    if to in TOOL_APPLIERS:
        to_tool = tool_migration(Applier(to))
        return lambda subject, live: to_tool(subject, live, origin)
    return partial(migration, to=MergeSite(to))


def adopt(program: str, arguments: Arguments, config: Config) -> int:
    """Plan the steps of objects to declarative management; return 1 if a step would be rejected."""
    _refuse("adopt", config)
    if not (arguments.files or arguments.objects):
        raise ConfigError(["adopt needs manifests or live objects: pass files, or objects like deploy/web"])
    _refuse_both("adopt", arguments)
    run_input = _run_input(program, arguments, config)
    known = _known_subjects(run_input)
    in_files = [subject for subject in known if subject.document.rendering is None]
    gaps = {subject.document.file for subject in in_files if subject.state.live == Absent()}
    cluster = run_input.whole.cluster if run_input.whole else ClusterModel()
    plans = exact_plans(known, lambda subject: adoption(subject, _object(subject), cluster, gaps))
    return _write_steps(program, config, Planner.ADOPT, plans, run_input)


def handover(program: str, arguments: Arguments, config: Config) -> int:
    """Print the next step that moves a field to another owner; return 1 if no safe step is known."""
    _refuse("handover", config)
    path = _path(arguments)
    run_input = _named_object(program, arguments, config)
    present = [subject for subject, _ in _live_subjects(program, run_input.subjects)]
    plans = exact_plans(present, lambda subject: next_step(subject, _object(subject) or {}, path, arguments.to))
    return _write_steps(program, config, Planner.HANDOVER, plans, run_input)


def _write_steps(program: str, config: Config, planner: Planner, plans: Sequence[StepPlan], run_input: RunInput) -> int:
    """Write the planned steps in every form and return the exit code."""
    shown = plans if config.show_secrets else mask_plans(plans, run_input.objects)
    return _write_page(
        program,
        config,
        run_input.problems,
        text=partial(steps_text, planner, shown, run_input.problems),
        json=lambda: steps_json(planner, shown, run_input.problems),
        failing=any(plan.is_blocked for plan in plans),
    )


def _known_subjects(run_input: RunInput) -> list[Subject]:
    """Return the subjects whose live state is known."""
    return [subject for subject in run_input.subjects if not isinstance(subject.state.live, Unknown)]


def _object(subject: Subject) -> JsonObject | None:
    """Return the live object of a subject, or ``None``."""
    return subject.state.live.object if isinstance(subject.state.live, Present) else None


def _missing_field_problem(found: FieldHistory) -> Problem:
    advice = "owners --by field lists the fields"
    return Problem(str(found.ref), f"there is no field {found.place}, and no manifest sets it", advice)


def _path(arguments: Arguments) -> Path:
    """Return the field path in the arguments; raise ``ConfigError`` for an invalid one."""
    try:
        path = parse(arguments.path)
    except ValueError as fault:
        raise ConfigError([str(fault)]) from None
    if not path:
        raise ConfigError(["the path is empty; write it like spec.replicas"])
    return path


def _named_object(program: str, arguments: Arguments, config: Config) -> RunInput:
    """Return the named object, with its manifest if files have one."""
    name, *others = _names(arguments)
    if others:
        raise ConfigError([f"{arguments.command}: pass one object, not {len(others) + 1}"])
    if not arguments.files:
        return _named_objects(program, [name], arguments, config)
    run_input = gather(program, arguments, config, unknown=_UNKNOWN)
    chosen = tuple(subject for subject in run_input.subjects if _is_meant(name, subject))[-1:]
    problems = tuple(_own_problems(run_input, name, chosen))
    if chosen:
        return replace(run_input, subjects=chosen, problems=problems)
    missing = Problem(", ".join(arguments.files), f"contains no manifest of {name}", "pass its file, or omit -f")
    return replace(run_input, subjects=(), problems=(*problems, missing))


def _own_problems(run_input: RunInput, name: ObjectArgument, chosen: Sequence[Subject]) -> Iterator[Problem]:
    """Yield the problems except those of other objects, such as a namespace that differs from ``-n``."""
    named = [document for document in run_input.documents if document.ref.name == name.name]
    own = [subject.document for subject in chosen] or named
    others = {str(document.locate(())) for document in run_input.documents} - {str(one.locate(())) for one in own}
    return (problem for problem in run_input.problems if problem.where not in others)


def _is_meant(name: ObjectArgument, subject: Subject) -> bool:
    ref, kind = subject.ref, subject.kind
    return ref.name == name.name and is_name_of_kind(
        name.word, ref.api_version, ref.kind, names_of(kind) if kind else ()
    )


def _refuse(command: str, config: Config) -> None:
    """Raise ``ConfigError`` for settings that no ownership command supports."""
    faults = [
        f"--output: {command} has no form {output.format}; it has text, json"
        for output in config.output
        if output.format not in (Format.TEXT, Format.JSON)
    ]
    if config.against.kind not in (AgainstKind.LIVE, AgainstKind.SNAPSHOT):
        faults.append(f"{command} needs live objects: pass --against live or --against snapshot:FILE")
    if faults:
        raise ConfigError(faults)


def _refuse_both(command: str, arguments: Arguments) -> None:
    """Raise ``ConfigError`` if both files and objects are given."""
    if arguments.objects and arguments.files:
        raise ConfigError([f"{command}: pass live objects, or files with -f, not both"])


def _run_input(program: str, arguments: Arguments, config: Config) -> RunInput:
    """Return the objects in the files, or the named live objects."""
    if not arguments.objects:
        return gather(program, arguments, config, unknown=_UNKNOWN)
    return _named_objects(program, _names(arguments), arguments, config)


def _names(arguments: Arguments) -> Sequence[ObjectArgument]:
    """Return the named objects; raise ``ConfigError`` for an invalid name."""
    try:
        return parse_objects(arguments.objects)
    except ValueError as fault:
        raise ConfigError([str(fault)]) from None


def _named_objects(program: str, names: Sequence[ObjectArgument], arguments: Arguments, config: Config) -> RunInput:
    """Return the named live objects, and print where they were read."""
    with live_source(arguments, config) as source:
        run_input = input_of_named_objects(
            source, names, namespace=config.namespace, kubernetes_version=config.kubernetes_version
        )
    say(
        program,
        [
            f"read from {run_input.origin}" if run_input.origin else f"the live state is unknown: {_UNKNOWN}",
            *run_input.notes,
        ],
    )
    return run_input


def _live_subjects(program: str, subjects: Iterable[Subject]) -> list[tuple[Subject, Present]]:
    """Return the live subjects; report the others as missing."""
    listed = list(subjects)
    say(
        program,
        (f"{subject.ref} does not exist, so it has no owners" for subject in listed if subject.state.live == Absent()),
    )
    return [(subject, subject.state.live) for subject in listed if isinstance(subject.state.live, Present)]


def _write_page(
    program: str,
    config: Config,
    problems: Sequence[Problem],
    *,
    text: Callable[[Context], str],
    json: Callable[[], str],
    failing: bool = False,
) -> int:
    """Write a page in every form and return the exit code; ``failing`` marks blocked steps.

    Problems are also written to standard error unless text goes to standard output.
    """
    for output in config.output:
        page = Context(
            color=has_color(config, file=output.file),
            width=width(output.file),
            url_of=links(output),
            verbose=config.verbosity > 0,
        )
        is_json = output.format is Format.JSON
        target = Target.JSON if is_json else Target.TEXT
        write(json() if is_json else text(page), output.file, target, color=page.color, links=page.url_of is not no_url)
    if not any(output.format is Format.TEXT and not output.file for output in config.output):
        say(program, (problem_line(problem, Context()) for problem in problems))
    if problems:
        return INCOMPLETE
    return FAILING if failing and not config.exit_zero else CLEAN
