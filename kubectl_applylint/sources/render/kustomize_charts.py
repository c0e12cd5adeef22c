"""Charts that kustomize renders with Helm from the folder of its downloads.

They are entries of ``helmCharts``, or configurations of the built-in generator for charts.

Kustomize takes a chart from ``chart_folder`` if this exists, and downloads it otherwise
(``HelmChartInflationGenerator``). The private copy of a kustomization has the stored chart there, or that of the
repository, so that nothing is downloaded. Entries of the store without a version are not rendered.
"""

import posixpath
import shutil
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Final

from kubectl_applylint.core.paths import Field, Index
from kubectl_applylint.core.records import replace
from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.values import JsonObject, items, mapping, text_at
from kubectl_applylint.sources.render.chart_files import CHART, Charts, is_vendored
from kubectl_applylint.sources.render.chart_schemas import may_fetch_from, without_remote_schemas
from kubectl_applylint.sources.render.kustomization import Folders
from kubectl_applylint.sources.render.kustomize_fields import chart_folder, chart_home, chart_kustomization
from kubectl_applylint.sources.render.locality import BrokenReference, UnrenderableReason
from kubectl_applylint.sources.render.missing_parts import only_document
from kubectl_applylint.sources.render.remote_bases import RemoteChart, stored_files

_SCHEMA: Final = "values.schema.json"
_BOTH: Final = 2
"""The number of the valid name and the valid version of an entry."""
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
    folder, entry = _chart_folder(fault, where), _entry(fault, where)
    is_named = text_at(entry, "repo") and text_at(entry, "version") and not _home(fault, where).startswith("..")
    if not (folder and is_named) or _has_chart(fault, where) or not shutil.which("helm"):
        return None
    if any(path.startswith(f"{folder}/") for path in others):
        return None
    stored = stored_files(_chart(fault, where))
    if stored is None:
        return {}
    files = without_remote_schemas(stored)
    return {posixpath.join(folder, path): content for path, content in files.items()} or None


def own_chart(fault: BrokenReference, where: Folders) -> frozenset[str]:
    """Return the files of the chart in the repository that an entry names, none if it is not rendered.

    Its dependencies must be folders in ``charts``. Helm would read what a schema refers to.
    """
    folder = _chart_folder(fault, where)
    if not folder or not _has_chart(fault, where) or not shutil.which("helm"):
        return frozenset()
    paths = frozenset(where.below(folder))
    checked = {path: where.read(path) if path.endswith(_SCHEMA) else b"" for path in paths}
    charts = Charts(paths, where.read)
    folders = [posixpath.dirname(path) for path in paths if posixpath.basename(path) == CHART]
    needed = [(one, needs) for one in folders for needs in charts.metadata(one).dependencies]
    is_whole = all(is_vendored(one, needs.name, paths, charts) for one, needs in needed)
    return paths if is_whole and not may_fetch_from(checked) else frozenset()


def needed_charts(faults: Iterable[BrokenReference], where: Folders) -> Iterator[tuple[BrokenReference, RemoteChart]]:
    """Yield the references to charts that kustomize would download, each with its chart."""
    for fault in faults:
        if fault.reason is UnrenderableReason.CHART:
            entry, own = _entry(fault, where), posixpath.dirname(fault.kustomization)
            folder = posixpath.join(own, chart_folder(_document(fault, where), entry))
            chart = _chart(fault, where)
            if chart.name and chart.url and not where.has(posixpath.normpath(posixpath.join(folder, CHART))):
                yield fault, chart


def missing_chart(fault: BrokenReference, where: Folders) -> BrokenReference:
    """Return a broken reference to a chart that is not in the store, with the name of the chart."""
    return replace(fault, text=f"chart {_chart(fault, where)}", reason=UnrenderableReason.NOT_STORED)


def _chart(fault: BrokenReference, where: Folders) -> RemoteChart:
    entry = _entry(fault, where)
    return RemoteChart(text_at(entry, "repo"), text_at(entry, "name"), text_at(entry, "version"))


def _has_chart(fault: BrokenReference, where: Folders) -> bool:
    folder = _chart_folder(fault, where)
    return bool(folder) and where.has(posixpath.join(folder, CHART))


def _home(fault: BrokenReference, where: Folders) -> str:
    """Return the folder of charts, relative to that of the kustomization."""
    return chart_home(_document(fault, where))


def _chart_folder(fault: BrokenReference, where: Folders) -> str:
    """Return the folder that kustomize takes the chart of an entry from, empty if the entry is not rendered."""
    document = _document(fault, where)
    entry, settings = _entry(fault, where), mapping(document.get("helmGlobals"))
    names = [text for text in (text_at(entry, "name"), text_at(entry, "version") or "1") if _NAME.fullmatch(text)]
    is_usual = (
        _has_usual_keys(document) and settings.keys() <= {"chartHome"} and not _home(fault, where).startswith("/")
    )
    if not (is_usual and _is_usual(entry) and len(names) == _BOTH):
        return ""
    folder = posixpath.normpath(posixpath.join(posixpath.dirname(fault.kustomization), chart_folder(document, entry)))
    return "" if folder.startswith("..") else folder


def _has_usual_keys(document: JsonObject) -> bool:
    """Return whether the fields for charts are spelled in the usual way only."""
    return all(key in _OF_CHARTS or key.casefold() not in map(str.casefold, _OF_CHARTS) for key in document)


def _is_usual(entry: JsonObject) -> bool:
    """Return whether an entry has no argument that Helm would read as a flag, and no name that a template makes.

    Without a release name kustomize passes ``--generate-name``, which ``helm template`` ignores: the release is
    always ``release-name``.
    """
    if not entry.keys() <= _KEYS:
        return False
    arguments = [*(entry.get(name, "") for name in _ARGUMENTS), *items(entry.get("apiVersions"))]
    are_texts = all(isinstance(one, str) and not one.startswith("-") for one in arguments)
    return are_texts and bool(text_at(entry, "releaseName") or not entry.get("nameTemplate"))


def _entry(fault: BrokenReference, where: Folders) -> JsonObject:
    charts = items(_document(fault, where).get("helmCharts"))
    match fault.entry:
        case (Field("helmCharts"), Index(position)) if fault.reason is UnrenderableReason.CHART:
            return mapping(charts[position])
        case (Field("generators"), Index()) if fault.reason is UnrenderableReason.CHART:
            return mapping(charts[0]) if charts else {}
    return {}


def _document(fault: BrokenReference, where: Folders) -> JsonObject:
    """Return the kustomization that has the entry for a chart; for a generator, one that does the same."""
    own = (only_document(where.read(fault.kustomization)) if fault.kustomization else None) or {}
    match fault.entry:
        case (Field("generators"), Index(position)):
            listed = items(own.get("generators"))[position]
            is_inline = fault.file == fault.kustomization and isinstance(listed, str)
            text = str(listed).encode() if is_inline else where.read(fault.file)
            return chart_kustomization(only_document(text) or {})
    return own
