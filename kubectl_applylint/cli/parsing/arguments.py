"""The command line: parses commands and flags. ``config`` interprets the flags."""

import argparse
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, NoReturn

from kubectl_applylint import __version__
from kubectl_applylint.appliers.flags import DryRun, Flags
from kubectl_applylint.appliers.request import Applier
from kubectl_applylint.appliers.unit_applier import ASKED, AskedApplier
from kubectl_applylint.cli.parsing.apply_options import METACONTROLLER, VALIDATIONS
from kubectl_applylint.cli.parsing.comment_options import CommentOptions, comment_options
from kubectl_applylint.cli.parsing.fetch_options import FetchOptions, fetch_options
from kubectl_applylint.cli.parsing.fix_options import FixOptions, fix_options
from kubectl_applylint.cli.parsing.names import EXIT_CODES
from kubectl_applylint.cli.parsing.options import COMMANDS, CONNECTION, SWITCHES
from kubectl_applylint.cli.parsing.unit_options import ShareOptions, share_options
from kubectl_applylint.config.configuration import OPTIONS
from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.safe_text import one_line, page
from kubectl_applylint.core.spelling import meant, nearest, shorten_words
from kubectl_applylint.sources.cluster.connection import Connection, OptionType
from kubectl_applylint.tools.metacontroller.children import Sync

OF_OBJECTS = ("owners", "why", "adopt", "handover")
"""Commands whose arguments name live objects instead of files."""
OF_APPLIES = ("check", "plan", "compare", "revert", "again", "baseline")
"""Commands that handle all files as one apply, in order."""
BY_UNITS = ("check", "plan", "compare", "baseline", "units", "render", "fetch")
"""Commands that handle each unit of a repository separately, unless the caller names one apply."""
OF_METACONTROLLER = ("controller", "update_method", "parent")
"""Flags that only apply to a sync by Metacontroller."""
_USUAL_NAMES = {"lint": "check", "diff": "plan"}
"""Names that other programs have for commands, with the name of the command here."""
_VERBOSE = regex(r"--?v=?(?P<number>\d{1,2})|-(?P<letters>v+)|--v")


@dataclass(frozen=True, slots=True)
class Arguments:
    """A parsed command line. ``flags`` has the given options of ``config`` as they were typed."""

    command: str
    config: str
    """The named configuration file, or ``""`` to search for one."""
    files: tuple[str, ...]
    """Files of ``-f`` and ``-k`` in their order, as kubectl reads them, followed by other files, which hooks may pass
    in any order.
    """
    named: tuple[str, ...]
    """The files of ``-f`` and ``-k``."""
    recursive: bool
    kustomize: str
    """The folder of ``-k``, which is also in ``files``."""
    apply: Flags
    """The flags of kubectl apply, except the namespace, which is an option of ``config``."""
    kuberc: str
    """The named file with kubectl's preferences, or ``""`` to use that of the user."""
    controller: str
    """The file with the Metacontroller controller of the children."""
    all_namespaces: bool
    connection: Connection
    """The connection flags, except the namespace, which is an option of ``config``."""
    connection_flags: tuple[str, ...]
    """The given connection flags as they are spelled."""
    asked: tuple[str, ...]
    """The rule ids that ``explain`` prints."""
    coverage: bool
    """Whether ``rules`` lists hazards."""
    families: tuple[str, ...]
    """The families whose rules ``rules`` lists; empty for all."""
    every_commit: bool
    """Whether ``again`` applies each commit in between."""
    shell: str
    """The shell of ``completion``."""
    action: str
    """The action of ``baseline`` and ``config``."""
    objects: tuple[str, ...]
    """The named live objects as they were typed: ``deploy/web``."""
    by: str
    """The order of ``owners``, or ``""``."""
    path: str
    """The field of ``why`` and ``handover`` as it was typed."""
    to: str
    """The target of ``migrate`` and ``handover``."""
    origin: str
    """The applier before ``migrate``, or ``""`` to read it from each object."""
    comment: CommentOptions
    """The settings of ``comment``."""
    fetch: FetchOptions
    """The settings of ``fetch``."""
    fix: FixOptions
    """The edits that ``check`` makes."""
    is_one_apply: bool
    """Whether all files count as one apply."""
    roots: tuple[str, ...]
    """Patterns for the roots of the units to examine."""
    target_revisions: tuple[str, ...]
    """The revisions whose applies are treated as if they applied the examined files."""
    share: ShareOptions
    """The part of the units to examine."""
    targets: str | None
    """The targets to plan for as typed, or ``None`` without ``--targets``."""
    appliers: str
    """The appliers to compare as typed, or ``""`` for all."""
    shows_known: bool
    """Whether ``check`` also lists findings that existed before a change."""
    writes: bool
    """Whether ``init`` writes files."""
    statistics: bool
    """Whether ``check`` only counts findings."""
    no_pager: bool
    """Whether output is never paged."""
    allow_network: bool
    """Whether renderers may download files. A configuration cannot set this, since it may come from the repository."""
    is_uncached: bool
    """Whether caches of rendered output are neither read nor written."""
    skips_non_manifests: bool
    """Whether named files without manifests are skipped."""
    flags: Mapping[str, tuple[str, ...]]


