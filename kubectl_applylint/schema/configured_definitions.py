"""The definitions of kinds that the files do not define: those of the configuration, then the bundled ones."""

from collections.abc import Collection, Iterable, Mapping, Sequence

from kubectl_applylint.core.records import dataclass, field
from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.values import JsonObject, dig
from kubectl_applylint.schema import catalogue
from kubectl_applylint.schema.catalogue import CatalogueEntry
from kubectl_applylint.schema.types import Gvk

_MINOR = regex(r"v?(\d+\.\d+)(?:\.\d+\S*)?\Z")


@dataclass(frozen=True, slots=True)
class ConfiguredDefinitions:
    """What the configuration says about definitions: the versions of projects in the cluster, and further files."""

    pins: Mapping[str, str] = field(default_factory=dict)
    """The versions of projects in the catalogue, as written: ``v1.21``."""
    crds: Sequence[JsonObject] = field(default=(), repr=False)
    """The CustomResourceDefinitions in the named files."""


NOT_CONFIGURED = ConfiguredDefinitions()


@dataclass(frozen=True, slots=True)
class FurtherDefinitions:
    """Definitions that are certain, and bundled ones, each after its project and version."""

    certain: Sequence[JsonObject] = ()
    bundled: Sequence[tuple[str, JsonObject]] = ()


def further_definitions(
    kinds: Iterable[Gvk], configured: ConfiguredDefinitions, declared: Collection[object]
) -> FurtherDefinitions:
    """Return the definitions of ``kinds``, except for those whose group and kind are ``declared``, in any version.

    A bundled definition is certain if the configuration says that the cluster has this minor version of its project.
    """
    kinds = list(kinds)
    own = [crd for crd in configured.crds if _group_and_kind(crd) not in declared]
    declared = {*declared, *map(_group_and_kind, own)}
    found = (entry for gvk in kinds if (entry := catalogue.find(gvk)) and (entry.group, entry.kind) not in declared)
    entries = list(dict.fromkeys(found))
    pinned = [entry for entry in entries if is_pinned(entry, configured.pins)]
    return FurtherDefinitions(
        (*own, *(catalogue.definition(entry, is_exact=True) for entry in pinned)),
        tuple((_name(entry, configured.pins), catalogue.definition(entry)) for entry in entries if entry not in pinned),
    )


def minor_of_version(version: str) -> str:
    """Return the minor of a version of a project, ``1.21`` for ``v1.21.2``; empty for other texts."""
    match = _MINOR.match(version)
    return match[1] if match else ""


def is_pinned(entry: CatalogueEntry, pins: Mapping[str, str]) -> bool:
    """Return whether the configuration names the bundled minor version of a project."""
    project = entry.project
    return project.name in pins and minor_of_version(pins[project.name]) == minor_of_version(project.version)


def _name(entry: CatalogueEntry, pins: Mapping[str, str]) -> str:
    """Return project and version of a bundled definition, and the version that the configuration asks for."""
    asked = pins.get(entry.project.name)
    return f"{entry.project}, not {asked}" if asked else str(entry.project)


def _group_and_kind(crd: JsonObject) -> tuple[object, object]:
    return (dig(crd, "spec", "group"), dig(crd, "spec", "names", "kind"))
