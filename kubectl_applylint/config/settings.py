"""Reads configuration files: ``.applylint.yaml``, or the table ``[tool.applylint]`` of ``pyproject.toml``.

The file is in the current folder or in one above it, up to the root of the repository. Outside of a repository only the
current folder counts, and only a file of the current user, so that no one configures others through a shared folder.
"""

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import yaml

from kubectl_applylint.core.location import Location, Span
from kubectl_applylint.core.nesting import too_deep
from kubectl_applylint.core.records import dataclass
from kubectl_applylint.sources.text import config_yaml

YAML_FILE, TOML_FILE = ".applylint.yaml", "pyproject.toml"
_TABLE = "tool.applylint"
_MOST = 1024 * 1024
"""The maximum size of a configuration in bytes."""
_TOO_DEEP = "nested too deeply"


@dataclass(frozen=True, slots=True)
class Setting:
    """One option as some source spells it. ``texts`` has one value, or any number for an option that repeats."""

    name: str
    texts: tuple[str, ...]
    place: Location
    """The place of the setting, with which a message begins; without a text it is a flag or a variable."""
    folder: Path = Path()
    """The base folder of relative file names in it."""
    entries: tuple["SettingEntry", ...] = ()
    """The mappings among its values."""
    is_trusted: bool = True
    """Whether the source is trusted, and did not come with the repository."""


@dataclass(frozen=True, slots=True)
class SettingEntry:
    """A mapping in the list of a setting, and its place."""

    settings: tuple[Setting, ...]
    place: Location


@dataclass(frozen=True, slots=True)
class ConfigFault:
    """An error in a source, as one line of text."""

    text: str


Item: TypeAlias = Setting | ConfigFault


@dataclass(frozen=True, slots=True)
class ConfigSource:
    """A configuration file: its name in messages, and its folder."""

    name: str
    folder: Path

    def at(self, line: int, column: int) -> Location:
        """Return a place in it."""
        return Location(self.name, Span(line, column, line, column + 1))


def from_file(file: Path, name: str) -> Iterator[Item]:
    """Yield the settings of a file in order, and an error for everything that is not a setting.

    ``name`` is the name of the file in messages.
    """
    try:
        with file.open("rb") as stream:
            text = stream.read(_MOST + 1).decode("utf-8")
    except (OSError, ValueError) as fault:
        yield ConfigFault(f"{name}: cannot be read: {getattr(fault, 'strerror', None) or 'not UTF-8 text'}")
        return
    if len(text) > _MOST:
        yield ConfigFault(f"{name}: cannot be read: larger than {_MOST // 1024} KiB")
        return
    yield from from_text(text, file, name)


def from_text(text: str, file: Path, name: str) -> Iterator[Item]:
    """Yield the settings and errors in the text of a configuration file."""
    yield from (_toml_settings if file.suffix == ".toml" else _yaml_settings)(text, ConfigSource(name, file.parent))


@dataclass(frozen=True, slots=True)
class ConfigFile:
    """The configuration file of a folder, and the root of its repository, with links resolved."""

    file: Path
    root: Path
    foreign: str = ""
    """Why nothing in the file is used; empty if it is used."""


def find(folder: Path) -> ConfigFile | None:
    """Return the configuration file that applies to ``folder``, ``None`` if there is none."""
    folder = folder.resolve()
    above = (folder, *folder.parents)
    number = next((number for number, parent in enumerate(above) if (parent / ".git").exists()), None)
    candidates = (parent / name for parent in above[: (number or 0) + 1] for name in (YAML_FILE, TOML_FILE))
    file = next((file for file in candidates if file.is_file() and _has_our_table(file)), None)
    root = above[number or 0]
    return ConfigFile(file, root, _foreign(file, root, is_shared=number is None)) if file else None


def users_file(environ: Mapping[str, str]) -> Path | None:
    """Return the user's own configuration, ``None`` if there is none; by the XDG Base Directory Specification."""
    home, named = environ.get("HOME", ""), environ.get("XDG_CONFIG_HOME", "")
    above = named if os.path.isabs(named) else os.path.join(home, ".config") if os.path.isabs(home) else ""
    file = Path(above, "applylint", "config.yaml")
    return file if above and file.is_file() else None


def _foreign(file: Path, root: Path, *, is_shared: bool) -> str:
    """Return why a file is not used: a link to outside the repository, or another user's file in a shared folder."""
    if root not in file.resolve().parents:
        return "a symlink to outside the repository"
    own = getattr(os, "geteuid", lambda: 0)()
    return "it is owned by another user" if is_shared and file.stat().st_uid not in (own, 0) else ""


def _has_our_table(file: Path) -> bool:
    if file.name == YAML_FILE:
        return True
    try:
        return f"[{_TABLE}" in file.read_text(encoding="utf-8", errors="replace")
    except OSError:  # Not our file, so its errors are not reported.
        return False


def _yaml_settings(text: str, source: ConfigSource) -> Iterator[Item]:
    """Yield the settings and errors of a YAML file."""
    try:
        config_yaml.check(text)
        root = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.YAMLError as fault:
        mark = getattr(fault, "problem_mark", None)
        place = _location_of_mark(source, mark) if mark else source.name
        yield ConfigFault(f"{place}: not YAML: {getattr(fault, 'problem', None) or getattr(fault, 'reason', fault)}")
        return
    if root is not None and not isinstance(root, yaml.MappingNode):
        yield ConfigFault(f"{source.at(1, 1)}: not a map of options")
        return
    yield from _in_mapping(root, source, nested=False) if root else ()


