"""Spread constraints and anti-affinity that match no pods."""

from kubectl_applylint.core.paths import Field
from kubectl_applylint.lint.model import Hit, Hits, Params, Subject
from kubectl_applylint.schema.lookup import declared_type_name
from kubectl_applylint.schema.walk import walk

_ANTI = Field("podAntiAffinity")


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield each topology spread constraint and each term of pod anti-affinity without a labelSelector."""
    if subject.kind is None:
        return
    for path, value, node in walk(subject.manifest, subject.kind.root):
        struct = declared_type_name(node)
        concerned = struct == "TopologySpreadConstraint" or (struct == "PodAffinityTerm" and _ANTI in path)
        if concerned and isinstance(value, dict) and value.get("labelSelector") is None:
            yield Hit((*path, Field("labelSelector")))
