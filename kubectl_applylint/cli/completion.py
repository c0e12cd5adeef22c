"""Completion of command lines, for kubectl's plugin completion and for shells.

The output format is that of Cobra: one candidate per line with a tab and a description, then a line ``:N`` with a
directive for the shell.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import IntFlag
from functools import partial
from pathlib import Path
from typing import Final

from kubectl_applylint.appliers.request import TOOL_APPLIERS
from kubectl_applylint.appliers.unit_applier import ASKED
from kubectl_applylint.cli.parsing.apply_options import METACONTROLLER
from kubectl_applylint.cli.parsing.arguments import Arguments, Flag, commands, flags_of
from kubectl_applylint.cli.parsing.options import ACTIONS, SHELLS
from kubectl_applylint.cli.terminal.output import write
from kubectl_applylint.config.configuration import ColorMode, Config, Format
from kubectl_applylint.core.records import dataclass, replace
from kubectl_applylint.core.safe_text import Target
from kubectl_applylint.lint.model import Rule, Severity
from kubectl_applylint.ownership.migration import MergeSite
from kubectl_applylint.ownership.tool_migration import Origin
from kubectl_applylint.report.context import Shown
from kubectl_applylint.report.ownership.owners import GroupBy
from kubectl_applylint.rulebook import rulebook
from kubectl_applylint.rulebook.families import Family
from kubectl_applylint.rulebook.rulebook import Rulebook
from kubectl_applylint.schema import tables
from kubectl_applylint.sources.cluster.connection import CONNECTION_OPTIONS, Connection, OptionType, process_environment
from kubectl_applylint.tools.metacontroller.children import UpdateMethod

_PATIENCE: Final = "2s"
"""The time limit for reading namespace names while the user waits."""


class Directive(IntFlag):
    """What a shell does in addition to offering candidates (Cobra's ``ShellCompDirective``)."""

    FILES = 0
    """Offer files if there are no candidates."""
    NO_SPACE = 2
    NO_FILES = 4
    ENDINGS = 8
    """The candidates are file extensions to offer."""
    FOLDERS = 16


@dataclass(frozen=True, slots=True)
class Offer:
    """The candidates for a word, each with a short description."""

    words: Mapping[str, str]
    directive: Directive = Directive.NO_FILES


@dataclass(frozen=True, slots=True)
class Typed:
    """An incomplete command line: ``word`` is being typed, ``given`` has the flags before it by name."""

    program: str
    command: str
    flags: tuple[Flag, ...]
    word: str
    given: Mapping[str, tuple[str, ...]]


_NOTHING: Final = Offer({})
_FILES: Final = Offer({}, Directive.FILES)
_FOLDERS: Final = Offer({}, Directive.FOLDERS)
_MANIFESTS: Final = Offer(dict.fromkeys(("yaml", "yml", "json"), ""), Directive.ENDINGS)
_REPORTS: Final = Offer({"json": ""}, Directive.ENDINGS)


def candidates(program: str, words: Sequence[str]) -> str:
    """Return the completions for a command line; the last of ``words`` is being typed and may be empty."""
    *before, word = words or ("",)
    offer = _offer(program, before, word)
    return "".join(f"{line}\n" for line in (*_lines(offer, word), f":{offer.directive.value}"))


def _lines(offer: Offer, word: str) -> Iterator[str]:
    """Yield the lines of the answer: candidates and directive."""
    start = word.partition("=")[2] if word.startswith("--") and "=" in word else word
    for candidate, words in offer.words.items():
        if offer.directive is Directive.ENDINGS or candidate.startswith(start):
            yield f"{candidate}\t{words}" if words else candidate


def _offer(program: str, before: Sequence[str], word: str) -> Offer:
    """Return the candidates for the word being typed."""
    if not before:
        return Offer(_TOP_FLAGS if word.startswith("-") else commands())
    command = before[0]
    if command not in commands():
        return _NOTHING
    flags = flags_of(program, command)
    spelled = {spelling: flag for flag in flags for spelling in flag.spellings}
    given, open_flag, positional = _parse_words(before[1:], spelled)
    typed = Typed(program, command, flags, word, given)
    if open_flag:
        return _value(open_flag.name, typed)
    if word.startswith("--") and "=" in word:
        name, _, value = word.partition("=")
        flag = spelled.get(name)
        return _value(flag.name, replace(typed, word=value)) if flag else _NOTHING
    if word.startswith("-"):
        return Offer({spelling: flag.help for flag in flags for spelling in flag.spellings})
    complete = _POSITIONAL.get(command)
    return complete(typed, positional) if complete else _NOTHING


_TOP_FLAGS: Final = {"--help": "show help", "--version": "show the version"}


def _parse_words(
    words: Sequence[str], spelled: Mapping[str, Flag]
) -> tuple[Mapping[str, tuple[str, ...]], Flag | None, tuple[str, ...]]:
    """Return the values of flags by name, the flag that still needs a value, and the positional words."""
    given: dict[str, tuple[str, ...]] = {}
    positional: list[str] = []
    waiting: Flag | None = None
    for word in words:
        name, equals, value = word.partition("=")
        flag = waiting or spelled.get(name)
        if waiting is not None:
            given[waiting.name] = (*given.get(waiting.name, ()), word)
            waiting = None
        elif flag is None:
            positional.append(word)
        elif equals or not flag.takes_value:
            given[flag.name] = (*given.get(flag.name, ()), value or "true")
        else:
            waiting = flag
    return given, waiting, tuple(positional)


def _value(name: str, typed: Typed) -> Offer:
    """Return the candidates for the value of a flag."""
    complete = _VALUES.get(name)
    return complete(typed) if complete else _NOTHING


def _connection(typed: Typed) -> Connection:
    values: dict[str, object] = {"request_timeout": _PATIENCE}
    for option in CONNECTION_OPTIONS:
        texts = typed.given.get(option.name)
        if texts and option.type is OptionType.TEXT:
            values[option.name] = texts[-1]
        elif texts:
            values[option.name] = texts if option.type is OptionType.REPEATED else texts[-1] == "true"
    return Connection(**values)  # type: ignore[arg-type]  # the table matches fields and types


def _kubeconfig_names(section: str, typed: Typed) -> Offer:
    from kubectl_applylint.sources.cluster.kubeconfig import Kubeconfig, read_kubeconfig  # noqa: PLC0415  4 ms

    found = read_kubeconfig(_connection(typed), process_environment())
    return Offer(dict.fromkeys(sorted(getattr(found, section)), "")) if isinstance(found, Kubeconfig) else _NOTHING


def _namespaces(typed: Typed) -> Offer:
    # What asks a cluster takes 80 ms to import, and all else is answered without.
    from kubectl_applylint.sources.cluster.cluster import Cluster, open_cluster  # noqa: PLC0415

    cluster = open_cluster(_connection(typed))
    if not isinstance(cluster, Cluster):
        return _NOTHING
    try:
        return Offer(dict.fromkeys(cluster.namespaces(), ""))
    finally:
        cluster.close()


def _families(typed: Typed) -> Offer:
    return _rule_list(typed, _rulebook(typed).families)


def _rules_or_families(typed: Typed) -> Offer:
    book = _rulebook(typed)
    return _rule_list(typed, (*book.rules, *book.families))


def _rulebook(typed: Typed) -> Rulebook:
    """Return the rules of the command line's rule folders."""
    return rulebook.load([Path(text) for text in typed.given.get("rules", ())])


def _rule_list(typed: Typed, items: Iterable[Rule | Family]) -> Offer:
    """Offer rules or families for the last word of a comma-separated list."""
    earlier = typed.word[: typed.word.rfind(",") + 1]
    return Offer({earlier + item.id: item.summary for item in items})


def _against(typed: Typed) -> Offer:
    """Offer states to compare with."""
    begun = [word for word in _PATHS if typed.word and word.startswith(typed.word)]
    if begun:
        return Offer({word: _PATHS[word] for word in begun}, Directive.NO_SPACE | Directive.NO_FILES)
    return Offer({**_STATES, **_PATHS})


_STATES: Final = {
    "live": "the cluster",
    "last-applied": "the last-applied annotations in the cluster",
    "none": "nothing",
    "index": "the staged changes (git index)",
    "HEAD": "the last commit",
}
_PATHS: Final = {
    "snapshot:": "output of kubectl get",
    "dir:": "a directory of earlier manifests",
    "file:": "a file with earlier manifests",
}


def _constant_offer(offer: Offer) -> Callable[..., Offer]:
    """Return the function that always returns an offer."""
    return lambda *typed: offer


def _one_of(*words: str) -> Callable[..., Offer]:
    return _constant_offer(Offer(dict.fromkeys(words, "")))


def _targets(typed: Typed) -> Offer:
    """Offer sides and programs for ``migrate``; managers are only known to the object."""
    return Offer(dict.fromkeys([*MergeSite, *TOOL_APPLIERS], "")) if typed.command == "migrate" else _NOTHING


_VALUES: Final[Mapping[str, Callable[[Typed], Offer]]] = {
    "against": _against,
    "applier": _one_of("kubectl", METACONTROLLER, *ASKED),
    "baseline": _constant_offer(_FILES),
    "by": _one_of(*GroupBy),
    "controller": _constant_offer(_MANIFESTS),
    "kuberc": _constant_offer(_FILES),
    "update_method": _one_of(*UpdateMethod),
    "cache_dir": _constant_offer(_FOLDERS),
    "certificate_authority": _constant_offer(_FILES),
    "client_certificate": _constant_offer(_FILES),
    "client_key": _constant_offer(_FILES),
    "cluster": partial(_kubeconfig_names, "clusters"),
    "config": _constant_offer(_FILES),
    "color": _one_of(*ColorMode),
    "context": partial(_kubeconfig_names, "contexts"),
    "family": _families,
    "fail_on": _one_of(*Severity),
    "filename": _constant_offer(_MANIFESTS),
    "ignore": _rules_or_families,
    "job_namespace": _namespaces,
    "kubeconfig": _constant_offer(_FILES),
    "kubernetes_version": _one_of(*(f"1.{minor}" for minor in range(tables.OLDEST, tables.NEWEST + 1))),
    "namespace": _namespaces,
    "origin": _one_of(*Origin),
    "output": _one_of(*Format),
    "rules": _constant_offer(_FOLDERS),
    "select": _rules_or_families,
    "show": _one_of(*Shown),
    "to": _targets,
    "user": partial(_kubeconfig_names, "users"),
}
"""Completions of flag values; flags that are missing here have values that only the user knows."""


def _rules(typed: Typed, before: Sequence[str]) -> Offer:
    offered = _rule_list(typed, _rulebook(typed).rules).words
    return Offer({rule: words for rule, words in offered.items() if rule not in before})


def _shells(typed: Typed, before: Sequence[str]) -> Offer:
    return _NOTHING if before else Offer(dict.fromkeys(SHELLS, ""))


def _actions(typed: Typed, before: Sequence[str]) -> Offer:
    if not before:
        return Offer(dict.fromkeys(ACTIONS[typed.command], ""))
    return _MANIFESTS if typed.command == "baseline" else _NOTHING


_files: Final = _constant_offer(_MANIFESTS)
_reports: Final = _constant_offer(_REPORTS)
_POSITIONAL: Final[Mapping[str, Callable[[Typed, Sequence[str]], Offer]]] = {
    "check": _files,
    "plan": _files,
    "compare": _files,
    "revert": _files,
    "again": _files,
    "defaults": _files,
    "render": _files,
    "fetch": _constant_offer(_FOLDERS),
    "units": _constant_offer(_FOLDERS),
    "definitions": _constant_offer(_FOLDERS),
    "migrate": _files,
    "comment": _reports,
    "merge": _reports,
    "baseline": _actions,
    "config": _actions,
    "explain": _rules,
    "completion": _shells,
}
"""Completions of the words of a command; commands that are missing here have words that only the user knows."""


def completion(program: str, arguments: Arguments, config: Config) -> int:
    """Print the completion script of a shell."""
    write(script(arguments.shell), target=Target.SHELL)
    return 0


def script(shell: str) -> str:
    """Return the script that a shell has to source to complete ``applylint``."""
    return (Path(__file__).parent / f"completions/applylint.{shell}").read_text(encoding="utf-8")
