"""The options ``mirrors`` and ``allow-host``: which hosts downloads contact."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from kubectl_applylint.config.settings import ConfigFault, Setting
from kubectl_applylint.config.types import WORD, Option, Type, printable
from kubectl_applylint.sources.store.hosts import HostPath, Mirror, host_path, mirror

MIRROR_SCHEMA: Final = {"type": "object", "additionalProperties": WORD}
"""The JSON schema of the option ``mirrors``."""


def _host(text: str, folder: Path) -> HostPath:
    return host_path(text)


HOST: Final = Type(_host, WORD)


def mirrors(setting: Setting, options: Mapping[str, Option]) -> Iterator[Mirror | ConfigFault]:
    """Yield each mirror of the mapping, or an error."""
    for text in setting.texts:
        yield ConfigFault(f"{setting.place}: {text!r} is not a mapping; write {text}: MIRROR below it")
    for item in (item for entry in setting.entries for item in entry.settings):
        if len(item.texts) != 1:
            yield ConfigFault(f"{item.place}: {item.name} takes one mirror, got {len(item.texts)}")
            continue
        try:
            yield mirror(printable(item.name), printable(item.texts[0]))
        except ValueError as fault:
            yield ConfigFault(f"{item.place}: {fault}")
