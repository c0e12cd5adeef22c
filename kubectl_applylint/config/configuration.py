"""The configuration of a run: flags, then ``APPLYLINT_*`` variables, then a configuration file (``settings``).

The file is the named one, or else the nearest, from which only harmless options are used (``trust``); the user's own
file has the lowest priority.

All errors of all sources are gathered before any is reported.
"""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from itertools import chain
from pathlib import Path
from typing import Any, Final

from kubectl_applylint.appliers.unit_applier import ASKED, AUTO
from kubectl_applylint.config.conclusions import ClassConclusion, conclusions
from kubectl_applylint.config.definitions import DEFINITION_OPTIONS, DefinitionSource, definitions
from kubectl_applylint.config.downloads import HOST, mirrors, own_sources
from kubectl_applylint.config.entries import read, suggestion, waiver
from kubectl_applylint.config.incomplete import INCOMPLETE_OPTIONS, incomplete
from kubectl_applylint.config.language import Language
from kubectl_applylint.config.settings import ConfigFault, Item, Setting, find, from_file, users_file
from kubectl_applylint.config.severities import SeveritySetting, severities
from kubectl_applylint.config.targets import WORDLESS, ConfiguredTarget, target_options, targets
from kubectl_applylint.config.trust import Unfollowed, notes_on_unfollowed, safe_settings
from kubectl_applylint.config.types import (
    BOOLEAN,
    DURATION,
    FILE,
    MANAGER,
    MEMORY,
    NUMBER,
    RULE,
    RULES,
    TEXT,
    VERSION,
    WORD,
    Option,
    Type,
    choice,
    one_of,
)
from kubectl_applylint.config.units import PATTERN, unit_options, units
from kubectl_applylint.core.location import NOWHERE, Location
from kubectl_applylint.core.records import dataclass, field, replace
from kubectl_applylint.lint.hiding.waivers import Waiver
from kubectl_applylint.lint.model import Severity
from kubectl_applylint.report.context import Shown
from kubectl_applylint.run.compare.against import NOTHING, WITH_PATH, Against, AgainstKind, read_against
from kubectl_applylint.sources.render.render_limits import DEFAULTS
from kubectl_applylint.sources.store.hosts import HostPath, Mirror
from kubectl_applylint.units.accepted import AcceptedGap
from kubectl_applylint.units.configured import Configured

ENVIRONMENT = "APPLYLINT_"
"""The prefix of our environment variables; ``APPLYLINT_FAIL_ON`` is the flag ``--fail-on``."""
NAMED = f"{ENVIRONMENT}CONFIG"
"""The variable that names a configuration file, as ``--config`` does."""
WITH_ENTRIES: Final = (
    "ignore",
    "severity",
    "units",
    "targets",
    "incomplete",
    "definitions",
    "mirrors",
    "own-sources",
    "conclusion",
)
"""The options whose values may be mappings."""


class Format(StrEnum):
    """The formats of a report."""

    TEXT = "text"
    CONCISE = "concise"
    JSON = "json"
    YAML = "yaml"
    SARIF = "sarif"
    GITHUB = "github"
    GITLAB = "gitlab"
    JUNIT = "junit"
    MARKDOWN = "markdown"
    RDJSONL = "rdjsonl"
    HTML = "html"
    OPENREPORTS = "openreports"
    PART = "part"
    DIFF = "diff"
    """A unified diff, of ``plan``."""
    DIR = "dir"
    """A directory of files, of ``render``."""


@dataclass(frozen=True, slots=True)
class Output:
    """One value of ``-o``: a format, and the file that it goes to (empty: standard output)."""

    format: Format
    file: str = ""

    def __str__(self) -> str:
        return f"{self.format}={self.file}" if self.file else self.format.value


class ColorMode(StrEnum):
    """When to color text."""

    AUTO = "auto"
    ALWAYS = "always"
    NEVER = "never"


