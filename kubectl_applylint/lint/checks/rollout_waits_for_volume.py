"""Deployments whose new pods require a volume before the old ones release it."""

from kubectl_applylint.core.paths import fields
from kubectl_applylint.core.state import ObjectRef
from kubectl_applylint.core.values import Json, JsonObject, dig, mapping, text_at
from kubectl_applylint.lint.checks._graph import after_run, peers_named
from kubectl_applylint.lint.checks._selectors import after_apply
from kubectl_applylint.lint.model import Hit, Hits, Params, Subject
from kubectl_applylint.lint.relations import kind_of, references

_CLAIM = "PersistentVolumeClaim."
_NEVER_ATTACHED = ("nfs", "hostPath", "local", "cephfs", "glusterfs", "azureFile")
"""The kinds of volumes that nodes mount without attaching them."""


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield each mounted ReadWriteOnce claim of the run if no old pod stops before a new one starts.

    Facts: ``claim``, ``replicas``.
    """
    own = after_apply(subject)
    replicas = dig(own, "spec", "replicas")
    rolling = mapping(dig(own, "spec", "strategy", "rollingUpdate"))
    if not isinstance(replicas, int) or replicas == 0 or _max_unavailable(rolling.get("maxUnavailable"), replicas) != 0:
        return
    for reference in references(kind_of(subject.document), own):
        for claim in peers_named(subject, _CLAIM, reference.name) if reference.kind == _CLAIM else ():
            if _is_for_one_node(subject, mapping(after_run(subject, claim).get("spec"))):
                related = (claim, fields("spec", "accessModes"), "one node at a time")
                yield Hit(reference.path, {"claim": str(claim.ref), "replicas": replicas}, (related,))


def _is_for_one_node(subject: Subject, claim: JsonObject) -> bool:
    """Return whether the files show that the volume of a claim is attached to a node.

    Only the attachment enforces the access mode. A claim with an empty class takes a volume that exists.
    """
    if claim.get("accessModes") != ["ReadWriteOnce"]:
        return False
    bound = ObjectRef("*", "PersistentVolume", "", text_at(claim, "volumeName"))
    volumes = [mapping(after_run(subject, one).get("spec")) for one in subject.peers.at(bound) if bound.name]
    is_dynamic = claim.get("storageClassName") != ""
    return all(volume.keys().isdisjoint(_NEVER_ATTACHED) for volume in volumes) if volumes else is_dynamic


def _max_unavailable(value: Json, replicas: int) -> int | None:
    """Return how many pods may be unavailable; a Deployment rounds a percentage down."""
    if isinstance(value, str) and value.endswith("%") and value[:-1].isdigit():
        return int(value[:-1]) * replicas // 100
    return value if isinstance(value, int) else None