def parse(program: str, argv: Sequence[str]) -> Arguments:
    """Return the parsed command line; exit after printing help (0) or an error in one line (2).

    Without arguments it prints the help, as kubectl does.
    """
    command = _top(program).parse_args(argv[:1] or ["--help"]).command
    # argparse itself loses what follows "--" once flags and names may be mixed.
    end = argv.index("--") if "--" in argv else len(argv)
    found = _parsed_values(program, command, list(_normalize_spelling(argv[1:end])))
    given = {name.replace("_", "-"): value for name, value in found.items()}
    rest = tuple(argv[end + 1 :])
    explicit = tuple(_named_files(found))
    words = (*found.get("files", ()), *(() if command in OF_OBJECTS else rest))
    fields: dict[str, Any] = {name: found.get(name, "") for name in _TEXTS}
    fields |= {field: option in found for field, option in _SWITCHED.items()}
    return Arguments(
        command=command,
        files=(*explicit, *(sorted(words, key=_folder_order) if command in OF_APPLIES else words)),
        named=explicit,
        apply=_apply_flags(found),
        all_namespaces=found.get("all_namespaces") == "true",
        connection=_connection_of(found),
        connection_flags=tuple(option.flags[-1] for option in CONNECTION if option.name in found),
        asked=tuple(found.get("rule", ())),
        families=tuple(name.strip() for text in found.get("family", ()) for name in text.split(",")),
        objects=(*found.get("objects", ()), *(rest if command in OF_OBJECTS else ())),
        comment=comment_options(found),
        fetch=fetch_options(found),
        fix=fix_options(found),
        roots=tuple(found.get("unit", ())),
        target_revisions=tuple(found.get("target_revision", ())),
        share=share_options(found),
        targets=found.get("target_selector"),
        **fields,
        flags={name: _texts(given[name]) for name in OPTIONS if name in given and not _is_sync(name, given)},
    )


_TEXTS = ("config", "kustomize", "kuberc", "controller", "shell", "action", "by", "path", "to", "origin", "appliers")
"""Fields with the text of the option of the same name."""
_SWITCHED = {
    "recursive": "recursive",
    "coverage": "coverage",
    "every_commit": "every_commit",
    "is_one_apply": "one_apply",
    "shows_known": "show_known",
    "writes": "write",
    "statistics": "statistics",
    "no_pager": "no_pager",
    "allow_network": "allow_network",
    "is_uncached": "no_cache",
    "skips_non_manifests": "skip_non_manifests",
}
"""Fields that record whether an option was given."""


