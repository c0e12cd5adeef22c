"""Downloads sources by the rules for hosts: charts by ``helm pull`` through a gateway, repositories by ``git``.

Files and artifacts need no program.
"""

import hashlib
import os
from collections.abc import Callable, Iterable, Sequence
from threading import Lock
from time import monotonic
from typing import Final

from kubectl_applylint.core.patterns.linear import Matcher, compile_linear
from kubectl_applylint.core.records import dataclass, field, replace
from kubectl_applylint.core.version_ranges import is_exact, newest
from kubectl_applylint.sources.render import helm
from kubectl_applylint.sources.render.hermetic_env import without_network
from kubectl_applylint.sources.render.packed_chart import archive
from kubectl_applylint.sources.store.absence import Absence, version_hint, wanted_range
from kubectl_applylint.sources.store.chart_archive import MEBIBYTE, MOST_PACKED, unpack_files
from kubectl_applylint.sources.store.chart_source import ChartSource, SourceKind, public_url, source_fault
from kubectl_applylint.sources.store.download_errors import AbsentError, DownloadError
from kubectl_applylint.sources.store.gateway import Answers, Gateway, registry_answers, repository_answers
from kubectl_applylint.sources.store.git_download import download_tree
from kubectl_applylint.sources.store.helm_repository import IndexEntry, index_entries
from kubectl_applylint.sources.store.host_rules import HostRules
from kubectl_applylint.sources.store.http_client import SECONDS, HttpClient
from kubectl_applylint.sources.store.registry import NotFoundError, Registry, registry
from kubectl_applylint.sources.system import subprocesses
from kubectl_applylint.sources.system.contents import MAX_BYTES
from kubectl_applylint.sources.system.temporary import PrivateFolder

_MOST_INDEX: Final = 64 * MEBIBYTE
_LONGEST_COMPLAINT: Final = 300
_OK: Final = 200
_FILE: Final = "file.yaml"


@dataclass(frozen=True, slots=True)
class Downloaded:
    """A downloaded archive, which is not examined yet."""

    packed: bytes = field(repr=False)
    is_private: bool = False
    """Whether a login of the user was sent."""
    size: int = 0
    """The number of bytes that were received for it."""
    seconds: float = 0.0
    revision: str = ""
    """The commit of a git repository, the tag or digest of an artifact."""


def download(source: ChartSource, rules: HostRules, gateway: Gateway) -> Downloaded:
    """Return the archive of a chart, a repository or a file; raises ``DownloadError``."""
    if fault := source_fault(source):
        raise DownloadError(fault)
    started, meter = monotonic(), _Meter()
    client = HttpClient(rules, received=meter.add)
    if source.kind is SourceKind.GIT:
        tree = download_tree(source, client, gateway)
        return Downloaded(tree.packed, tree.is_private, meter.total, monotonic() - started, tree.commit)
    if source.kind is SourceKind.FILE:
        return Downloaded(_file(source, client, started + SECONDS), False, meter.total, monotonic() - started)
    if source.kind is SourceKind.ARTIFACT:
        found = _artifact(source, client, started + SECONDS)
        return replace(found, size=meter.total, seconds=monotonic() - started)
    return _chart(source, client, gateway, meter)


def _artifact(source: ChartSource, client: HttpClient, deadline: float) -> Downloaded:
    """Return an archive with the files of one layer of an OCI artifact: of the wanted media type, else the first."""
    found = registry(client, source.url, deadline)
    reference, manifest = _manifest(source, found)
    layers = found.layers(manifest)
    digest = next((name for kind, name in layers if source.layer in ("", kind)), None)
    if digest is None:
        raise DownloadError(f"the artifact has no layer{source.layer and f' of the type {source.layer!r}'}")
    files = unpack_files(found.blob(digest))
    if not files:
        raise DownloadError("the artifact has no files")
    return Downloaded(archive(files), found.is_private, revision=reference)


def _manifest(source: ChartSource, found: Registry) -> tuple[str, bytes]:
    """Return the reference of a source, a digest or the tag for its version, and the manifest."""
    try:
        reference = source.version if source.is_digest else _tag(source, found)
        return reference, found.manifest(reference)
    except NotFoundError as fault:
        raise _absence(source, found) or fault from None


def _absence(source: ChartSource, found: Registry) -> DownloadError | None:
    """Return that a registry does not have the repository or the tag of a source; ``None`` if that is not certain."""
    if source.is_digest:
        return None
    try:
        tags = found.tags()
    except NotFoundError:
        return AbsentError(source, Absence(is_whole=True, is_private=found.is_private))
    except DownloadError:
        return None
    # It may have the tag in a form that was not asked for.
    is_known = not tags or _exact_tag(source) in tags
    return None if is_known else _no_version(source, _versions(tags), is_private=found.is_private)


def _file(source: ChartSource, client: HttpClient, deadline: float) -> bytes:
    """Return an archive with one file."""
    reply = client.get(source.url, MAX_BYTES, deadline)
    if reply.status != _OK:
        raise DownloadError(f"{public_url(source.url)}: the server answers with {reply.status}")
    return archive({_FILE: reply.body})