@dataclass(frozen=True, slots=True)
class Config:
    """All options of a run, except its input."""

    against: Against = NOTHING
    namespace: str = ""
    """The value of ``-n``; empty if absent."""
    kubernetes_version: str = ""
    """``major.minor``; empty for the newest version whose behavior was recorded."""
    server_side: bool = False
    force_conflicts: bool = False
    field_manager: str = ""
    """The field manager; empty for kubectl's default."""
    applier: str = AUTO
    """The program whose apply is predicted: ``auto`` for that of each unit, or the name of one."""
    rules: tuple[str, ...] = ()
    """Folders with rules, in addition to the built-in ones."""
    select: tuple[str, ...] = ()
    """Ids and families of the only rules to run; empty for all."""
    ignore: tuple[str, ...] = ()
    """Ids and families of rules that do not run."""
    waivers: tuple[Waiver, ...] = ()
    """The findings that the mappings under ``ignore`` in the file hide."""
    severity: tuple[SeveritySetting, ...] = ()
    """The severities of rules in place of their own."""
    units: tuple[Configured, ...] = ()
    """The applies of the repository that the configuration declares."""
    targets: tuple[ConfiguredTarget, ...] = ()
    """The clusters that the repository is applied to."""
    incomplete: tuple[AcceptedGap, ...] = ()
    """The units that are accepted as incomplete."""
    definitions: tuple[DefinitionSource, ...] = ()
    """Versions of projects in the cluster, and files with definitions."""
    store: str = ""
    """The store in one file, in place of that in the cache directory."""
    own_sources: tuple[tuple[str, str], ...] = ()
    """Sources that contain a folder of the repository, by URL or ``KIND/NAMESPACE/NAME``."""
    mirrors: tuple[Mirror, ...] = ()
    """The hosts that others replace."""
    allow_host: tuple[HostPath, ...] = ()
    """The hosts that downloads may contact, besides those that the earlier revision names."""
    api_versions: tuple[str, ...] = ()
    """APIs that charts may ask for, in addition to those that are known."""
    no_ignores: bool = False
    require_reason: bool = False
    non_ignorable: tuple[str, ...] = ()
    """Ids of rules whose findings cannot be hidden, in addition to those that declare it themselves."""
    baseline: str = ""
    """The baseline file; empty for none."""
    fail_on: Severity = Severity.ERROR
    conclusion: tuple[ClassConclusion, ...] = ()
    """The conclusions of check runs in place of the default, by class."""
    exit_zero: bool = False
    detailed_exitcode: bool = False
    allow_unreachable: bool = False
    timeout: float = 0.0
    """The time limit of the whole run in seconds; 0 for none."""
    render_timeout: float = DEFAULTS.seconds
    """The time limit of a renderer in seconds; 0 for none."""
    render_memory: str = f"{DEFAULTS.mebibytes}Mi"
    """The memory limit of a renderer."""
    show: Shown = Shown.AUTO
    show_secrets: bool = False
    color: ColorMode = ColorMode.AUTO
    lang: Language = Language.ENGLISH
    output: tuple[Output, ...] = (Output(Format.TEXT),)
    verbosity: int = 0
    origins: Mapping[str, Setting] = field(default_factory=dict, compare=False, repr=False)
    """The source of each option that is set."""
    unfollowed: tuple[str, ...] = field(default=(), compare=False)
    """The untrusted settings that are not used, as messages."""

    def place(self, name: str) -> str:
        """Return the source of an option, for the beginning of messages."""
        return str(self.origins[name].place) if name in self.origins else f"--{name}"


class ConfigError(ValueError):
    """Wrong use: ``faults`` has one line per error, with its place."""

    def __init__(self, faults: Iterable[str]) -> None:
        self.faults = tuple(faults)
        super().__init__("\n".join(self.faults))


_DEFAULTS: Final = Config()


def load(
    flags: Mapping[str, Sequence[str]],
    environ: Mapping[str, str],
    folder: Path,
    defaults: Config = _DEFAULTS,
    *,
    file: str = "",
) -> Config:
    """Return the configuration of a run in ``folder``; raise ``ConfigError`` with all errors.

    ``file`` is the named file, which is trusted; without it, and without a variable that names one, the nearest file is
    used. ``flags`` maps option names to the typed values; values of repeatable options may also be joined by commas,
    there and in variables. Entries of ``ignore`` that are mappings have further keys.
    """
    every = list(_items(flags, environ, folder, file or environ.get(NAMED, "")))
    items = [item for item in every if not isinstance(item, Unfollowed)]
    refused = [item for item in every if isinstance(item, Unfollowed)]
    winners = _effective_settings(items)
    parsed = {name: list(_values(setting)) for name, setting in winners.items()}
    waivers = [waiver(entry) for entry in winners["ignore"].entries] if "ignore" in winners else []
    outputs = [value for value in parsed.get("output", ()) if isinstance(value, Output)]
    found = (*items, *chain(*parsed.values()), *waivers, *_clashes(outputs))
    faults = [item.text for item in found if isinstance(item, ConfigFault)]
    if faults:
        raise ConfigError(faults)
    values: dict[str, Any] = {name: tuple(got) if OPTIONS[name].many else got[0] for name, got in parsed.items()}
    return replace(
        defaults,
        **{name.replace("-", "_"): value for name, value in values.items()},
        waivers=tuple(one for one in waivers if isinstance(one, Waiver)),
        origins=winners,
        unfollowed=tuple(notes_on_unfollowed(refused, refused[0].setting.place.file if refused else "")),
    )


