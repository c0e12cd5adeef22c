"""What a run was asked for: flags, then ``APPLYLINT_*`` variables, then the nearest configuration file.

The file is ``.applylint.yaml``, or the table ``[tool.applylint]`` of ``pyproject.toml``, in the current folder or one
above it, up to the root of the repository. Outside of a repository only the current folder counts, so that nobody
configures others by way of a shared folder. Every fault of every source is gathered before any is reported.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Any, Final, TypeAlias

import yaml

from kubectl_applylint.language import Language
from kubectl_applylint.model import Severity

ENVIRONMENT = "APPLYLINT_"
"""What the names of our environment variables start with; ``APPLYLINT_FAIL_ON`` is the flag ``--fail-on``."""
YAML_FILE, TOML_FILE = ".applylint.yaml", "pyproject.toml"
_TABLE = "tool.applylint"
_REVISIONS = re.compile(r"(?!-)[^\s?*\[\\:]+(:.*)?\Z")
"""What can be revisions of git; it gives no name to a branch that begins with a dash or has these characters."""


class Kind(StrEnum):
    """What the manifests are compared with."""

    NONE = "none"
    LIVE = "live"
    SNAPSHOT = "snapshot"
    DIR = "dir"
    FILE = "file"
    GIT = "git"


WITH_PATH: Final = (Kind.SNAPSHOT, Kind.DIR, Kind.FILE)
"""Those whose word is followed by a colon and a path."""


@dataclass(frozen=True, slots=True)
class Against:
    """The value of ``--against``: a word, and what follows its colon in ``argument``; of git the revisions."""

    kind: Kind
    argument: str = ""


class Format(StrEnum):
    """The forms that a report can take."""

    TEXT = "text"
    CONCISE = "concise"
    JSON = "json"
    YAML = "yaml"
    SARIF = "sarif"
    GITHUB = "github"
    GITLAB = "gitlab"
    JUNIT = "junit"
    MARKDOWN = "markdown"


@dataclass(frozen=True, slots=True)
class Output:
    """One value of ``-o``: a format, and the file that it goes to (empty: standard output)."""

    format: Format
    file: str = ""


class ColorMode(StrEnum):
    """When to colour text."""

    AUTO = "auto"
    ALWAYS = "always"
    NEVER = "never"


@dataclass(frozen=True, slots=True)
class Config:
    """Everything that a run can be told, but for the input itself."""

    against: Against = Against(Kind.NONE)
    namespace: str = ""
    """Of ``-n``; empty where none was named."""
    kubernetes_version: str = ""
    """``major.minor``; empty for the newest version whose behaviour was recorded."""
    server_side: bool = False
    """Whether the apply is a server-side one."""
    force_conflicts: bool = False
    """Whether it takes over what others own."""
    field_manager: str = ""
    """The name under which it writes; empty for kubectl's default."""
    rules: tuple[str, ...] = ()
    """Folders with rules beside those that ship."""
    select: tuple[str, ...] = ()
    """Ids of the only rules to run; empty for all."""
    ignore: tuple[str, ...] = ()
    fail_on: Severity = Severity.ERROR
    exit_zero: bool = False
    show_secrets: bool = False
    color: ColorMode = ColorMode.AUTO
    lang: Language = Language.ENGLISH
    output: tuple[Output, ...] = (Output(Format.TEXT),)
    verbosity: int = 0


class ConfigError(Exception):
    """Wrong use: ``faults`` has one line for each, with the place where it stands."""

    def __init__(self, faults: Iterable[str]) -> None:
        self.faults = tuple(faults)
        super().__init__("\n".join(self.faults))


@dataclass(frozen=True, slots=True)
class Setting:
    """One option as some source spells it. ``texts`` has one entry, or any number for an option that repeats."""

    name: str
    texts: tuple[str, ...]
    where: str
    """What a message about it begins with: ``--against``, ``APPLYLINT_AGAINST``, ``.applylint.yaml:3:1``."""
    folder: Path = Path()
    """What relative file names in it are relative to."""


@dataclass(frozen=True, slots=True)
class Fault:
    """Something wrong with a source, as a line for people."""

    text: str


Item: TypeAlias = Setting | Fault
Reader: TypeAlias = Callable[[str, Path], Any]


