"""Changes of a HelmRelease for which helm-controller uninstalls the release and installs another one."""

from collections.abc import Iterator, Mapping
from typing import Final

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.paths import fields, get
from kubectl_applylint.core.state import ObjectRef, live_object
from kubectl_applylint.core.values import MISSING, Json, JsonObject, dig, equal, mapping, text_at
from kubectl_applylint.lint.model import Hit, Hits, Params, Subject
from kubectl_applylint.tools.flux.helm_release import release_settings

_PATHS: Final = (
    fields("spec", "releaseName"),
    fields("spec", "targetNamespace"),
    fields("spec", "storageNamespace"),
    fields("spec", "chart", "spec", "chart"),
    fields("spec", "chartRef"),
)
_SOURCE_API: Final = "source.toolkit.fluxcd.io/v1"
_OCI_KIND: Final = "OCIRepository"
_WORDS: Final = {
    "releaseName": "release",
    "targetNamespace": "namespace",
    "storageNamespace": "storage namespace",
    "chart": "chart",
}


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield the changed field, or ``spec`` if it is removed, once for each HelmRelease that is not suspended.

    Mirrors ``ReleaseTargetChanged`` of helm-controller. Facts: before, after (what changes, in words), kept (the fields
    that keep the release, as in YAML).
    """
    live = live_object(subject.state.live)
    if live is MISSING or dig(subject.manifest, "spec", "suspend") is True:
        return
    before, after = (_target(subject, one) for one in (live, subject.manifest))
    names = [name for name in _WORDS if before[name] != after[name] and before[name] and after[name]]
    if names:
        changed = (path for path in _PATHS if not equal(get(live, path), get(subject.manifest, path)))
        path = next((path for path in changed if get(subject.manifest, path) is not MISSING), fields("spec"))
        words = (", ".join(f"{_WORDS[name]} {one[name]}" for name in names) for one in (before, after))
        kept = ", ".join(_kept(name, before[name]) for name in names)
        facts: Mapping[str, Json] = {**dict(zip(("before", "after"), words, strict=True)), "kept": kept}
        yield Hit(path, facts)


def _target(subject: Subject, release: JsonObject) -> Mapping[str, str]:
    """Return what identifies the release, each part by the field that sets it, empty if it is not known."""
    settings = release_settings(subject.ref, release)
    return {
        "releaseName": settings.name,
        "targetNamespace": settings.namespace,
        "storageNamespace": settings.storage_namespace,
        "chart": _chart_name(subject, release) if _is_replaced(release) else "",
    }


def _is_replaced(release: JsonObject) -> bool:
    """Return whether another chart replaces the release, as it does by default."""
    return text_at(release, "spec", "upgrade", "chartNameChangeStrategy") != "InPlaceUpdate"


def _chart_name(subject: Subject, release: JsonObject) -> str:
    """Return the name of the chart, if its source is a HelmRepository, or an OCIRepository of the run: else nothing."""
    chart = text_at(release, "spec", "chart", "spec", "chart")
    if text_at(release, "spec", "chart", "spec", "sourceRef", "kind") != "HelmRepository":
        chart = next((text_at(one.object, "spec", "url") for one in _oci_sources(subject, release)), "")
    return chart.rpartition("/")[2]


def _oci_sources(subject: Subject, release: JsonObject) -> Iterator[Document]:
    """Yield the OCIRepository with the chart of a release."""
    reference = mapping(dig(release, "spec", "chartRef"))
    namespace = text_at(reference, "namespace") or subject.ref.namespace
    if text_at(reference, "kind") == _OCI_KIND:
        yield from subject.peers.at(ObjectRef(_SOURCE_API, _OCI_KIND, namespace, text_at(reference, "name")))


def _kept(name: str, value: str) -> str:
    """Return the field that keeps a release, as in YAML."""
    return "upgrade.chartNameChangeStrategy: InPlaceUpdate" if name == "chart" else f"{name}: {value}"