def _values(setting: Setting) -> Iterator[Any]:
    """Yield the values and errors of a setting; the entries of some options are records of their own."""
    if setting.name in _OWN_READERS:
        reader, options = _OWN_READERS[setting.name]
        return reader(setting, options)
    return read(setting, OPTIONS)


def _items(
    flags: Mapping[str, Sequence[str]], environ: Mapping[str, str], folder: Path, named: str
) -> Iterator[Item | Unfollowed]:
    """Yield all settings and errors, from the source with the lowest priority to the highest."""
    own = users_file(environ)
    if own:
        yield from map(_check_name, from_file(own, str(own)))
    if named:
        yield from map(_check_name, from_file(folder / named, named))
    else:
        yield from _repository_settings(folder)
    yield from _from_environment(environ)
    for name, texts in flags.items():
        parts = tuple(part for text in texts for part in _parts(name, text))
        yield Setting(name, parts, Location(f"--{name}", NOWHERE))


def _repository_settings(folder: Path) -> Iterator[Item | Unfollowed]:
    found = find(folder)
    if found:
        name = os.path.relpath(found.file, folder.resolve())
        if found.foreign:
            yield Unfollowed(Setting("all of it", (), Location(name, NOWHERE)), found.foreign)
        else:
            yield from safe_settings(map(_check_name, from_file(found.file, name)), found.root)


def _effective_settings(items: Iterable[Item]) -> Mapping[str, Setting]:
    """Return the last setting of each option; mappings of an earlier source are kept."""
    winners: dict[str, Setting] = {}
    for item in items:
        if isinstance(item, Setting):
            earlier = winners.get(item.name, item)
            winners[item.name] = replace(item, entries=item.entries or earlier.entries)
    return winners


def _check_name(item: Item) -> Item:
    if isinstance(item, ConfigFault):
        return item
    if item.name not in OPTIONS:
        return ConfigFault(f"{item.place}: unknown option {item.name!r}; {suggestion(item.name, OPTIONS)}")
    if item.entries and item.name not in WITH_ENTRIES:
        return ConfigFault(f"{item.place}: {item.name} takes a scalar or a list of scalars")
    return item


def _clashes(outputs: Sequence[Output]) -> Iterator[ConfigFault]:
    targets = [output.file for output in outputs]
    for target in sorted({target for target in targets if targets.count(target) > 1}):
        where = target or "standard output"
        yield ConfigFault(f"--output: two formats write to {where}; specify a file for one, as in -o json=report.json")


def wants_color(mode: ColorMode, environ: Mapping[str, str], *, is_terminal: bool) -> bool:
    """Return whether text is colored. The flag decides, then NO_COLOR, FORCE_COLOR and CLICOLOR_FORCE, then TERM."""
    if mode is not ColorMode.AUTO:
        return mode is ColorMode.ALWAYS
    if environ.get("NO_COLOR"):
        return False
    if any(environ.get(name, "0") not in ("", "0") for name in ("FORCE_COLOR", "CLICOLOR_FORCE")):
        return True
    return is_terminal and environ.get("TERM") != "dumb"


def _from_environment(environ: Mapping[str, str]) -> Iterator[Setting]:
    for name in OPTIONS:
        variable = ENVIRONMENT + name.replace("-", "_").upper()
        if environ.get(variable):
            yield Setting(name, _parts(name, environ[variable]), Location(variable, NOWHERE))


def _parts(name: str, text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",")) if OPTIONS[name].many else (text,)


def _output(text: str, folder: Path) -> Output:
    word, _, file = text.partition("=")
    return Output(Format(one_of(*Format)(word, folder)), str(folder / file) if file else "")


_AGAINST = Type(read_against, {**WORD, "not": {"enum": [*(kind.value for kind in WITH_PATH), AgainstKind.GIT.value]}})
_OUTPUT = Type(_output, {"type": "string", "pattern": f"^({'|'.join(Format)})(=.*)?$"})

