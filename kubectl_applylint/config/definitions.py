"""The option ``definitions``: versions of projects in the cluster, and files with definitions."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from kubectl_applylint.config.settings import ConfigFault, Setting
from kubectl_applylint.config.types import FILE, Option, Type, printable
from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.spelling import meant
from kubectl_applylint.schema import catalogue
from kubectl_applylint.schema.configured_definitions import minor_of_version

CRDS: Final = "crds"
"""The key of the files with definitions; all others are names of projects."""
_PROJECT_VERSION: Final = r"^v?\d+\.\d+(\.\d+\S*)?$"


@dataclass(frozen=True, slots=True)
class DefinitionSource:
    """One entry of the option: the version of a project, or a file, directory or pattern with definitions."""

    project: str = ""
    version: str = ""
    file: str = ""


def _version(text: str, folder: Path) -> str:
    if not minor_of_version(text):
        raise ValueError(f"{text!r} is not a version such as v1.21")
    return text


VERSION_OF_PROJECT: Final = Type(_version, {"type": ["string", "number"], "pattern": _PROJECT_VERSION})
DEFINITION_OPTIONS: Final[Mapping[str, Option]] = {
    CRDS: Option(FILE, "files, directories or patterns of files with definitions", many=True)
}
"""The keys of the mapping besides the names of projects."""


def definitions(setting: Setting, options: Mapping[str, Option]) -> Iterator[DefinitionSource | ConfigFault]:
    """Yield what the option names, or an error."""
    for text in setting.texts:
        yield ConfigFault(f"{setting.place}: {text!r} is not a mapping; write crds: [{text}] below it")
    for entry in setting.entries:
        for item in entry.settings:
            yield from _sources(item, options)


def _sources(item: Setting, options: Mapping[str, Option]) -> Iterator[DefinitionSource | ConfigFault]:
    """Yield what one key of the mapping names."""
    if item.name != CRDS and len(item.texts) != 1:
        yield ConfigFault(f"{item.place}: {item.name} takes one version, got {len(item.texts)}")
        return
    if item.name != CRDS and item.name not in catalogue.projects():
        advice = meant(item.name, (*catalogue.projects(), CRDS), otherwise="applylint definitions lists the projects")
        yield ConfigFault(f"{item.place}: unknown project {item.name!r}; {advice}")
        return
    for text in item.texts:
        yield _read(item, text, options)


def _read(item: Setting, text: str, options: Mapping[str, Option]) -> DefinitionSource | ConfigFault:
    kind = options[CRDS].type if item.name == CRDS else VERSION_OF_PROJECT
    try:
        value: Any = kind.read(printable(text), item.folder)
    except ValueError as fault:
        return ConfigFault(f"{item.place}: {fault}")
    return DefinitionSource(file=value) if item.name == CRDS else DefinitionSource(item.name, value)
