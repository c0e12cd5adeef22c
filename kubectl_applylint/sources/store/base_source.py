"""The sources of remote bases and files of kustomizations, and their stored files."""

from collections.abc import Mapping

from kubectl_applylint.sources.render.remote_bases import RemoteChart, RemoteReference
from kubectl_applylint.sources.store import store
from kubectl_applylint.sources.store.chart_archive import ArchiveError
from kubectl_applylint.sources.store.chart_source import ChartSource, SourceKind, git_source, named_chart
from kubectl_applylint.sources.store.store import StoredChart


def base_source(reference: RemoteReference | RemoteChart) -> ChartSource:
    """Return the source of a remote base or file, or of a chart of a kustomization."""
    if isinstance(reference, RemoteChart):
        return named_chart(reference.url, reference.name, reference.version)
    if reference.is_file:
        return ChartSource(SourceKind.FILE, reference.url)
    return git_source(reference.url, reference.revision)


def base_files(reference: RemoteReference | RemoteChart) -> Mapping[str, bytes] | None:
    """Return the stored files of a repository or chart, or the one stored file; ``None`` if the store has none."""
    found = store.chart(base_source(reference))
    if not isinstance(found, StoredChart):
        return None
    try:
        return found.files()
    except ArchiveError:
        return None