OPTIONS: Final[Mapping[str, Option]] = {
    "against": Option(
        _AGAINST, "the live state to compare with: live, none, snapshot:FILE, last-applied, a git revision"
    ),
    "namespace": Option(TEXT, "the namespace for objects without one"),
    "kubernetes-version": Option(VERSION, "Kubernetes version to assume for the cluster and kubectl, such as 1.36"),
    "server-side": Option(BOOLEAN, "whether to use server-side apply"),
    "force-conflicts": Option(BOOLEAN, "whether server-side apply takes over fields that other managers own"),
    "field-manager": Option(MANAGER, "the field manager of the apply"),
    "applier": Option(
        Type(one_of("kubectl", *ASKED), {"enum": ["kubectl", *ASKED]}),
        "the program whose apply is predicted: auto (default) for that of each unit, or kubectl",
    ),
    "rules": Option(FILE, "directories with your own rules", many=True),
    "select": Option(RULES, "the only rules to run, by id or family", many=True),
    "ignore": Option(RULES, "rules to leave out, by id or family; mappings hide findings with a reason", many=True),
    "severity": Option(
        WORDLESS,
        "severities of rules: a mapping of a rule, a family or a pattern such as tls-* to off, info, warning or error",
        many=True,
    ),
    "units": Option(PATTERN, "the applies of the repository: paths, or mappings with the options of each", many=True),
    "targets": Option(WORDLESS, "the clusters that the repository is applied to: mappings with name", many=True),
    "incomplete": Option(WORDLESS, "units that may be incomplete: mappings with unit and reason", many=True),
    "definitions": Option(WORDLESS, "versions of projects in the cluster, and crds: files with definitions", many=True),
    "store": Option(FILE, "the file with charts that applylint fetch -o FILE has written"),
    "mirrors": Option(WORDLESS, "hosts that are replaced: a mapping of HOST[/PATH] to [http://]HOST[/PATH]", many=True),
    "own-sources": Option(
        WORDLESS,
        "sources of Flux with files of this repository: a mapping of URL or KIND/NAMESPACE/NAME to FOLDER",
        many=True,
    ),
    "allow-host": Option(HOST, "hosts that downloads may contact, as HOST[:PORT][/PATH]", many=True),
    "api-versions": Option(TEXT, "APIs that charts may ask for: group/version, or group/version/Kind", many=True),
    "no-ignores": Option(BOOLEAN, "report findings despite comments, annotations, configuration and baseline"),
    "require-reason": Option(BOOLEAN, "ignores without a reason have no effect"),
    "non-ignorable": Option(RULE, "rules whose findings cannot be hidden", many=True),
    "baseline": Option(FILE, "the file with known findings, which are not reported"),
    "fail-on": Option(choice(Severity), "the lowest severity that causes exit code 1"),
    "conclusion": Option(WORDLESS, "check runs: a mapping of routine or attention to success or neutral", many=True),
    "exit-zero": Option(BOOLEAN, "exit with 0 instead of 1"),
    "detailed-exitcode": Option(BOOLEAN, "plan exits with 2 if something changes"),
    "allow-unreachable": Option(BOOLEAN, "continue if the cluster, snapshot or revision cannot be read"),
    "timeout": Option(DURATION, "time limit for the whole run (30s, 5m); by default 5m for each unit"),
    "render-timeout": Option(DURATION, "time limit for each run of kustomize, kubectl or helm (default: 2m)"),
    "render-memory": Option(MEMORY, "memory limit for each run of kustomize, kubectl or helm (default: 2048Mi)"),
    "show": Option(choice(Shown), "the lowest severity to list in text; by default infos are one line per rule"),
    "show-secrets": Option(BOOLEAN, "do not mask the values of Secrets"),
    "color": Option(choice(ColorMode), "when to colour text"),
    "lang": Option(choice(Language), "the language of messages; by default that of the locale"),
    "output": Option(_OUTPUT, "the format of the report, and the file to write it to", many=True),
    "verbosity": Option(NUMBER, "the verbosity"),
}
"""Every option by its name on the command line."""

UNIT_OPTIONS: Final = unit_options(OPTIONS)
"""The keys of a mapping under ``units``."""
TARGET_OPTIONS: Final = target_options(OPTIONS)
"""The keys of a mapping under ``targets``."""
_OWN_READERS: Final[Mapping[str, tuple[Callable[..., Iterator[Any]], Mapping[str, Option]]]] = {
    "severity": (severities, {}),
    "units": (units, UNIT_OPTIONS),
    "targets": (targets, TARGET_OPTIONS),
    "incomplete": (incomplete, INCOMPLETE_OPTIONS),
    "definitions": (definitions, DEFINITION_OPTIONS),
    "mirrors": (mirrors, {}),
    "own-sources": (own_sources, {}),
    "conclusion": (conclusions, {}),
}
"""The readers of options whose entries are records."""
