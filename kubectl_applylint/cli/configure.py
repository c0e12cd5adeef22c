"""The command ``config``: prints settings with their origins, or the schema of the configuration file."""

import json
import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from kubectl_applylint.cli.parsing.arguments import Arguments
from kubectl_applylint.cli.terminal.output import say, write
from kubectl_applylint.config.configuration import NAMED, OPTIONS, Config
from kubectl_applylint.config.hiding import choose_rules, rules_of_folders
from kubectl_applylint.config.schema import config_schema
from kubectl_applylint.config.settings import SettingEntry, find, users_file
from kubectl_applylint.core.safe_text import Target, one_line


def config(program: str, arguments: Arguments, config: Config) -> int:
    """Print the settings or the schema."""
    return _ACTIONS[arguments.action](program, arguments, config)


def _show(program: str, arguments: Arguments, config: Config) -> int:
    """Print one line per setting: name, value, and origin."""
    say(program, choose_rules(config).notes)
    say(program, [f"configured by {', '.join(files)}" if (files := _files(arguments)) else "no configuration file"])
    rows = list(_rows(config))
    names, values = (max(len(row[column]) for row in rows) for column in (0, 1))
    write("".join(f"{one_line(f'{name:{names}}  {value:{values}}  {origin}')}\n" for name, value, origin in rows))
    return 0


def _files(arguments: Arguments) -> list[str]:
    """Return the configuration files of the run, sorted by precedence, the strongest last."""
    own, named = users_file(os.environ), arguments.config or os.environ.get(NAMED, "")
    found = None if named else find(Path.cwd())
    return [*filter(None, (str(own or ""), named, str(found.file) if found else ""))]


def _rows(config: Config) -> Iterator[tuple[str, str, str]]:
    for name in OPTIONS:
        setting = config.origins.get(name)
        entries = setting.entries if setting else ()
        value = ", ".join(setting.texts) if setting and entries else _text(getattr(config, name.replace("-", "_")))
        if not entries or value:
            yield name, value or "-", str(setting.place) if setting else "default"
        yield from ((name, _entry_text(entry), str(entry.place)) for entry in entries)


def _text(value: Any) -> str:
    match value:
        case bool():
            return str(value).lower()
        case tuple():
            return ", ".join(map(str, value))
        case _:
            return str(value)


def _entry_text(entry: SettingEntry) -> str:
    return "; ".join(f"{setting.name}: {', '.join(setting.texts)}" for setting in entry.settings)


def _schema(program: str, arguments: Arguments, config: Config) -> int:
    """Print the schema, with the built-in rules and those of the configuration."""
    book = rules_of_folders(config)
    rules, known = ({item.id: item.summary for item in items} for items in (book.rules, book.families))
    schema = config_schema(rules, known)
    write(json.dumps(schema, ensure_ascii=False, indent=2) + "\n", target=Target.JSON)
    return 0


_ACTIONS: Final[Mapping[str, Callable[[str, Arguments, Config], int]]] = {"show": _show, "schema": _schema}