def _parsed_values(program: str, command: str, argv: Sequence[str]) -> Mapping[str, Any]:
    """Return the values of the given arguments; exit if one is invalid."""
    parser = _command(program, command)
    namespace, unknown = parser.parse_known_intermixed_args(argv)
    if unknown:
        parser.error(_unrecognized_message(program, command, unknown))
    found = vars(namespace)
    if found.get("applier") != METACONTROLLER and not found.keys().isdisjoint(OF_METACONTROLLER):
        parser.error("--controller, --update-method and --parent only work with --applier metacontroller")
    if "release" in found and found.get("applier") not in _HELMS:
        parser.error("--release only works with --applier helm3 or helm4")
    if "take_ownership" in found and found.get("applier") not in _HELMS:
        parser.error("--take-ownership only works with --applier helm3 or helm4")
    if "app" in found and found.get("applier") != Applier.KAPP:
        parser.error("--app only works with --applier kapp")
    return found


def _named_files(found: Mapping[str, Any]) -> Iterator[str]:
    """Yield the files of ``-f`` and ``-k``."""
    yield from (part for text in found.get("filename", ()) for part in text.split(","))
    if "kustomize" in found:
        yield found["kustomize"]


def _folder_order(path: str) -> list[bytes]:
    """Return the sort key for the order in which kubectl finds files in folders."""
    return [part.encode("utf-8", "surrogateescape") for part in os.path.normpath(path).split(os.sep)]


def _apply_flags(found: Mapping[str, Any]) -> Flags:
    return Flags(
        selector=found.get("selector", ""),
        prune=found.get("prune") == "true",
        all=found.get("all") == "true",
        prune_allowlist=tuple(found.get("prune_allowlist", ())),
        applyset=found.get("applyset", ""),
        sync=_sync(found),
        asked=_applier_asked_for(found),
        overwrite=found.get("overwrite") != "false",
        force=found.get("force") == "true" and found.get("applier") not in _HELMS,
        grace_period=found.get("grace_period", -1),
        dry_run=DryRun(found.get("dry_run", DryRun.NONE)),
        validation=VALIDATIONS[found.get("validate", "strict")],
        subresource=found.get("subresource", ""),
    )


def _is_sync(name: str, given: Mapping[str, Any]) -> bool:
    """Return whether an option selects Metacontroller, which a configuration cannot do."""
    return name == "applier" and given[name] == METACONTROLLER


def _applier_asked_for(found: Mapping[str, Any]) -> AskedApplier | None:
    """Return the applier of ``--applier``, or ``None``."""
    word = found.get("applier", "")
    if word not in ASKED:
        return None
    flags = tuple(_helm_flags(found)) if word in _HELMS else ()
    return AskedApplier(ASKED[word], found.get("release", "") or found.get("app", ""), flags=flags)


_HELMS = (Applier.HELM3, Applier.HELM4)


def _helm_flags(found: Mapping[str, Any]) -> Iterator[str]:
    """Yield the flags that Helm shares with kubectl, in Helm's spelling."""
    yield from (f"--{name.replace('_', '-')}" for name in ("force", "force_conflicts") if found.get(name) == "true")
    if "server_side" in found:
        yield f"--server-side={found['server_side']}"
    if "take_ownership" in found:
        yield "--take-ownership"


def _sync(found: Mapping[str, Any]) -> Sync | None:
    """Return the Metacontroller settings in the flags, or ``None``."""
    if found.get("applier") != METACONTROLLER:
        return None
    return Sync(methods=tuple(found.get("update_method", ())), parent=found.get("parent", ""))


def _connection_of(found: Mapping[str, Any]) -> Connection:
    values = {option.name: _READERS[option.type](found[option.name]) for option in CONNECTION if option.name in found}
    return Connection(**values)


_READERS: Mapping[OptionType, Callable[[Any], Any]] = {
    OptionType.TEXT: str,
    OptionType.BOOLEAN: lambda text: text == "true",
    OptionType.REPEATED: tuple,
}


def _texts(value: str | list[str]) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else tuple(value)


@dataclass(frozen=True, slots=True)
class Flag:
    """One option of a command: its spellings, the name of its value in ``Arguments``, whether it takes a value."""

    spellings: tuple[str, ...]
    name: str
    takes_value: bool
    help: str


