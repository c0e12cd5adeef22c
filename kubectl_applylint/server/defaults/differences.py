"""Defaults that differ between the minors of Kubernetes; no other module depends on a version for a default.

Most of them came with a feature that is on since some minor. A default that is not listed applies in all minors for
which the package has tables.
"""

from collections.abc import Mapping
from typing import Final

SINCE: Final[Mapping[str, int]] = {
    "core.v1.Service.status.loadBalancer.ingress.ipMode": 30,
    "core.v1.Pod.spec.resources.limits": 34,
    "core.v1.Pod.spec.resources.requests": 34,
    "core.v1.ImageVolumeSource.pullPolicy": 35,
    "apps.v1.StatefulSet.spec.updateStrategy.rollingUpdate.maxUnavailable": 37,
    "storage.v1.CSIDriver.spec.preventPodSchedulingIfMissing": 37,
}
"""The first minor of a default, by group, version, place in the table and field."""


def holds(place: str, minor: int) -> bool:
    """Return whether Kubernetes 1.``minor`` has the default at ``place``."""
    return SINCE.get(place, 0) <= minor