def load(
    flags: Mapping[str, Sequence[str]],
    environ: Mapping[str, str],
    folder: Path,
    defaults: Config = Config(),
) -> Config:
    """Return the configuration of a run that starts in ``folder``; raise ``ConfigError`` with all that is wrong.

    ``flags`` maps the names of options to what was typed; options that repeat may also be joined by commas, there and
    in variables.
    """
    items = (*_from_file(folder), *_from_environment(environ), *_from_flags(flags))
    winners = {item.name: item for item in items if isinstance(item, Setting)}
    read = {name: list(_read(setting)) for name, setting in winners.items()}
    outputs = [value for value in read.get("output", ()) if isinstance(value, Output)]
    found = (*items, *(value for values in read.values() for value in values), *_clashes(outputs))
    faults = [item.text for item in found if isinstance(item, Fault)]
    if faults:
        raise ConfigError(faults)
    values: dict[str, Any] = {name: tuple(got) if OPTIONS[name][1] else got[0] for name, got in read.items()}
    return replace(defaults, **{name.replace("-", "_"): value for name, value in values.items()})


def _read(setting: Setting) -> Iterator[Any]:
    """Yield the values of a setting, and a fault for each text that is none."""
    reader, many = OPTIONS[setting.name]
    if not many and len(setting.texts) != 1:
        yield Fault(f"{setting.where}: {setting.name} takes one value, not {len(setting.texts)}")
        return
    for text in setting.texts:
        try:
            yield reader(text, setting.folder)
        except ValueError as fault:
            yield Fault(f"{setting.where}: {fault}")


def _clashes(outputs: Sequence[Output]) -> Iterator[Fault]:
    targets = [output.file for output in outputs]
    for target in sorted({target for target in targets if targets.count(target) > 1}):
        where = target or "standard output"
        yield Fault(f"--output: two formats go to {where}; give one a file of its own, as in -o json=report.json")


def wants_color(mode: ColorMode, environ: Mapping[str, str], *, is_terminal: bool) -> bool:
    """Tell whether text is coloured. The flag decides, then NO_COLOR, FORCE_COLOR and CLICOLOR_FORCE, then TERM."""
    if mode is not ColorMode.AUTO:
        return mode is ColorMode.ALWAYS
    if environ.get("NO_COLOR"):
        return False
    if any(environ.get(name, "0") not in ("", "0") for name in ("FORCE_COLOR", "CLICOLOR_FORCE")):
        return True
    return is_terminal and environ.get("TERM") != "dumb"


def _from_flags(flags: Mapping[str, Sequence[str]]) -> Iterator[Setting]:
    for name, texts in flags.items():
        yield Setting(name, tuple(part for text in texts for part in _parts(name, text)), f"--{name}")


def _from_environment(environ: Mapping[str, str]) -> Iterator[Setting]:
    for name in OPTIONS:
        variable = ENVIRONMENT + name.replace("-", "_").upper()
        if environ.get(variable):
            yield Setting(name, _parts(name, environ[variable]), variable)


def _parts(name: str, text: str) -> tuple[str, ...]:
    _, many = OPTIONS[name]
    return tuple(part.strip() for part in text.split(",")) if many else (text,)


def _from_file(folder: Path) -> Iterator[Item]:
    file = find(folder)
    if file is None:
        return
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as fault:
        yield Fault(f"{file}: cannot be read: {getattr(fault, 'strerror', None) or 'not UTF-8 text'}")
        return
    settings = _yaml_settings if file.name == YAML_FILE else _toml_settings
    yield from map(_known, settings(text, file))


def _known(item: Item) -> Item:
    if isinstance(item, Fault) or item.name in OPTIONS:
        return item
    return Fault(f"{item.where}: unknown option {item.name!r}; known are {', '.join(OPTIONS)}")


def find(folder: Path) -> Path | None:
    """Return the configuration file that holds for ``folder``, ``None`` if there is none."""
    folder = folder.resolve()
    above = (folder, *folder.parents)
    root = next((number for number, parent in enumerate(above) if (parent / ".git").exists()), 0)
    candidates = (parent / name for parent in above[: root + 1] for name in (YAML_FILE, TOML_FILE))
    return next((file for file in candidates if file.is_file() and _is_ours(file)), None)


def _is_ours(file: Path) -> bool:
    if file.name == YAML_FILE:
        return True
    try:
        return f"[{_TABLE}" in file.read_text(encoding="utf-8", errors="replace")
    except OSError:  # Somebody else's file: whether it can be read is not for us to say.
        return False


def _yaml_settings(text: str, file: Path) -> Iterator[Item]:
    try:
        root = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.YAMLError as fault:
        place = _yaml_place(file, getattr(fault, "problem_mark", None))
        yield Fault(f"{place}: not YAML: {getattr(fault, 'problem', None) or getattr(fault, 'reason', fault)}")
        return
    if root is not None and not isinstance(root, yaml.MappingNode):
        yield Fault(f"{file}:1:1: not a mapping of options")
        return
    for key, value in root.value if root else ():
        where = _yaml_place(file, key.start_mark)
        items = value.value if isinstance(value, yaml.SequenceNode) else [value]
        if all(isinstance(item, yaml.ScalarNode) for item in items):
            yield Setting(key.value, tuple(item.value for item in items), where, file.parent)
        else:
            yield Fault(f"{where}: {key.value} takes plain values, alone or in a list")


