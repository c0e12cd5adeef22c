"""The command line: commands, flags and their help. What the flags mean is decided in ``config``."""

import argparse
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

from kubectl_applylint import __version__
from kubectl_applylint.cli import PLUGIN
from kubectl_applylint.cli.spelling import spelled_out
from kubectl_applylint.config import OPTIONS
from kubectl_applylint.migration import Side
from kubectl_applylint.report.owners import By
from kubectl_applylint.sources.connection import CONNECTION_OPTIONS, Connection, OptionType

_CODES = """\
exit codes:
  0    everything was examined, nothing at or above --fail-on
  1    findings at or above --fail-on; for plan and migrate: an apply that would be refused
  2    wrong use: flags, configuration, a broken rule folder
  3    incomplete: some input could not be read; findings may be missing
  130  interrupted
"""
OF_OBJECTS = ("owners", "why")
"""The commands whose words name live objects, not files."""
SHELLS = ("bash", "zsh", "fish")
"""The shells that can be taught to complete."""


@dataclass(frozen=True, slots=True)
class Arguments:
    """A command line, taken apart. ``flags`` are the options of ``config`` that were given, as they were typed."""

    command: str
    files: tuple[str, ...]
    recursive: bool
    selector: str
    all_namespaces: bool
    connection: Connection
    """All connection flags but the namespace, which is an option of ``config``."""
    connection_flags: tuple[str, ...]
    """Those among them that were given, as they are spelled."""
    asked: tuple[str, ...]
    """Ids of rules that ``explain`` was asked about."""
    shell: str
    """Which ``completion`` was asked for."""
    objects: tuple[str, ...]
    """Live objects that were named, as they were typed: ``deploy/web``."""
    by: str
    """What ``owners`` sorts by."""
    path: str
    """The field that was asked about, as it was typed."""
    to: str
    """Where ``migrate`` and ``handover`` lead to."""
    flags: Mapping[str, tuple[str, ...]]


def parse(program: str, argv: Sequence[str]) -> Arguments:
    """Return what was asked for; end the program with help (0) or with one line that says what is wrong (2)."""
    command = _top(program).parse_args(argv[:1]).command
    # argparse itself loses what follows "--" once flags and names may be mixed.
    end = argv.index("--") if "--" in argv else len(argv)
    found = vars(_command(program, command).parse_intermixed_args(list(spelled_out(argv[1:end], _SWITCHES))))
    given = {name.replace("_", "-"): value for name, value in found.items()}
    named = [part for text in found.get("filename", ()) for part in text.split(",")]
    rest = tuple(argv[end + 1 :])
    return Arguments(
        command=command,
        files=(*named, *found.get("files", ()), *(() if command in OF_OBJECTS else rest)),
        recursive="recursive" in found,
        selector=found.get("selector", ""),
        all_namespaces=found.get("all_namespaces") == "true",
        connection=_connection_of(found),
        connection_flags=tuple(option.flags[-1] for option in _CONNECTION if option.name in found),
        asked=tuple(found.get("rule", ())),
        shell=found.get("shell", ""),
        objects=(*found.get("objects", ()), *(rest if command in OF_OBJECTS else ())),
        by=found.get("by", By.MANAGER),
        path=found.get("path", ""),
        to=found.get("to", ""),
        flags={name: _texts(given[name]) for name in OPTIONS if name in given},
    )


def _connection_of(found: Mapping[str, Any]) -> Connection:
    values = {option.name: _READERS[option.type](found[option.name]) for option in _CONNECTION if option.name in found}
    return Connection(**values)


_CONNECTION = tuple(option for option in CONNECTION_OPTIONS if option.name != "namespace")
_SWITCHES = {
    "-A",
    "--all-namespaces",
    "--server-side",
    "--force-conflicts",
    *(flag for option in _CONNECTION if option.type is OptionType.BOOLEAN for flag in option.flags),
}
_READERS: Mapping[OptionType, Callable[[Any], Any]] = {
    OptionType.TEXT: str,
    OptionType.BOOLEAN: lambda text: text == "true",
    OptionType.REPEATED: tuple,
}


def _texts(value: str | list[str]) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else tuple(value)


@dataclass(frozen=True, slots=True)
class Flag:
    """One option of a command: its spellings, what its value is called in ``Arguments``, whether it takes one."""

    spellings: tuple[str, ...]
    name: str
    takes_value: bool
    help: str


