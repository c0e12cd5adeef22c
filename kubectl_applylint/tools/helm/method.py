"""How Helm writes one object of a release."""

from dataclasses import field
from enum import StrEnum

from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.tools.helm.drift import NO_DRIFT_DETECTION, DriftDetection
from kubectl_applylint.tools.helm.release import Release


class Method(StrEnum):
    """How Helm writes an object that exists."""

    PATCH = "patch"
    """A patch from the manifest in the release, computed by Helm."""
    APPLY = "apply"
    """Server-side apply."""
    REPLACE = "replace"
    """A PUT of the whole object (``--force``, ``--force-replace``)."""
    CREATE = "create"
    """A create, although the object exists: an install whose chart has an object twice."""
    LEAVE = "leave"
    """No write: a CustomResourceDefinition in the ``crds`` directory of a chart."""
    CORRECT = "correct"
    """A JSON patch of what differs from the release, by the drift detection of helm-controller."""


@dataclass(frozen=True, slots=True)
class HelmWrite:
    """The settings for writing one object.

    ``original`` is its manifest in the release, or ``None``. ``creates_by_apply``: new objects are created by
    server-side apply. ``is_strict``: unknown fields are rejected.
    """

    release: Release
    original: JsonObject | None = field(repr=False)
    method: Method = Method.PATCH
    migrates: bool = False
    is_strict: bool = False
    creates_by_apply: bool = False
    merges_custom: bool = False
    """Whether custom resources are also merged with the live object: ``install --take-ownership``."""
    is_marked: bool = True
    """Whether the object gets the label and annotations of the release; definitions in ``crds`` do not."""
    drift: DriftDetection = NO_DRIFT_DETECTION
    """How differences are corrected (``Method.CORRECT``)."""