def _chart(source: ChartSource, client: HttpClient, gateway: Gateway, meter: "_Meter") -> Downloaded:
    """Return the archive of a chart."""
    if not helm.find_tool():
        raise DownloadError("helm, which downloads charts, was not found on the PATH", "install helm")
    started = monotonic()
    prepared = (_from_registry if source.kind is SourceKind.OCI else _from_repository)(
        source, client, started + SECONDS
    )
    with gateway.open(prepared.answers) as token:
        packed = _pull(prepared.arguments(gateway.address, token), started + SECONDS, lambda: gateway.failure(token))
    return Downloaded(packed, prepared.is_private, meter.total, monotonic() - started)


class _Meter:
    """Adds up the sizes that several threads receive."""

    def __init__(self) -> None:
        self.total = 0
        self._changing = Lock()

    def add(self, size: int) -> None:
        with self._changing:
            self.total += size


@dataclass(frozen=True, slots=True)
class _HelmPull:
    """A download for Helm: the answers of the gateway, and the arguments for its address and a token."""

    answers: Answers
    arguments: Callable[[str, str], list[str]]
    is_private: bool = False


def _from_registry(source: ChartSource, client: HttpClient, deadline: float) -> _HelmPull:
    found = registry(client, source.url, deadline)
    _, manifest = _manifest(source, found)
    digest = hashlib.sha256(manifest).hexdigest()

    def arguments(address: str, token: str) -> list[str]:
        return [f"oci://{address}/{token}/{source.name}@sha256:{digest}", "--plain-http"]

    return _HelmPull(registry_answers(found, manifest), arguments, found.is_private)


def _exact_tag(source: ChartSource) -> str:
    """Return the tag of a version; ``+`` is written as ``_`` in tags."""
    return source.version.replace("+", "_")


def _versions(tags: Iterable[str]) -> list[str]:
    return [tag.replace("_", "+") for tag in tags]


def _tag(source: ChartSource, registry: Registry) -> str:
    """Return the tag of a version or range."""
    wanted = wanted_range(source)
    if wanted is None:
        return _exact_tag(source)
    tags = registry.tags()
    versions = _versions(filter(_filter(source), tags))
    found = newest(filter(is_exact, versions), wanted)
    if found is None:
        raise _no_version(source, _versions(tags), is_private=registry.is_private)
    return found.replace("+", "_")


def _filter(source: ChartSource) -> Callable[[str], bool]:
    """Return whether a tag matches the filter of a source, as a function."""
    if not source.filter:
        return bool
    found = compile_linear(source.filter)
    if not isinstance(found, Matcher):
        raise DownloadError(f"its filter for tags, {source.filter!r}, cannot be evaluated")
    return lambda tag: found.is_match(tag) is True


def _from_repository(source: ChartSource, client: HttpClient, deadline: float) -> _HelmPull:
    url = public_url(source.url)
    reply = client.get(f"{url}/index.yaml", _MOST_INDEX, deadline)
    if reply.status != _OK:
        raise DownloadError(f"{url}/index.yaml: the server answers with {reply.status}")
    entries = index_entries(reply.body, source, client.endpoint(url).url)
    versions = [one.version for one in entries]
    if newest(versions, source.version) is None:
        raise _no_version(source, versions)

    def archive(entry: IndexEntry) -> bytes:
        found = client.get(entry.url, MOST_PACKED, deadline)
        if found.status != _OK:
            raise DownloadError(f"{public_url(entry.url)}: the server answers with {found.status}")
        if entry.digest and hashlib.sha256(found.body).hexdigest() != entry.digest:
            raise DownloadError(f"the digest of {public_url(entry.url)} differs from {entry.digest}")
        return found.body

    def arguments(address: str, token: str) -> list[str]:
        return [source.name, "--repo", f"http://{address}/{token}", f"--version={source.version}"]

    return _HelmPull(repository_answers(entries, source.name, archive), arguments)


def _no_version(source: ChartSource, versions: Sequence[str], *, is_private: bool = False) -> DownloadError:
    """Return that none of the versions is the wanted one; an empty list is no definite answer."""
    if not versions:
        return DownloadError("its list of versions is empty")
    return AbsentError(source, Absence(hint=version_hint(source.version, versions), is_private=is_private))


def _pull(arguments: list[str], deadline: float, failure: Callable[[], str]) -> bytes:
    """Return the archive that ``helm pull`` writes."""
    with PrivateFolder() as folder, PrivateFolder() as home:
        command = [helm.find_tool() or "helm", "pull", *arguments, "--destination", folder]
        try:
            done = subprocesses.run(
                command,
                timeout=max(deadline - monotonic(), 1.0),
                env=without_network(os.environ, home),
                cwd=folder,
                most_output=MEBIBYTE,
            )
        except subprocesses.TimedOutError:
            raise DownloadError(failure() or f"it took more than {SECONDS:.0f} s") from None
        except OSError as fault:
            raise DownloadError(f"helm cannot be run: {fault.strerror}") from None
        files = [name for name in os.listdir(folder) if name.endswith(".tgz")]
        if done.code != 0 or len(files) != 1:
            raise DownloadError(failure() or f"helm pull failed: {_complaint(done.stderr)}")
        with open(os.path.join(folder, files[0]), "rb") as file:
            return file.read(MOST_PACKED + 1)


def _complaint(printed: bytes) -> str:
    """Return the last line of an error message of Helm."""
    lines = printed.decode("utf-8", "replace").strip().splitlines()
    return lines[-1].removeprefix("Error: ")[:_LONGEST_COMPLAINT] if lines else "it printed nothing"
