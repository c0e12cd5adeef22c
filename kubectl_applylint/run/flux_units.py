"""Units that a Kustomization of Flux applies: what it remembers, in a cluster or by an earlier revision."""

from collections.abc import Iterator, Sequence

from kubectl_applylint.appliers.flux.kustomization import GROUP, FluxKustomization, Reconciliation
from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.state import ObjectRef, Present, Unknown
from kubectl_applylint.core.values import JsonObject, dig, items, text_at
from kubectl_applylint.run.live_source import LiveSource


def reconciliation_of(source: FluxKustomization, past: Sequence[Document]) -> Reconciliation:
    """Return the reconciliation by a Kustomization that has applied ``past``."""
    return Reconciliation(source, tuple(document.ref for document in past))


def remembering(source: FluxKustomization, cluster: LiveSource) -> tuple[Reconciliation, tuple[Problem, ...]]:
    """Return the reconciliation by a Kustomization of a cluster or a snapshot, with the inventory in its status.

    One that a cluster does not have remembers nothing yet. Where it cannot be read, what it prunes is not known.
    """
    ref = ObjectRef(f"{GROUP}/v1", "Kustomization", source.namespace, source.name)
    found = cluster.states([ref], [])
    live, is_live = found.states[ref], cluster.age_seconds is None
    if isinstance(live, Present):
        return Reconciliation(source, tuple(_inventory(live.object))), ()
    if is_live and not isinstance(live, Unknown):
        return Reconciliation(source), ()
    why = live.reason if isinstance(live, Unknown) else f"the {cluster.origin} does not have it"
    return Reconciliation(source), (Problem(f"{ref} in {ref.namespace}", f"what Flux prunes is not known: {why}"),)


def _inventory(kustomization: JsonObject) -> Iterator[ObjectRef]:
    """Yield the objects in the inventory of a Kustomization, in its order.

    An entry is ``NAMESPACE_NAME_GROUP_KIND``, with two underscores for a colon in a name (``object.ParseObjMetadata``
    of cli-utils), and the version of the API.
    """
    for entry in items(dig(kustomization, "status", "inventory", "entries")):
        namespace, _, rest = text_at(entry, "id").partition("_")
        name, *group_and_kind = rest.rsplit("_", 2)
        if len(group_and_kind) == len(("group", "kind")):
            group, kind = group_and_kind
            version = text_at(entry, "v") or "v1"
            yield ObjectRef(f"{group}/{version}" if group else version, kind, namespace, name.replace("__", ":"))
