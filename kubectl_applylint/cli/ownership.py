"""The commands about ownership: what each looks at, what it prints, and which code it ends with."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial

from kubectl_applylint.cli.arguments import Arguments
from kubectl_applylint.cli.output import say, width, write
from kubectl_applylint.cli.run import CLEAN, INCOMPLETE, gather
from kubectl_applylint.cli.show import has_color
from kubectl_applylint.cli.state import known
from kubectl_applylint.config import Config, ConfigError, Format, Kind
from kubectl_applylint.holdings import owners_of
from kubectl_applylint.model import Problem, Subject
from kubectl_applylint.report.context import Context
from kubectl_applylint.report.owners import By, mask_owners, owners_json, owners_text
from kubectl_applylint.report.text import problem_line
from kubectl_applylint.schema.names import Spelled, spelled
from kubectl_applylint.state import Absent, Present
from kubectl_applylint.survey import Survey, survey_named

_UNKNOWN = "nobody can tell who owns what"


def owners(program: str, arguments: Arguments, config: Config) -> int:
    """Tell who owns what of live objects."""
    _refuse("owners", config)
    if arguments.objects and arguments.files:
        raise ConfigError(["owners: name live objects, or files with -f, not both"])
    found = _survey(program, arguments, config)
    said = [owners_of(live.object, subject.kind) for subject, live in _present(program, found.subjects)]
    told = said if config.show_secrets else [*map(mask_owners, said)]
    by = By(arguments.by)
    _write(
        program,
        config,
        found.problems,
        text=partial(owners_text, told, found.problems, by),
        json=lambda: owners_json(told, found.problems, by),
    )
    return INCOMPLETE if found.problems else CLEAN


def _refuse(command: str, config: Config) -> None:
    """Raise ``ConfigError`` for what no command about ownership takes."""
    faults = [
        f"--output: {command} has no form {output.format}; it has text, json"
        for output in config.output
        if output.format not in (Format.TEXT, Format.JSON)
    ]
    if config.against.kind is Kind.NONE:
        faults.append(f"{command} tells about live objects: name --against live or --against snapshot:FILE")
    if faults:
        raise ConfigError(faults)


def _survey(program: str, arguments: Arguments, config: Config) -> Survey:
    if not arguments.objects:
        return gather(program, arguments, config, unknown=_UNKNOWN)
    try:
        names = [*map(spelled, arguments.objects)]
    except ValueError as fault:
        raise ConfigError([str(fault)]) from None
    return _named(program, names, arguments, config)


def _named(program: str, names: Sequence[Spelled], arguments: Arguments, config: Config) -> Survey:
    with known(arguments, config) as source:
        found = survey_named(source, names, namespace=config.namespace, kubernetes_version=config.kubernetes_version)
    say(
        program,
        [f"looked at {found.origin}" if found.origin else f"the live state is unknown: {_UNKNOWN}", *found.notes],
    )
    return found


def _present(program: str, subjects: Iterable[Subject]) -> list[tuple[Subject, Present]]:
    """Return the subjects that are live; say of the others that they are not there yet."""
    listed = list(subjects)
    say(
        program,
        (f"{subject.ref} does not exist: nobody owns it" for subject in listed if subject.state.live == Absent()),
    )
    return [(subject, subject.state.live) for subject in listed if isinstance(subject.state.live, Present)]


def _write(
    program: str,
    config: Config,
    problems: Sequence[Problem],
    *,
    text: Callable[[Context], str],
    json: Callable[[], str],
) -> None:
    """Write a page in every form; problems go to standard error too if no person reads standard output."""
    for output in config.output:
        page = Context(
            color=has_color(config, file=output.file),
            width=None if output.file else width(),
            verbose=config.verbosity > 0,
        )
        write(json() if output.format is Format.JSON else text(page), output.file)
    if not any(output.format is Format.TEXT and not output.file for output in config.output):
        say(program, (problem_line(problem, Context()) for problem in problems))


COMMANDS: Mapping[str, Callable[[str, Arguments, Config], int]] = {"owners": owners}
"""The commands about ownership: program, arguments and configuration to exit code."""
