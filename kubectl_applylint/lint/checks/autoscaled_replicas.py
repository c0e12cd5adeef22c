"""Replica counts in manifests of objects that an autoscaler scales."""

from collections.abc import Iterator, Mapping
from typing import Final

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.paths import fields, get
from kubectl_applylint.core.state import ObjectRef
from kubectl_applylint.core.values import MISSING, Json, dig, mapping
from kubectl_applylint.lint.checks._argocd import keeps_live_value
from kubectl_applylint.lint.model import Hit, Hits, Params, Subject

_REPLICAS: Final = fields("spec", "replicas")
_MANAGER: Final = "kube-controller-manager"
"""The field manager of the replicas that an autoscaler writes."""


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield ``spec.replicas`` once if an autoscaler of the same run scales the object, and the apply sets it back.

    ``params["autoscalers"]`` maps the kinds of autoscalers (``Kind.group``) to their default target apiVersion and
    kind.
    Facts: replicas, autoscaler, group (of the object).
    """
    replicas = get(subject.manifest, _REPLICAS)
    if replicas is MISSING or replicas is None:
        return
    for peer in autoscalers_of(subject, params["autoscalers"]):
        if not (_is_pinned(peer, replicas) or keeps_live_value(subject, _REPLICAS, _MANAGER)):
            facts = {"replicas": replicas, "autoscaler": str(peer.ref), "group": subject.ref.group}
            yield Hit(_REPLICAS, facts, ((peer, fields("spec", "scaleTargetRef"), str(peer.ref)),))
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
