"""Charts of ``helmCharts`` in kustomizations, which kustomize renders with Helm from the folder of its downloads.

Kustomize takes a chart from ``CHART_HOME/NAME-VERSION/NAME`` if this folder exists, and downloads it otherwise
(``HelmChartInflationGenerator``). The private copy of a kustomization has the stored chart there, so that nothing is
downloaded. Entries without a version or a release name are not rendered, as their objects differ each time.
"""

import posixpath
import shutil
from collections.abc import Collection, Iterable, Mapping
from typing import Final

from kubectl_applylint.core.paths import Field, Index
from kubectl_applylint.core.records import replace
from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.values import JsonObject, items, mapping, text_at
from kubectl_applylint.sources.render.chart_schemas import without_remote_schemas
from kubectl_applylint.sources.render.kustomization import Folders
from kubectl_applylint.sources.render.locality import BrokenReference, UnrenderableReason
from kubectl_applylint.sources.render.missing_parts import only_document
from kubectl_applylint.sources.render.remote_bases import RemoteChart, stored_files

_HOME: Final = "charts"
_CHART: Final = "Chart.yaml"
_NAME: Final = regex(r"[A-Za-z0-9][A-Za-z0-9._+-]*")
_KEYS: Final = frozenset(
    {
        *("name", "repo", "version", "releaseName", "namespace", "nameTemplate", "apiVersions", "kubeVersion"),
        *("valuesFile", "additionalValuesFiles", "valuesInline", "valuesMerge"),
        *("includeCRDs", "skipHooks", "skipTests", "debug", "devel"),
    }
)
"""The fields of an entry. Kustomize also reads them in other spellings (``ReleaseName``), which are not followed."""
_OF_CHARTS: Final = ("helmCharts", "helmGlobals")
_ARGUMENTS: Final = ("releaseName", "namespace", "nameTemplate", "kubeVersion")
"""The fields that are arguments of Helm, which reads those that begin with a dash as flags."""


def without_present_charts(faults: Iterable[BrokenReference], where: Folders) -> tuple[BrokenReference, ...]:
    """Return the broken references of a private copy without those to charts that the copy has."""
    return tuple(fault for fault in faults if not _has_chart(fault, where))


def chart_files(fault: BrokenReference, where: Folders, others: Collection[str]) -> Mapping[str, bytes] | None:
    """Return the files of the chart that an entry names by their paths in the copy, empty if they are not in the store.

    Return ``None`` if the entry is not rendered even with the chart. A chart of the repository is not replaced, and
    none of the ``others``, the files of the kustomization, is added to a stored chart: Helm would read its schema.
    """
    folder = _chart_folder(fault, where)
    if not folder or _has_chart(fault, where) or not shutil.which("helm"):
        return None
    if any(path.startswith(f"{folder}/") for path in others):
        return None
    stored = stored_files(_chart(fault, where))
    if stored is None:
        return {}
    files = without_remote_schemas(stored)
    return {posixpath.join(folder, path): content for path, content in files.items()} or None


def missing_chart(fault: BrokenReference, where: Folders) -> BrokenReference:
    """Return a broken reference to a chart that is not in the store, with the name of the chart."""
    return replace(fault, text=str(_chart(fault, where)), reason=UnrenderableReason.NOT_STORED)


def _chart(fault: BrokenReference, where: Folders) -> RemoteChart:
    entry = _entry(fault, where)
    return RemoteChart(text_at(entry, "repo"), text_at(entry, "name"), text_at(entry, "version"))


def _has_chart(fault: BrokenReference, where: Folders) -> bool:
    folder = _chart_folder(fault, where)
    return bool(folder) and where.has(posixpath.join(folder, _CHART))


def _chart_folder(fault: BrokenReference, where: Folders) -> str:
    """Return the folder that kustomize takes the chart of an entry from, empty if the entry is not rendered."""
    document = _document(fault, where)
    entry, settings = _entry(fault, where), mapping(document.get("helmGlobals"))
    name, version = text_at(entry, "name"), text_at(entry, "version")
    home = posixpath.normpath(text_at(settings, "chartHome") or _HOME)
    is_usual = _has_usual_keys(document) and settings.keys() <= {"chartHome"} and not home.startswith(("/", ".."))
    if not (is_usual and _is_usual(entry) and _NAME.fullmatch(name) and _NAME.fullmatch(version)):
        return ""
    return posixpath.join(posixpath.dirname(fault.kustomization), home, f"{name}-{version}", name)


def _has_usual_keys(document: JsonObject) -> bool:
    """Return whether the fields for charts are spelled in the usual way only."""
    return all(key in _OF_CHARTS or key.casefold() not in map(str.casefold, _OF_CHARTS) for key in document)


def _is_usual(entry: JsonObject) -> bool:
    """Return whether an entry names a release and a repository, and no argument that Helm would read as a flag."""
    if not entry.keys() <= _KEYS:
        return False
    arguments = [*(entry.get(name, "") for name in _ARGUMENTS), *items(entry.get("apiVersions"))]
    are_texts = all(isinstance(one, str) and not one.startswith("-") for one in arguments)
    return are_texts and bool(text_at(entry, "releaseName")) and bool(text_at(entry, "repo"))


def _entry(fault: BrokenReference, where: Folders) -> JsonObject:
    match fault.entry:
        case (Field("helmCharts"), Index(position)) if fault.reason is UnrenderableReason.CHART:
            return mapping(items(_document(fault, where).get("helmCharts"))[position])
    return {}


def _document(fault: BrokenReference, where: Folders) -> JsonObject:
    return (only_document(where.read(fault.kustomization)) if fault.kustomization else None) or {}
