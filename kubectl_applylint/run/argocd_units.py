"""Units that an Application of Argo CD applies."""

from collections.abc import Iterable, Iterator

from kubectl_applylint.appliers.argocd.application import ArgoSync
from kubectl_applylint.appliers.argocd.options import unpredicted
from kubectl_applylint.core.records import replace
from kubectl_applylint.engine.argocd_sync import in_order
from kubectl_applylint.run.live_source import LiveSource
from kubectl_applylint.run.reading import Reading


def not_predicted(syncs: Iterable[ArgoSync]) -> Iterator[str]:
    """Yield what Applications ask for that a prediction leaves out, a line each."""
    for sync in syncs:
        options = unpredicted(sync.application.options)
        if options:
            yield f"Application {sync.application.name}: sync options that are not predicted: {', '.join(options)}"


def not_looked_for(syncs: Iterable[ArgoSync], source: LiveSource) -> Iterator[str]:
    """Yield that a cluster is not asked for objects of all kinds, where a sync prunes; a snapshot has what it has."""
    if source.origin and source.age_seconds is None and any(sync.prunes for sync in syncs):
        yield "Applications: what left them is looked for among common kinds and those of their files"


def synced(found: Reading, sync: ArgoSync) -> Reading:
    """Return what was read as a sync applies it: in its order, without hooks, each object once."""
    return replace(found, here=in_order(sync, found.here), policy=sync)
