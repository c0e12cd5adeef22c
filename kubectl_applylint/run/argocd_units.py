"""Units that an Application of Argo CD applies."""

from collections.abc import Iterable, Iterator, Sequence

from kubectl_applylint.appliers.argocd.application import ArgoSync
from kubectl_applylint.appliers.argocd.options import is_hook, unpredicted
from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.records import dataclass, replace
from kubectl_applylint.engine.argocd_sync import in_order
from kubectl_applylint.run.live_source import LiveSource
from kubectl_applylint.run.reading import Reading


@dataclass(frozen=True, slots=True)
class SyncedUnit:
    """A unit that an Application applies, and what was read of it."""

    sync: ArgoSync
    documents: Sequence[Document]


def not_predicted(units: Iterable[SyncedUnit]) -> Iterator[str]:
    """Yield what Applications ask for that a prediction leaves out, a line each."""
    for unit in units:
        name, options = unit.sync.application.name, unpredicted(unit.sync.application.options)
        if options:
            yield f"Application {name}: sync options that are not predicted: {', '.join(options)}"
        hooks = sorted({str(document.ref) for document in unit.documents if is_hook(document.object)})
        if hooks:
            yield f"Application {name}: hooks that are left out: {', '.join(hooks)}"


def not_looked_for(units: Iterable[SyncedUnit], source: LiveSource) -> Iterator[str]:
    """Yield that a cluster is not asked for objects of all kinds, where a sync prunes; a snapshot has what it has."""
    if source.origin and source.age_seconds is None and any(unit.sync.prunes for unit in units):
        yield "Applications: what left them is looked for among common kinds and those of their files"


def synced(found: Reading, sync: ArgoSync) -> Reading:
    """Return what was read as a sync applies it: in its order, without hooks, each object once."""
    return replace(found, here=in_order(sync, found.here), policy=sync)
