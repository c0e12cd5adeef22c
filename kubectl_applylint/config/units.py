"""The option ``units``: reads its entries."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from kubectl_applylint.config.entries import keys
from kubectl_applylint.config.settings import ConfigFault, Setting, SettingEntry
from kubectl_applylint.config.types import BOOLEAN, TEXT, WORD, Option, Type, one_of
from kubectl_applylint.sources.files.globs import PatternError, path_pattern
from kubectl_applylint.tools.helm.flags import HELM4_FLAGS
from kubectl_applylint.units.configured import TOOLS, Configured
from kubectl_applylint.units.model import Applied, Reason


def _pattern(text: str, folder: Path) -> str:
    if not text:
        raise ValueError("an empty value")
    try:
        path_pattern(text)
    except PatternError:
        raise ValueError(f"{text!r} is not a pattern of paths: unclosed [ or trailing backslash") from None
    return text


PATTERN: Final = Type(_pattern, WORD)
"""A pattern of paths; ``*`` matches any part of a name, ``**`` any folders."""
_HELMS: Final = ("helm", "helm3", "helm4")
_OWN: Final[Mapping[str, Option]] = {
    "path": Option(PATTERN, "a folder or file, relative to this file; with * and ** each match is a unit"),
    "tool": Option(Type(one_of(*TOOLS), {"enum": [*TOOLS]}), "what applies it; without it kubectl"),
    "flags": Option(
        Type(one_of(*HELM4_FLAGS), {"enum": [*HELM4_FLAGS]}), "flags of helm upgrade that applies it", many=True
    ),
    "target": Option(TEXT, "the name of the cluster that it is applied to"),
    "context": Option(TEXT, "the context of the kubeconfig to use for this unit, where a cluster is asked"),
    "prune": Option(BOOLEAN, "whether the tool deletes what leaves the files"),
    "recursive": Option(BOOLEAN, "whether a folder is one unit with its subfolders"),
}
_OF_RUN: Final = ("namespace", "against", "kubernetes-version", "server-side", "force-conflicts", "field-manager")
"""The options of a run that a unit may override."""


def unit_options(options: Mapping[str, Option]) -> Mapping[str, Option]:
    """Return the keys of a mapping under ``units``; ``options`` are all that a run has."""
    return {**_OWN, **{name: options[name] for name in _OF_RUN}}


def units(setting: Setting, options: Mapping[str, Option]) -> Iterator[Configured | ConfigFault]:
    """Yield each unit that the option names, or the first error of an entry; a plain value is only a path."""
    for text in setting.texts:
        path = Setting("path", (text,), setting.place, setting.folder)
        yield _unit(SettingEntry((path,), setting.place), setting.folder, options)
    for entry in setting.entries:
        yield _unit(entry, setting.folder, options)


def _flags(found: Mapping[str, list[Any]]) -> Iterator[tuple[str, tuple[str, ...]]]:
    if "flags" in found:
        yield "flags", tuple(found["flags"])


def _unit(entry: SettingEntry, folder: Path, options: Mapping[str, Option]) -> Configured | ConfigFault:
    """Return the unit that one mapping under ``units`` declares, or its first error."""
    found = keys(entry, options)
    if isinstance(found, ConfigFault):
        return found
    if "path" not in found:
        return ConfigFault(f"{entry.place}: path is missing: which folder is the unit?")
    if "flags" in found and found.get("tool", [""])[0] not in _HELMS:
        return ConfigFault(f"{entry.place}: flags only work with tool: {', '.join(_HELMS)}")
    values: dict[str, Any] = {name: got[0] for name, got in found.items()}
    own = {name: values.get(name, "") for name in ("namespace", "target")}
    rest = ((name, values[name]) for name in ("context", *_OF_RUN) if name in values and name not in own)
    applied = Applied(
        tool=values.get("tool", "kubectl"),
        **own,
        is_known_target=bool(own["target"]),
        prune=values.get("prune"),
        reason=Reason("the configuration", entry.place.file, entry.place.span.line),
        options=(*((name.replace("-", "_"), value) for name, value in rest), *(_flags(found))),
    )
    return Configured(values["path"], str(folder), applied, values.get("recursive", False))