def flags_of(program: str, command: str) -> tuple[Flag, ...]:
    """Return the flags of a command, in the order in which help shows them."""
    return tuple(
        Flag(
            spellings=tuple(action.option_strings),
            name=action.dest,
            takes_value=action.nargs != 0 and action.option_strings[-1] not in _SWITCHES and action.dest != "verbosity",
            help=action.help or "",
        )
        # argparse has no other way to ask a parser what it takes.
        for action in _command(program, command)._actions
        if action.option_strings
    )


def commands() -> Mapping[str, str]:
    """Return what each command does."""
    return {name: words for name, (words, _) in _COMMANDS.items()}


class _Parser(argparse.ArgumentParser):
    """Says in one line what is wrong."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message} (see {self.prog} --help)\n")


def _top(program: str) -> argparse.ArgumentParser:
    commands = "\n".join(f"  {name:12}{words}" for name, (words, _) in _COMMANDS.items())
    parser = _Parser(
        prog=program,
        usage="%(prog)s COMMAND [OPTIONS] [FILE ...]",
        description=f"Tells what kubectl apply will do to the live objects, before you apply.\n\ncommands:\n{commands}",
        epilog=_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"{program} {__version__}")
    parser.add_argument("command", choices=_COMMANDS, metavar="COMMAND", help=argparse.SUPPRESS)
    return parser


def _command(program: str, name: str) -> argparse.ArgumentParser:
    words, groups = _COMMANDS[name]
    parser = _Parser(
        prog=f"{program} {name}",
        description=words[0].upper() + words[1:] + ".",
        epilog=_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
        argument_default=argparse.SUPPRESS,
    )
    for group in groups:
        group(parser)
    return parser


def _manifests(parser: argparse.ArgumentParser) -> None:
    _files(parser, "")


def _files(parser: argparse.ArgumentParser, otherwise: str) -> None:
    parser.add_argument(
        "files", nargs="*", metavar="FILE", help=f"manifests, folders of them, or - for standard input{otherwise}"
    )
    _files_as_kubectl(parser, "the same, as kubectl apply takes it")
    _labels(parser)


def _files_as_kubectl(parser: argparse.ArgumentParser, words: str) -> None:
    parser.add_argument("-f", "--filename", action="append", metavar="FILE", help=words)
    parser.add_argument("-R", "--recursive", action="store_true", help="look into folders of folders too")


def _objects(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "objects",
        nargs="*",
        metavar="KIND/NAME",
        help="live objects, as kubectl spells them (deploy/web); without any, and without files, those that kubectl"
        " apply has made",
    )
    _files_as_kubectl(parser, "look at the objects that these manifests describe")
    _labels(parser)
    _places(parser)


def _field(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "objects", nargs=1, metavar="KIND/NAME", help="a live object, as kubectl spells it (deploy/web)"
    )
    parser.add_argument(
        "path",
        metavar="PATH",
        help="a field of it: spec.replicas, 'spec.template.spec.containers[name=web].image'",
    )
    _files_as_kubectl(parser, "the manifests that are applied next (default: what was last applied)")
    _places(parser)


def _side(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--to", choices=[*Side], help="server-side apply (default), or back to client-side apply")


def _order(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--by", choices=[*By], help="list the fields of each manager (default), or the managers of each field"
    )


def _input(parser: argparse.ArgumentParser) -> None:
    _files(parser, "; without any the live objects that kubectl apply has made are examined by themselves")
    _places(parser)


def _labels(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("-l", "--selector", metavar="LABELS", help="take only objects with these labels (app=web)")


def _places(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "-n", "--namespace", metavar="NAME", help="of objects that name none (default: that of the context, or default)"
    )
    _switch(parser, "-A", "--all-namespaces", help="without files: examine what was applied in all namespaces")


def _state(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--against",
        metavar="STATE",
        help="what is live: live (asks the cluster), none, snapshot:FILE with what kubectl get -o json"
        " --show-managed-fields printed, or what earlier manifests make of an empty cluster: dir:PATH, file:PATH"
        f" (default: {'live' if _is_plugin(parser.prog) else 'none'})",
    )
    _version(parser)


def _version(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--kubernetes-version", metavar="1.N", help="of the cluster and of kubectl")


def _is_plugin(program: str) -> bool:
    return program.startswith(PLUGIN)


def _connection(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("connection, for --against live, as kubectl takes them")
    for option in _CONNECTION:
        if option.type is OptionType.BOOLEAN:
            _switch(group, *option.flags, help=option.help, dest=option.name)
        else:
            action = "append" if option.type is OptionType.REPEATED else "store"
            group.add_argument(*option.flags, dest=option.name, action=action, metavar="VALUE", help=option.help)


def _switch(container: argparse._ActionsContainer, *flags: str, **words: str) -> None:
    """Add a flag that is given by itself or, as kubectl takes it, with a value: ``--flag=false``."""
    container.add_argument(*flags, type=_boolean, nargs="?", metavar="true|false", **words)  # type: ignore[arg-type]  # all texts


def _boolean(text: str) -> str:
    """Return ``true`` or ``false`` for what Go's ``ParseBool`` reads as one."""
    if text in ("1", "t", "T", "true", "TRUE", "True"):
        return "true"
    if text in ("0", "f", "F", "false", "FALSE", "False"):
        return "false"
    raise argparse.ArgumentTypeError(f"{text!r} is neither true nor false")