def flags_of(program: str, command: str) -> tuple[Flag, ...]:
    """Return the flags of a command in the order of its help."""
    return tuple(
        Flag(
            spellings=tuple(action.option_strings),
            name=action.dest,
            takes_value=action.nargs != 0 and action.option_strings[-1] not in SWITCHES and action.dest != "verbosity",
            help=action.help or "",
        )
        # argparse has no other way to ask a parser what it takes.
        for action in _command(program, command)._actions
        if action.option_strings
    )


def commands() -> Mapping[str, str]:
    """Return the summaries of the commands."""
    return {name: words for name, (words, _) in COMMANDS.items()}


def _unrecognized_message(program: str, command: str, unknown: Sequence[str]) -> str:
    """Return the error for unknown arguments, with a suggestion for the first flag."""
    message = f"unrecognized arguments: {' '.join(unknown)}"
    flag = next((word.partition("=")[0] for word in unknown if word.startswith("-")), "")
    if not flag:
        return message
    elsewhere = [name for name in COMMANDS if flag in _spellings(program, name)]
    if elsewhere:
        return f"{message}; {flag} is a flag of {', '.join(elsewhere)}"
    long = [spelling.lstrip("-") for spelling in _spellings(program, command) if spelling.startswith("--")]
    close = nearest(flag.lstrip("-"), long)
    return f"{message}; did you mean --{close}?" if close else message


def _spellings(program: str, command: str) -> list[str]:
    """Return the spellings of the flags of a command."""
    return [spelling for flag in flags_of(program, command) for spelling in flag.spellings]


class _Parser(argparse.ArgumentParser):
    """A parser that reports errors in one line."""

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """Reject a word that is not among the choices of an argument; argparse calls this for each."""
        if action.choices is None or value in action.choices:
            return
        choices = [*map(str, action.choices)]
        word = _USUAL_NAMES.get(str(value), str(value))
        advice = meant(word, choices, otherwise=f"choose from {', '.join(choices)}")
        raise argparse.ArgumentError(action, f"invalid choice: {str(value)!r}; {advice}")

    def error(self, message: str) -> NoReturn:
        self.exit(2, page(f"{self.prog}: {one_line(shorten_words(message))} (see {self.prog} --help)\n"))


@cache
def _top(program: str) -> argparse.ArgumentParser:
    """Return the parser for the first word."""
    commands = "\n".join(f"  {name:12}{words}" for name, (words, _) in COMMANDS.items())
    parser = _Parser(
        prog=program,
        usage="%(prog)s COMMAND [OPTIONS] [FILE ...]",
        description=f"Predicts what kubectl apply will do to the live objects.\n\ncommands:\n{commands}",
        epilog=EXIT_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--version",
        action="version",
        version=f"{program} {__version__}",
        help="show the version (with -v: the environment)",
    )
    parser.add_argument("command", choices=COMMANDS, metavar="COMMAND", help=argparse.SUPPRESS)
    return parser


@cache
def _command(program: str, name: str) -> argparse.ArgumentParser:
    words, groups = COMMANDS[name]
    parser = _Parser(
        prog=f"{program} {name}",
        description=words[0].upper() + words[1:] + ".",
        epilog=EXIT_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
        argument_default=argparse.SUPPRESS,
    )
    for group in groups:
        group(parser)
    return parser


def _normalize_spelling(argv: Sequence[str]) -> Iterator[str]:
    """Yield the arguments with one spelling for ``-v``, ``-vv``, ``-v 4``, ``-v=4`` and ``--v=4``.

    Switches without a value get one, so that they do not consume the next word.
    """
    rest = list(argv)
    while rest:
        word = rest.pop(0)
        match = _VERBOSE.fullmatch(word)
        if match is None:
            yield f"{word}=true" if word in SWITCHES else word
        elif match["number"]:
            yield f"-v{match['number']}"
        elif rest and rest[0].isdecimal():
            yield f"-v{rest.pop(0)}"
        else:
            yield f"-v{len(match['letters'] or 'v')}"