def _yaml_place(file: Path, mark: yaml.Mark | None) -> str:
    return f"{file}:{mark.line + 1}:{mark.column + 1}" if mark else str(file)


def _toml_settings(text: str, file: Path) -> Iterator[Item]:
    import tomllib  # noqa: PLC0415  8 ms, and most runs have no such file

    try:
        table = tomllib.loads(text).get("tool", {}).get("applylint", {})
    except tomllib.TOMLDecodeError as fault:
        yield Fault(f"{file}: not TOML: {fault}")
        return
    for key, value in table.items():
        where = f"{file}:{_toml_line(text, key)}:1"
        items = value if isinstance(value, list) else [value]
        if any(isinstance(item, dict | list) for item in items):
            yield Fault(f"{where}: {key} takes plain values, alone or in a list")
        else:
            yield Setting(key, tuple(map(_toml_text, items)), where, file.parent)


def _toml_line(text: str, key: str) -> int:
    """Return the line of a key of our table; the TOML reader of the standard library knows no positions."""
    start = text.index(f"[{_TABLE}")
    found = re.compile(rf"^\s*[\"']?{re.escape(key)}[\"']?\s*=", re.MULTILINE).search(text, start)
    return text.count("\n", 0, found.end() if found else start) + 1


def _toml_text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _against(text: str, folder: Path) -> Against:
    word, _, argument = text.partition(":")
    if word in (Kind.NONE, Kind.LIVE) and not argument:
        return Against(Kind(word))
    if word in WITH_PATH and argument:
        return Against(Kind(word), _file(argument, folder))
    revisions = argument if word == Kind.GIT else text
    if word in set(Kind) - {Kind.GIT} or not _REVISIONS.match(revisions):
        raise ValueError(f"{text!r} is none of none, live, snapshot:FILE, dir:PATH, file:PATH, nor a git revision")
    return Against(Kind.GIT, revisions)


def _output(text: str, folder: Path) -> Output:
    word, _, file = text.partition("=")
    return Output(Format(_one_of(*Format)(word, folder)), _file(file, folder) if file else "")


def _file(text: str, folder: Path) -> str:
    return str(folder / text)


def _text(text: str, folder: Path) -> str:
    if not text:
        raise ValueError("an empty value")
    return text


def _manager(text: str, folder: Path) -> str:
    """Return what the server takes for the name of a manager: up to 128 characters that can be printed."""
    if not text or len(text.encode()) > 128 or not text.isprintable():
        raise ValueError(f"{text!r} is no name of 1 to 128 characters that can be printed")
    return text


def _one_of(*words: str) -> Callable[[str, Path], str]:
    def read(text: str, folder: Path) -> str:
        if text not in words:
            raise ValueError(f"{text!r} is none of {', '.join(words)}")
        return text

    return read


def _version(text: str, folder: Path) -> str:
    match = re.fullmatch(r"v?(\d+\.\d+)(\.\d+\S*)?", text)
    if match is None:
        raise ValueError(f"{text!r} is no version such as 1.36")
    return match[1]


def _boolean(text: str, folder: Path) -> bool:
    return _one_of("true", "false")(text, folder) == "true"


def _number(text: str, folder: Path) -> int:
    if not re.fullmatch(r"\d{1,3}", text):
        raise ValueError(f"{text!r} is no number")
    return int(text)


def _severity(text: str, folder: Path) -> Severity:
    return Severity(_one_of(*Severity)(text, folder))


def _language(text: str, folder: Path) -> Language:
    return Language(_one_of(*Language)(text, folder))


def _color(text: str, folder: Path) -> ColorMode:
    return ColorMode(_one_of(*ColorMode)(text, folder))


OPTIONS: Mapping[str, tuple[Reader, bool]] = {
    "against": (_against, False),
    "namespace": (_text, False),
    "kubernetes-version": (_version, False),
    "server-side": (_boolean, False),
    "force-conflicts": (_boolean, False),
    "field-manager": (_manager, False),
    "rules": (_file, True),
    "select": (_text, True),
    "ignore": (_text, True),
    "fail-on": (_severity, False),
    "exit-zero": (_boolean, False),
    "show-secrets": (_boolean, False),
    "color": (_color, False),
    "lang": (_language, False),
    "output": (_output, True),
    "verbosity": (_number, False),
}
"""Every option by its name on the command line: how its text is read, and whether it may be given several times."""
