"""Live state from a cluster."""

from collections.abc import Collection, Iterable
from functools import partial

from kubectl_applylint.core.records import replace
from kubectl_applylint.core.state import Absent, ObjectRef
from kubectl_applylint.run.compare.live_source import LiveSource
from kubectl_applylint.schema.types import Gvk
from kubectl_applylint.sources.cluster import admission_objects
from kubectl_applylint.sources.cluster.cluster import Cluster
from kubectl_applylint.sources.cluster.read_results import States


def in_cluster(cluster: Cluster) -> LiveSource:
    """Return the live source for a cluster."""
    return LiveSource(
        origin=cluster.name,
        details=cluster.version,
        definitions=cluster.crds,
        states=partial(_states, cluster),
        applied=cluster.list_applied,
        named=cluster.named_object,
        cluster_view=partial(admission_objects.in_cluster, cluster.get, cluster.live, cluster.kinds),
        of_kinds=cluster.objects_of_kinds,
        labelled=cluster.labelled_objects,
        version=cluster.version,
        namespace=cluster.default_namespace,
        problems=cluster.problems,
        is_cluster=True,
    )


def _states(cluster: Cluster, refs: Collection[ObjectRef], defined: Collection[Gvk]) -> States:
    """Return the live states; kinds that only the run defines have no objects yet."""
    unserved = _unserved_kinds(cluster, {(ref.api_version, ref.kind) for ref in refs} & set(defined))
    found = cluster.live(ref for ref in refs if (ref.api_version, ref.kind) not in unserved)
    absent = {ref: Absent() for ref in refs if (ref.api_version, ref.kind) in unserved}
    return replace(found, states={**found.states, **absent})


def _unserved_kinds(cluster: Cluster, defined: Iterable[Gvk]) -> set[Gvk]:
    kinds = set(defined)
    served = cluster.kinds(kinds) if kinds else {}
    # If nothing at all is served, discovery failed, and kinds are unknown.
    return kinds - served.keys() if served else set()
