"""Replica counts in manifests of objects that an autoscaler scales."""

from collections.abc import Iterator, Mapping

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.paths import fields
from kubectl_applylint.core.state import ObjectRef
from kubectl_applylint.core.values import MISSING, Json, dig, mapping
from kubectl_applylint.lint.model import Hit, Hits, Params, Subject


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield ``spec.replicas`` once if an autoscaler of the same run scales the object.

    ``params["autoscalers"]`` maps the kinds of autoscalers (``Kind.group``) to their default target apiVersion and
    kind.
    Facts: replicas, autoscaler.
    """
    replicas = dig(subject.manifest, "spec", "replicas")
    if replicas is MISSING or replicas is None:
        return
    for peer in autoscalers_of(subject, params["autoscalers"]):
        if not _is_pinned(peer, replicas):
            facts = {"replicas": replicas, "autoscaler": str(peer.ref)}
            yield Hit(fields("spec", "replicas"), facts, ((peer, fields("spec", "scaleTargetRef"), str(peer.ref)),))
            return


def autoscalers_of(subject: Subject, kinds: Mapping[str, Mapping[str, str]]) -> Iterator[Document]:
    """Yield the autoscalers of the run that name an object; ``kinds`` are the ``autoscalers`` of the check."""
    for kind, defaults in kinds.items():
        yield from (peer for peer in subject.peers.of_kind(kind) if _scales(peer, defaults, subject.ref))


def _scales(peer: Document, defaults: Mapping[str, str], ref: ObjectRef) -> bool:
    """Return whether an autoscaler names the object: by group, in any version, and in its own namespace.

    An autoscaler of an unknown kind without a namespace is assumed to be in the object's namespace.
    """
    target = {**defaults, **mapping(dig(peer.object, "spec", "scaleTargetRef"))}
    group = str(target.get("apiVersion", "")).rpartition("/")[0]
    named = (group, target.get("kind"), peer.ref.namespace or ref.namespace, target.get("name"))
    return named == (ref.group, ref.kind, ref.namespace, ref.name)


def _is_pinned(peer: Document, replicas: Json) -> bool:
    """Return whether the autoscaler allows only the number in the manifest."""
    spec = mapping(peer.object.get("spec"))
    return bool(spec.get("minReplicas") == spec.get("maxReplicas") == replicas)
