"""How Helm writes one object of a release."""

from dataclasses import field
from enum import StrEnum

from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.tools.helm.release import Release


class Method(StrEnum):
    """The ways in which Helm writes an object that exists when its turn comes."""

    PATCH = "patch"
    """A patch from what the release has stored, computed by Helm."""
    APPLY = "apply"
    """Server-side apply."""
    REPLACE = "replace"
    """The whole object once more (``--force``, ``--force-replace``)."""
    CREATE = "create"
    """As if it did not exist: an install whose chart names an object twice."""
    LEAVE = "leave"
    """Not at all: a definition in the directory ``crds`` of a chart."""


@dataclass(frozen=True, slots=True)
class HelmWrite:
    """What Helm goes by for one object.

    ``original`` is what the release has stored of it, ``None`` where it has nothing. ``creates_by_apply`` tells whether
    an object that is not there is created by server-side apply, ``is_strict`` whether unknown fields are refused.
    """

    release: Release
    original: JsonObject | None = field(repr=False)
    method: Method = Method.PATCH
    migrates: bool = False
    is_strict: bool = False
    creates_by_apply: bool = False
    merges_custom: bool = False
    """Whether the live object decides about custom resources, too: ``install --take-ownership``."""
