"""The sources of the charts of HelmReleases.

Fields as in the definitions of fluxcd/helm-controller v2 and fluxcd/source-controller v1; older versions use the same
names.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator
from typing import Final

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.records import dataclass, replace
from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.state import namespaced_name
from kubectl_applylint.core.values import Json, dig, mapping, text_at, texts_at
from kubectl_applylint.sources.store.chart_source import SEMVER, ChartSource, SourceKind, git_source, with_chart_in_url
from kubectl_applylint.units.kustomizations import resolve_reference
from kubectl_applylint.units.model import SourceFilter, ValuesFiles

_SOURCE: Final = "source.toolkit.fluxcd.io"
_REPOSITORY: Final = "GitRepository"
_OCI_URL: Final = "oci://"
_LATEST: Final = "latest"
_BRANCH: Final = "master"
"""The default branch of a ``GitRepository``."""
_VARIABLE: Final = regex(r"\$\{[^}]*\}")


@dataclass(frozen=True, slots=True)
class ReleaseChart:
    """A chart, or all files of a repository: the source, or the reason why there is none that is known."""

    source: ChartSource | None = None
    reason: str = ""
    document: Document | None = None
    """The object that names the URL."""
    values_files: ValuesFiles = ValuesFiles()
    identity: str = ""
    """A digest of the object, if its source is not followed."""


def release_chart(release: Document, documents: Iterable[Document]) -> ReleaseChart:
    """Return the chart of a HelmRelease, whose source is one of the objects of its cluster."""
    spec, every = mapping(release.object.get("spec")), [one for one in documents if one.ref.group == _SOURCE]
    reference = spec.get("chartRef")
    if reference is None:
        return _chart(mapping(dig(spec, "chart", "spec")), release.ref.namespace, every)
    found = _find(reference, release.ref.namespace, every)
    if found is None:
        return ReleaseChart(reason=_absence(reference, release.ref.namespace))
    if found.ref.kind == "HelmChart":
        return _chart(mapping(found.object.get("spec")), found.ref.namespace, every)
    return _with_options(found, _artifact(mapping(found.object.get("spec"))))


def named_chart_source(document: Document, documents: Iterable[Document]) -> ReleaseChart:
    """Return the chart that a HelmChart, or a HelmRelease without ``chartRef``, names in a source."""
    spec = mapping(document.object.get("spec"))
    chart = spec if document.ref.kind == "HelmChart" else dig(spec, "chart", "spec")
    return _chart(chart, document.ref.namespace, [one for one in documents if one.ref.group == _SOURCE])


def _chart(chart: Json, namespace: str, documents: Iterable[Document]) -> ReleaseChart:
    """Return the chart of a ``HelmChart``, or of the part of a HelmRelease with the same fields."""
    reference, name, version = dig(chart, "sourceRef"), text_at(chart, "chart"), text_at(chart, "version")
    found = _find(reference, namespace, documents)
    if found is None:
        return ReleaseChart(reason=_absence(reference, namespace))
    spec = mapping(found.object.get("spec"))
    url = text_at(spec, "url")
    if found.ref.kind == _REPOSITORY:
        source = git_repository(spec, name)
    elif url.startswith(_OCI_URL):
        source = with_chart_in_url(ChartSource(SourceKind.OCI, url, name, version))
    else:
        source = ChartSource(SourceKind.HELM, url, name, version)
    return replace(_with_options(found, source), values_files=values_files(chart))


def source_filter(source: Document) -> SourceFilter:
    """Return which files the artifact of a source has; only git repositories have ``sparseCheckout``."""
    sparse = texts_at(source.object, "spec", "sparseCheckout") if source.ref.kind == _REPOSITORY else ()
    return SourceFilter(text_at(source.object, "spec", "ignore"), sparse)


def values_files(chart: Json) -> ValuesFiles:
    """Return the values files in the fields of a ``HelmChart``, or of ``chart.spec`` of a HelmRelease."""
    return ValuesFiles(texts_at(chart, "valuesFiles"), dig(chart, "ignoreMissingValuesFiles") is True)


def _artifact(spec: Json) -> ChartSource:
    """Return the chart of an ``OCIRepository``: a digest comes before a range, and a range before a tag."""
    url, reference = text_at(spec, "url"), dig(spec, "ref")
    digest, semver = text_at(reference, "digest"), text_at(reference, "semver")
    if digest or not semver:
        version = digest or text_at(reference, "tag") or _LATEST
        return ChartSource(SourceKind.OCI, url, version=version, is_tag=not digest)
    return ChartSource(SourceKind.OCI, url, version=semver, filter=text_at(reference, "semverFilter"))


def _with_options(found: Document, source: ChartSource, *, follows_includes: bool = False) -> ReleaseChart:
    """Return a source unless it has options that are not followed."""
    reason, spec = _obstacle(found, source), mapping(found.object.get("spec"))
    if not reason and spec.get("include") and not follows_includes:
        reason = "includes other repositories, which is not followed"
    if not reason:
        return ReleaseChart(source, document=found)
    # With another interval, the source has the same files.
    own = {key: value for key, value in spec.items() if key not in ("interval", "timeout")}
    digest = hashlib.sha256(json.dumps(own, sort_keys=True, default=str).encode()).hexdigest()
    return ReleaseChart(reason=f"{_name(found)} {reason}", document=found, identity=digest)


def _obstacle(found: Document, source: ChartSource) -> str:
    """Return why the source that an object names is not followed, empty if it is."""
    spec = mapping(found.object.get("spec"))
    if found.ref.kind == "Bucket":
        return "is a bucket, which is not fetched"
    if spec.get("insecure") is True:
        return "sets insecure, which is not followed"
    if spec.get("certSecretRef"):
        return "sets certSecretRef, which is not followed"
    if found.ref.kind == _REPOSITORY and not source_filter(found).may_have(resolve_reference("", source.chart) or ""):
        return f"leaves out {source.chart} by its sparseCheckout"
    if any(map(_VARIABLE.search, (source.url, source.chart, source.version))):
        return "contains a variable whose value is not known"
    return ""


def _name(found: Document) -> str:
    return f"{found.ref.kind} {found.ref.namespaced_name}"


def source_doubts(found: Document) -> Iterator[str]:
    """Yield a line for each setting of a source that may keep Flux from using it."""
    spec = mapping(found.object.get("spec"))
    if spec.get("verify"):
        yield f"{_name(found)}: its signature (verify) is not checked; it is taken to be valid"


def _find(reference: Json, namespace: str, documents: Iterable[Document]) -> Document | None:
    """Return the object that a reference names; its namespace may be left to a kustomization."""
    kind, name = text_at(reference, "kind"), text_at(reference, "name")
    home = text_at(reference, "namespace") or namespace
    same = [one for one in documents if (one.ref.kind, one.ref.name) == (kind, name)]
    return next((one for one in same if one.ref.namespace == home), None) or next(
        (one for one in same if not one.ref.namespace or not home), None
    )


def _absence(reference: Json, namespace: str) -> str:
    """Return why no chart is known: no source is named, or the files do not have it."""
    if not text_at(reference, "name"):
        return "it names no chart; the Kustomization that applies it may add one"
    home = text_at(reference, "namespace") or namespace
    name = namespaced_name(home, text_at(reference, "name"))
    return f"{text_at(reference, 'kind')} {name} is not in the repository"


def repository_source(repository: Document, *, follows_includes: bool = False) -> ReleaseChart:
    """Return the source of all files of a ``GitRepository`` or an ``OCIRepository``, or why it is not followed.

    ``follows_includes``: the files that it includes are added by the caller.
    """
    spec = mapping(repository.object.get("spec"))
    if repository.ref.kind != "OCIRepository":
        return _with_options(repository, git_repository(spec), follows_includes=follows_includes)
    source = replace(_artifact(spec), kind=SourceKind.ARTIFACT, layer=text_at(spec, "layerSelector", "mediaType"))
    return _with_options(repository, source)


def git_repository(spec: Json, folder: str = "") -> ChartSource:
    """Return the source of a folder of a ``GitRepository``, from the first field of ``ref`` that is set."""
    url, reference = text_at(spec, "url"), dig(spec, "ref")
    words = {name: text_at(reference, name) for name in ("commit", "name", "semver", "tag", "branch")}
    if word := words["commit"] or words["name"]:
        return git_source(url, word, folder)
    if words["semver"]:
        return git_source(url, f"{SEMVER}{words['semver']}", folder)
    if words["tag"]:
        return git_source(url, words["tag"], folder, is_tag=True)
    return git_source(url, f"refs/heads/{words['branch'] or _BRANCH}", folder)
