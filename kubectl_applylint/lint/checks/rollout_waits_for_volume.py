"""Deployments whose new pods require a volume before the old ones release it."""

from kubectl_applylint.core.paths import fields
from kubectl_applylint.core.values import Json, dig, mapping
from kubectl_applylint.lint.checks._graph import after_run, peers_named
from kubectl_applylint.lint.checks._selectors import after_apply
from kubectl_applylint.lint.model import Hit, Hits, Params, Subject
from kubectl_applylint.lint.relations import kind_of, references

_CLAIM = "PersistentVolumeClaim."


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
            if dig(after_run(subject, claim), "spec", "accessModes") == ["ReadWriteOnce"]:
                related = (claim, fields("spec", "accessModes"), "one node at a time")
                yield Hit(reference.path, {"claim": str(claim.ref), "replicas": replicas}, (related,))


def _max_unavailable(value: Json, replicas: int) -> int | None:
    """Return how many pods may be unavailable; a Deployment rounds a percentage down."""
    if isinstance(value, str) and value.endswith("%") and value[:-1].isdigit():
        return int(value[:-1]) * replicas // 100
    return value if isinstance(value, int) else None
