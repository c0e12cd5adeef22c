"""Where a chart, a repository or a file comes from, and the key of the store for it."""

import hashlib
import json
from enum import StrEnum
from typing import Final
from urllib.parse import urlsplit, urlunsplit

from kubectl_applylint.core.records import dataclass, replace
from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.version_ranges import is_exact

_CHART_NAME: Final = regex(r"[A-Za-z0-9][A-Za-z0-9._-]{0,252}")
_VERSION: Final = regex(r"[^\s\x00-\x1f\x7f-][^\x00-\x1f\x7f]{0,511}|")
_COMMIT: Final = regex("[0-9a-f]{40}")
_REFERENCE: Final = regex(r"[A-Za-z0-9_][A-Za-z0-9_./@+-]{0,255}|")
_SSH: Final = regex(r"(?:ssh://)?(?:[^@/]+@)(?P<host>[^:/@]+)(?::[0-9]+(?=/))?[:/](?P<path>.*)")
SEMVER: Final = "semver:"
"""The start of a version of a git repository that is the newest tag in a range."""
_DIGEST: Final = regex(r"sha256:[0-9a-f]{64}")
_OCI_PATH: Final = regex(r"[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*(?:/[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*)*")
_HOST: Final = regex(r"[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?(?::[0-9]{1,5})?|\[[0-9A-Fa-f:.]+\](?::[0-9]{1,5})?")


class SourceKind(StrEnum):
    """The kinds of sources."""

    OCI = "oci"
    """A chart in an OCI registry: the URL names the repository of the chart itself."""
    HELM = "helm"
    """A chart in a Helm repository with an ``index.yaml``."""
    GIT = "git"
    """A git repository. ``chart`` is the path of a folder in it, ``version`` a branch, tag or commit."""
    FILE = "file"
    """A file of a server."""
    ARTIFACT = "artifact"
    """An OCI artifact that is no chart: the URL names its repository in a registry."""


_OF_REGISTRY: Final = (SourceKind.OCI, SourceKind.ARTIFACT)


@dataclass(frozen=True, slots=True)
class ChartSource:
    """A chart as a manifest names it. ``version`` is a version, a range, a tag or a digest, empty for the newest."""

    kind: SourceKind
    url: str
    chart: str = ""
    """The name of the chart, empty for the last part of the URL."""
    version: str = ""
    filter: str = ""
    """A regular expression that the tags for a range must match (``semverFilter``)."""
    is_tag: bool = False
    """Whether the version is a tag even if it reads like a range."""
    layer: str = ""
    """The media type of the layer of an artifact that has the files, empty for the first layer."""

    @property
    def name(self) -> str:
        """The name of the chart."""
        return self.chart or self.url.rstrip("/").rpartition("/")[2]

    @property
    def is_digest(self) -> bool:
        """Whether the version is a digest."""
        return _DIGEST.fullmatch(self.version) is not None

    @property
    def is_range(self) -> bool:
        """Whether the version may mean another one later: a range, a branch, or nothing."""
        return not _COMMIT.fullmatch(self.version) and not (self.is_tag or self.is_digest or is_exact(self.version))

    @property
    def key(self) -> str:
        """The key of the source in the store. It has no user and no password."""
        parts = [self.kind, public_url(self.url), self.name, self.version, self.filter, self.is_tag]
        parts += [self.layer] if self.layer else []
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()

    def __str__(self) -> str:
        separator = "@" if self.is_digest else " "
        name = "" if self.kind in _OF_REGISTRY and not self.chart else f" {self.name}"
        return f"{public_url(self.url)}{name}{separator}{self.version or '(newest)'}"


def public_url(url: str) -> str:
    """Return a URL without user, password, query and fragment, and without a slash at the end."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return "(invalid URL)"
    host = parts.netloc.rpartition("@")[2].lower()
    return urlunsplit((parts.scheme.lower(), host, parts.path, "", "")).rstrip("/")


def source_fault(source: ChartSource) -> str:
    """Return why a source cannot be downloaded by anyone, empty if it can be."""
    scheme = "oci" if source.kind in _OF_REGISTRY else "https"
    try:
        parts = urlsplit(source.url)
        has_port = parts.port != 0
    except ValueError:
        return "its URL is not valid"
    if parts.scheme.lower() != scheme:
        return f"its protocol is {parts.scheme or 'missing'}, not {scheme}"
    if not has_port or not _HOST.fullmatch(parts.netloc.rpartition("@")[2]):
        return "its URL names no valid host"
    if source.kind in _OF_REGISTRY and not _OCI_PATH.fullmatch(parts.path.strip("/")):
        return "its URL names no valid repository of a registry"
    if source.kind in (SourceKind.GIT, SourceKind.FILE):
        is_valid = source.version.startswith(SEMVER) or _is_reference(source.version)
        return "" if is_valid else f"{source.version!r} is not a valid name of a branch, tag or commit"
    if not _CHART_NAME.fullmatch(source.name):
        return f"{source.name!r} is not a valid name of a chart"
    return "" if _VERSION.fullmatch(source.version) else f"{source.version!r} is not a valid version"


def _is_reference(text: str) -> bool:
    return _REFERENCE.fullmatch(text) is not None and ".." not in text and "@{" not in text


def git_source(url: str, version: str = "", folder: str = "", *, is_tag: bool = False) -> ChartSource:
    """Return the source of a git repository; one that is named for SSH is asked by HTTPS, at the same path."""
    found = _SSH.fullmatch(url) if "://" not in url or url.startswith("ssh://") else None
    return ChartSource(
        SourceKind.GIT, f"https://{found['host']}/{found['path']}" if found else url, folder, version, is_tag=is_tag
    )


def whole_repository(source: ChartSource) -> ChartSource:
    """Return the source of the git repository that a chart is in; other charts are sources by themselves."""
    return replace(source, chart="") if source.kind is SourceKind.GIT else source


def with_chart_in_url(source: ChartSource) -> ChartSource:
    """Return the source of a chart below the URL of a registry, with the URL of the chart itself."""
    if source.kind is not SourceKind.OCI or not source.chart:
        return source
    return replace(source, url=f"{source.url.rstrip('/')}/{source.chart}", chart="")


def named_chart(url: str, name: str, version: str) -> ChartSource:
    """Return the source of a chart that a URL of a repository and a name give."""
    kind = SourceKind.OCI if url.startswith("oci://") else SourceKind.HELM
    return with_chart_in_url(ChartSource(kind, url, name, version))
