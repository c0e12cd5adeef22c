"""Units of Rancher Fleet: each folder with a ``fleet.yaml`` is a bundle.

Keys as in Fleet's reference of ``fleet.yaml`` (https://fleet.rancher.io/ref-fleet-yaml).
"""

from collections.abc import Iterator
from typing import Final

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.paths import field
from kubectl_applylint.core.values import dig, items, text_at
from kubectl_applylint.tools.helm.chart_options import fleet_options
from kubectl_applylint.units.declared import Declared
from kubectl_applylint.units.kustomizations import resolve_reference
from kubectl_applylint.units.model import Applied, Reason
from kubectl_applylint.units.reading import read

FILE: Final = "fleet.yaml"
"""The file name that makes a folder a bundle."""
_KEYS: Final = ("namespace", "defaultNamespace", "helm", "kustomize")


def declarations(file: str, content: bytes) -> Iterator[Declared]:
    """Yield the path that a bundle applies: its folder with all subfolders, the folder of a kustomization, or a chart.

    ``file`` is the path of the ``fleet.yaml``. The namespace is that of the release, or the default for objects without
    one. Each bundle is a Helm release, so objects that are removed from it are deleted. A remote chart has no path.
    """
    document = next(read(file, content), None)
    path = None if document is None else _path(document, file.rpartition("/")[0])
    if document is None or path is None:
        return
    applied = Applied(
        tool="fleet",
        namespace=text_at(document.object, "namespace") or text_at(document.object, "defaultNamespace"),
        target=_targets(document),
        prune=True,
        reason=Reason("a bundle of Fleet", file, _main_line(document)),
        helm=fleet_options(document.object.get("helm"), file.rpartition("/")[0]),
    )
    yield Declared(path, applied, is_recursive=True)


def _path(document: Document, folder: str) -> str | None:
    chart = text_at(document.object, "helm", "chart")
    if chart:
        return resolve_reference(folder, chart) if _is_local(document, chart) else None
    return resolve_reference(folder, text_at(document.object, "kustomize", "dir"))


def _is_local(document: Document, chart: str) -> bool:
    """Return whether a chart is in the repository; with ``helm.repo`` it is the name of a remote one."""
    return not text_at(document.object, "helm", "repo") and "://" not in chart


def _targets(document: Document) -> str:
    """Return the names of the targets with options of their own: clusters, or groups of clusters."""
    customizations = items(dig(document.object, "targetCustomizations"))
    return ", ".join(dict.fromkeys(filter(None, (text_at(one, "name") for one in customizations))))


def _main_line(document: Document) -> int:
    """Return the line of the field that best describes how the bundle is applied."""
    key = next((key for key in _KEYS if key in document.object), None)
    return document.locate((field(key),) if key else ()).span.line
