"""Applies a set again and again until nothing changes."""

from typing import Final

from kubectl_applylint.core.records import replace
from kubectl_applylint.core.state import Knowledge, Present
from kubectl_applylint.core.values import equal
from kubectl_applylint.engine.cluster_model import ClusterModel
from kubectl_applylint.engine.set_apply import SetApply, apply_other

_ROUNDS: Final = 4
"""The maximum number of applies; an object that still changes then changes forever."""


def apply_until_stable(whole: SetApply) -> ClusterModel:
    """Return the cluster after its objects are applied again until nothing changes."""
    cluster = whole.after
    accepted = [document for document, outcome in whole.every if not outcome.refused]
    for _ in range(_ROUNDS):
        after = apply_other(replace(whole, policy=None), accepted, cluster).after
        if _is_same(cluster, after):
            break
        cluster = after
    return cluster


def _is_same(before: ClusterModel, after: ClusterModel) -> bool:
    return before.known.keys() == after.known.keys() and all(
        _is_alike(known, after.known[name]) for name, known in before.known.items()
    )


def _is_alike(left: Knowledge, right: Knowledge) -> bool:
    if isinstance(left, Present) and isinstance(right, Present):
        return equal(left.object, right.object)
    return left == right