def _in_mapping(node: yaml.MappingNode, source: ConfigSource, *, nested: bool) -> Iterator[Item]:
    """Yield the settings of a mapping; settings that are ``nested`` in a list hold no mappings themselves."""
    seen: set[str] = set()
    for key, value in node.value:
        place = _location_of_mark(source, key.start_mark)
        if not isinstance(key, yaml.ScalarNode):
            yield ConfigFault(f"{place}: not the name of an option")
            continue
        if key.value in seen:
            yield ConfigFault(f"{place}: {key.value} is set twice")
        seen.add(key.value)
        values = value.value if isinstance(value, yaml.SequenceNode) else [value]
        yield from _yaml_setting(Setting(key.value, (), place, source.folder), values, source, nested=nested)


def _yaml_setting(bare: Setting, values: Sequence[yaml.Node], source: ConfigSource, *, nested: bool) -> Iterator[Item]:
    """Return the setting of one key of a YAML file, or an error."""
    entries: list[SettingEntry] = []
    for value in values:
        if isinstance(value, yaml.MappingNode) and not nested:
            inner = list(_in_mapping(value, source, nested=True))
            yield from (item for item in inner if isinstance(item, ConfigFault))
            settings = tuple(item for item in inner if isinstance(item, Setting))
            entries.append(SettingEntry(settings, _location_of_mark(source, value.start_mark)))
        elif not isinstance(value, yaml.ScalarNode):
            yield _scalar_fault(bare)
            return
    texts = tuple(value.value for value in values if isinstance(value, yaml.ScalarNode))
    yield Setting(bare.name, texts, bare.place, bare.folder, tuple(entries))


def _scalar_fault(setting: Setting) -> ConfigFault:
    return ConfigFault(f"{setting.place}: {setting.name} takes a scalar or a list of scalars")


def _location_of_mark(source: ConfigSource, mark: yaml.Mark) -> Location:
    return source.at(mark.line + 1, mark.column + 1)


def _toml_settings(text: str, source: ConfigSource) -> Iterator[Item]:
    """Yield the settings and errors of our table in a TOML file."""
    import tomllib  # noqa: PLC0415  8 ms, and most runs have no such file

    try:
        # Python's own limit is raised once deep objects were read; ours is the same before and after.
        if too_deep(text, config_yaml.MOST_LEVELS) is not None:
            raise RecursionError
        tools = tomllib.loads(text, parse_float=str).get("tool", {})
    except RecursionError:
        yield ConfigFault(f"{source.name}: {_TOO_DEEP}")
        return
    except ValueError as fault:  # TOMLDecodeError is one, as is the error of int() for thousands of digits.
        yield ConfigFault(f"{source.name}: not TOML: {fault}")
        return
    table = tools.get("applylint", {}) if isinstance(tools, dict) else {}
    if not isinstance(table, dict):
        yield ConfigFault(f"{source.name}: {_TABLE} is not a table of options: write [{_TABLE}]")
        return
    for key, value in table.items():
        bare = Setting(key, (), _toml_place(text, source, key), source.folder)
        values = value if isinstance(value, list) else [value]
        places = _toml_tables(text, source, key) or [bare.place]
        yield _toml_setting(bare, values, places)


def _toml_setting(bare: Setting, values: Sequence[Any], places: Sequence[Location]) -> Item:
    """Return a setting; ``places`` has the places of its tables, the last one for tables without their own."""
    entries: list[SettingEntry] = []
    for value in values:
        if isinstance(value, dict) and all(map(_is_plain, value.values())):
            place = places[min(len(entries), len(places) - 1)]
            entries.append(SettingEntry(tuple(_toml_inner(value, place, bare.folder)), place))
        elif isinstance(value, dict | list):
            return _scalar_fault(bare)
    texts = tuple(_toml_text(value) for value in values if not isinstance(value, dict))
    return Setting(bare.name, texts, bare.place, bare.folder, tuple(entries))


def _toml_inner(table: Mapping[str, Any], place: Location, folder: Path) -> Iterator[Setting]:
    for name, value in table.items():
        yield Setting(name, tuple(map(_toml_text, value if isinstance(value, list) else [value])), place, folder)


def _is_plain(value: object) -> bool:
    items = value if isinstance(value, list) else [value]
    return not any(isinstance(item, dict | list) for item in items)


def _toml_place(text: str, source: ConfigSource, key: str) -> Location:
    """Return the line of a key of our table; the TOML reader of the standard library has no positions."""
    start = text.rfind("\n", 0, max(text.find(f"[{_TABLE}"), 0)) + 1
    name = rf"[\"']?{re.escape(key)}[\"']?"
    pattern = rf"^[ \t]*(?P<start>{name}[ \t]*[=.]|\[\[?{_TABLE}\.{name})"
    match = re.compile(pattern, re.MULTILINE).search(text, start)
    return _location_at(text, source, match.start("start") if match else start)


def _toml_tables(text: str, source: ConfigSource, key: str) -> list[Location]:
    headers = re.finditer(rf"^[ \t]*\[\[{_TABLE}\.{re.escape(key)}\]\]", text, re.MULTILINE)
    return [_location_at(text, source, match.start()) for match in headers]


def _location_at(text: str, source: ConfigSource, position: int) -> Location:
    return source.at(text.count("\n", 0, position) + 1, position - text.rfind("\n", 0, position))


def _toml_text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
