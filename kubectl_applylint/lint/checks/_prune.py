"""The flags of a prune that excludes a kind."""

from typing import Final

from kubectl_applylint.core.records import replace
from kubectl_applylint.core.state import ObjectRef
from kubectl_applylint.lint.model import Subject

_WITH_CONTENTS: Final = frozenset(
    ("CustomResourceDefinition", "Namespace", "PersistentVolume", "PersistentVolumeClaim")
)
"""Kinds whose deletion also deletes other objects or data."""


def flags_without_kind(subject: Subject) -> str:
    """Return the flags of the run's prune without the object's kind, each with a leading space.

    The kinds are those of the run's ``--prune-allowlist``, or else of its objects, except those whose deletion deletes
    more. Empty, so that nothing is pruned, if no other kind is left, and in an ApplySet, which has no such list.
    """
    flags = subject.flags
    kinds = flags.prune_allowlist or sorted({_allowlist_name(peer.ref) for peer in subject.peers})
    others = tuple(kind for kind in kinds if kind.rpartition("/")[2] not in (*_WITH_CONTENTS, subject.ref.kind))
    return replace(flags, prune_allowlist=others).pruning if flags.prune and not flags.applyset and others else ""


def _allowlist_name(ref: ObjectRef) -> str:
    """Return a kind as in ``--prune-allowlist``: ``core/v1/ConfigMap``."""
    version = ref.api_version if "/" in ref.api_version else f"core/{ref.api_version}"
    return f"{version}/{ref.kind}"
