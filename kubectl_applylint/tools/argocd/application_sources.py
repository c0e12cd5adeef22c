"""The sources of an Application of Argo CD, as ``spec.source``, ``spec.sources`` or ``spec.sourceHydrator`` list them.

Fields as in argoproj.io/v1alpha1 of Argo CD 3.
"""

from typing import Final

from kubectl_applylint.core.records import dataclass, field
from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.values import MISSING, Json, JsonObject, dig, items, mapping, text_at
from kubectl_applylint.core.version_ranges import parse_range
from kubectl_applylint.sources.store.chart_source import (
    SEMVER,
    ChartSource,
    SourceKind,
    git_source,
    with_chart_in_url,
)
from kubectl_applylint.tools.argocd.templates import has_actions
from kubectl_applylint.units.kustomizations import resolve_reference

_PLAIN_HELM: Final = frozenset({"releaseName", "valueFiles", "values", "valuesObject", "version"})
"""The fields of ``helm`` with which the chart of a path is rendered as a chart of the layout."""
GLOB: Final = regex(r"[*?\[{]")
"""The signs of a pattern for value files."""
_RANGE: Final = regex("[*xX^~<>=|, ]")
_PLACE: Final = ("repoURL", "path", "chart", "targetRevision", "ref")
_OTHER_FIELDS: Final = frozenset({"repoURL", "path", "targetRevision", "ref", "name", "helm", "directory"})


@dataclass(frozen=True, slots=True)
class ApplicationSource:
    """One source of an Application."""

    url: str
    path: str
    chart: str
    revision: str
    ref: str
    """The name by which value files of other sources name it: ``$values/prod.yaml``."""
    options: JsonObject = field(repr=False)
    """The whole source, with ``helm``, ``kustomize``, ``directory`` and ``plugin``."""

    @property
    def makes_objects(self) -> bool:
        """Whether manifests are made of it; a source with only a ``ref`` has files for the others."""
        return bool(self.path or self.chart)

    @property
    def chart_source(self) -> ChartSource | None:
        """The chart of a Helm repository or a registry; ``None`` if the source is a path."""
        if not self.chart:
            return None
        if "://" in self.url and not self.url.startswith("oci://"):
            return ChartSource(SourceKind.HELM, self.url, self.chart, self.revision)
        # Argo CD writes the URL of a registry without a protocol.
        registry = f"oci://{self.url.removeprefix('oci://')}"
        return with_chart_in_url(ChartSource(SourceKind.OCI, registry, self.chart, self.revision))

    @property
    def repository(self) -> ChartSource:
        """The repository of a source, with the revision as Argo CD reads it: a range is the newest tag in it."""
        if self.url.startswith("oci://"):
            return ChartSource(SourceKind.ARTIFACT, self.url, "", self.revision)
        name = "" if self.revision == "HEAD" else self.revision
        is_range = _RANGE.search(name) is not None and parse_range(name) is not None
        return git_source(self.url, f"{SEMVER}{name}" if is_range else name)

    @property
    def is_plain(self) -> bool:
        """Whether the objects are those that the layout of the repository finds in the path."""
        return (
            bool(self.path)
            and not self.chart
            and not has_unknown_parameters(self.options)
            and not any(self.options[name] for name in self.options.keys() - _OTHER_FIELDS)
            and _is_plain_helm(mapping(self.options.get("helm")))
            and not any(mapping(self.options.get("directory")).get(name) for name in ("include", "exclude", "jsonnet"))
        )


def _is_plain_helm(helm: JsonObject) -> bool:
    files = (str(one) for one in items(helm.get("valueFiles")))
    is_known = all(not value or name in _PLAIN_HELM for name, value in helm.items())
    return is_known and not any("$" in one or "://" in one or GLOB.search(one) for one in files)


def sources_of(application: JsonObject) -> tuple[ApplicationSource, ...]:
    """Return the sources of an Application; the dry source of a hydrated one."""
    spec = mapping(application.get("spec"))
    dry = dig(spec, "sourceHydrator", "drySource")
    # With ``sources``, Argo CD ignores ``source``.
    listed = [dry] if dry is not MISSING else items(spec.get("sources")) or [spec.get("source")]
    return tuple(map(_source, filter(None, map(mapping, listed))))


def source_folders(application: JsonObject) -> tuple[str, ...]:
    """Return the beginnings of the paths of all files in the folders that an Application applies: ``apps/web/``."""
    folders = (resolve_reference("", one.path) for one in sources_of(application) if one.path)
    return tuple(f"{folder}/" if folder else "" for folder in folders if folder is not None)


def _source(source: JsonObject) -> ApplicationSource:
    url, path, chart, revision, ref = (text_at(source, name) for name in _PLACE)
    return ApplicationSource(url, path, chart, revision, ref, source)


def has_unknown_parameters(value: Json) -> bool:
    """Return whether a text in a value has template actions, whose parameters are not known here."""
    match value:
        case str():
            return has_actions(value)
        case list():
            return any(map(has_unknown_parameters, value))
        case dict():
            return any(map(has_unknown_parameters, value.values()))
        case _:
            return False
