"""The store as the source of charts and of the remote bases of kustomizations, for the time of a run."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from kubectl_applylint.sources.render.remote_bases import RemoteChart, RemoteReference, use_bases
from kubectl_applylint.sources.store.store_place import Store, is_usable, use_store


@contextmanager
def use_offline_sources(store: Store) -> Iterator[None]:
    """Take charts and remote bases from a store until the block ends."""
    with use_store(store), use_bases(_base_files):
        yield


def _base_files(reference: RemoteReference | RemoteChart) -> Mapping[str, bytes] | None:
    if not is_usable():
        return None
    # The modules of the store take 30 ms to import, and most repositories have no remote bases.
    from kubectl_applylint.sources.store.base_source import base_files  # noqa: PLC0415

    return base_files(reference)
