"""The options ``mirrors``, ``allow-host`` and ``own-sources``: where the contents of sources come from."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from kubectl_applylint.config.entries import pairs
from kubectl_applylint.config.settings import ConfigFault, Setting
from kubectl_applylint.config.types import WORD, Option, Type
from kubectl_applylint.sources.store.hosts import HostPath, Mirror, host_path, mirror
from kubectl_applylint.units.kustomizations import resolve_reference

MAPPING_SCHEMA: Final = {"type": "object", "additionalProperties": WORD}
"""The JSON schema of the options ``mirrors`` and ``own-sources``."""


def _host(text: str, folder: Path) -> HostPath:
    return host_path(text)


HOST: Final = Type(_host, WORD)


def mirrors(setting: Setting, options: Mapping[str, Option]) -> Iterator[Mirror | ConfigFault]:
    """Yield each mirror of the mapping, or an error."""
    return pairs(setting, lambda key, value: mirror(key.name, value), "mirror")


def own_sources(setting: Setting, options: Mapping[str, Option]) -> Iterator[tuple[str, str] | ConfigFault]:
    """Yield each source of the mapping with the folder of the repository that it contains, or an error."""
    return pairs(setting, lambda key, value: _own_source(key.name, value), "folder")


def _own_source(name: str, folder: str) -> tuple[str, str]:
    """Return a source and its folder, empty for the whole repository; raise ``ValueError`` for a folder outside."""
    found = resolve_reference("", folder)
    if found is None:
        raise ValueError(f"{folder!r} is not a folder of the repository; write . for all of it")
    return name, found