def _applying(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("how it is applied, as kubectl apply takes them")
    _switch(group, "--server-side", help="foretell a server-side apply")
    _switch(group, "--force-conflicts", help="of a server-side apply: take over what other managers own")
    group.add_argument("--field-manager", metavar="NAME", help="the manager that the apply writes as")


def _judgement(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--select", action="append", metavar="RULE", help="run only these rules")
    parser.add_argument("--ignore", action="append", metavar="RULE", help="leave these rules out")
    parser.add_argument(
        "--fail-on", metavar="SEVERITY", help="error (default), warning or info: what exit code 1 takes"
    )


def _folders(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--rules", action="append", metavar="DIR", help="a folder with rules of your own")


def _output(parser: argparse.ArgumentParser, forms: str) -> None:
    parser.add_argument("-o", "--output", action="append", metavar="FORMAT[=FILE]", help=f"{forms}; may be repeated")
    parser.add_argument("--show-secrets", action="store_const", const="true", help="do not mask what Secrets hold")


def _document(parser: argparse.ArgumentParser) -> None:
    _output(parser, "text (default: YAML, coloured for a terminal), yaml, json")


def _form(parser: argparse.ArgumentParser) -> None:
    _output(parser, "text (default), concise, json, sarif, github, gitlab")
    _exit_zero(parser)
    _detail(parser)


def _page(parser: argparse.ArgumentParser) -> None:
    _output(parser, "text (default), json")
    _detail(parser)


def _page_with_code(parser: argparse.ArgumentParser) -> None:
    _exit_zero(parser)
    _page(parser)


def _errors(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "files", nargs="*", metavar="TEXT", help="what was printed (default: standard input, kubectl apply ... 2>&1 |)"
    )


def _diagnosis(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("-o", "--output", action="append", metavar="FORMAT[=FILE]", help="text (default), json")
    _exit_zero(parser)


def _exit_zero(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--exit-zero", action="store_const", const="true", help="end with 0 where it would be 1")


def _detail(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "-v",
        dest="verbosity",
        metavar="N",
        help="say more: rules that could not run, changes as expected, whole values",
    )


def _look(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--color", metavar="WHEN", help="auto (default), always or never")


def _shells(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shell", choices=SHELLS, help="what to source: applylint completion bash > FILE")


def _names(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("rule", nargs="+", metavar="RULE", help="the id of a rule")


_COMMANDS = {
    "check": (
        "report the hazards of applying these manifests",
        (_input, _state, _applying, _judgement, _folders, _form, _look, _connection),
    ),
    "plan": ("foretell what the apply does to each object", (_input, _state, _applying, _form, _look, _connection)),
    "defaults": (
        "print manifests with the defaults that a server fills in",
        (_manifests, _version, _document, _look),
    ),
    "owners": (
        "tell who owns which field of live objects",
        (_objects, _order, _state, _page, _look, _connection),
    ),
    "why": (
        "tell how a field of a live object came by its value and its owner",
        (_field, _state, _page, _look, _connection),
    ),
    "migrate": (
        "plan the way from client-side to server-side apply, or back",
        (_manifests, _places, _side, _state, _page_with_code, _look, _connection),
    ),
    "diagnose": (
        "explain errors that kubectl apply has printed, given as arguments or on standard input",
        (_errors, _folders, _diagnosis, _look),
    ),
    "explain": ("tell what a rule is about, with examples", (_names, _folders, _look)),
    "rules": ("list the rules", (_folders, _look)),
    "completion": ("print what makes a shell complete applylint", (_shells,)),
}
