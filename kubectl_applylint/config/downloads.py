"""The options ``mirrors``, ``allow-host`` and ``own-sources``: where the contents of sources come from."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Final, TypeVar

from kubectl_applylint.config.settings import ConfigFault, Setting
from kubectl_applylint.config.types import WORD, Option, Type, printable
from kubectl_applylint.sources.store.hosts import HostPath, Mirror, host_path, mirror
from kubectl_applylint.units.kustomizations import resolve_reference

Pair = TypeVar("Pair")
MAPPING_SCHEMA: Final = {"type": "object", "additionalProperties": WORD}
"""The JSON schema of the options ``mirrors`` and ``own-sources``."""


def _host(text: str, folder: Path) -> HostPath:
    return host_path(text)


HOST: Final = Type(_host, WORD)


def mirrors(setting: Setting, options: Mapping[str, Option]) -> Iterator[Mirror | ConfigFault]:
    """Yield each mirror of the mapping, or an error."""
    return _pairs(setting, mirror, "mirror")


def own_sources(setting: Setting, options: Mapping[str, Option]) -> Iterator[tuple[str, str] | ConfigFault]:
    """Yield each source of the mapping with the folder of the repository that it contains, or an error."""
    return _pairs(setting, _own_source, "folder")


def _own_source(name: str, folder: str) -> tuple[str, str]:
    """Return a source and its folder, empty for the whole repository; raise ``ValueError`` for a folder outside."""
    found = resolve_reference("", folder)
    if found is None:
        raise ValueError(f"{folder!r} is not a folder of the repository; write . for all of it")
    return name, found


def _pairs(setting: Setting, pair: Callable[[str, str], Pair], noun: str) -> Iterator[Pair | ConfigFault]:
    """Yield a pair for each key of a mapping, or an error."""
    for text in setting.texts:
        yield ConfigFault(f"{setting.place}: {text!r} is not a mapping; write {text}: {noun.upper()} below it")
    for item in (item for entry in setting.entries for item in entry.settings):
        if len(item.texts) != 1:
            yield ConfigFault(f"{item.place}: {item.name} takes one {noun}, got {len(item.texts)}")
            continue
        try:
            yield pair(printable(item.name), printable(item.texts[0]))
        except ValueError as fault:
            yield ConfigFault(f"{item.place}: {fault}")
