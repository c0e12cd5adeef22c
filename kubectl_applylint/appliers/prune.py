"""``kubectl apply --prune`` with ``-l`` or ``--all``: which objects it deletes after everything has been applied.

Mirrors kubectl 1.36 (``pkg/cmd/apply/prune.go``, ``pkg/util/prune``): objects of the listed kinds, in the namespaces of
the run, which carry the last-applied annotation and the labels, and which the run has not applied.
"""

from collections.abc import Collection, Iterable, Iterator
from typing import Final, TypeAlias

from kubectl_applylint.appliers.last_applied import annotation_of
from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.selector import Selector, selects
from kubectl_applylint.core.state import ObjectRef, ref_of
from kubectl_applylint.core.values import JsonObject

GroupKind: TypeAlias = tuple[str, str]

DEFAULT_KINDS: Final[frozenset[GroupKind]] = frozenset(
    {
        ("", "ConfigMap"),
        ("", "Endpoints"),
        ("", "Namespace"),
        ("", "PersistentVolume"),
        ("", "PersistentVolumeClaim"),
        ("", "Pod"),
        ("", "ReplicationController"),
        ("", "Secret"),
        ("", "Service"),
        ("apps", "DaemonSet"),
        ("apps", "Deployment"),
        ("apps", "ReplicaSet"),
        ("apps", "StatefulSet"),
        ("batch", "CronJob"),
        ("batch", "Job"),
        ("networking.k8s.io", "Ingress"),
    }
)
"""The kinds that are pruned without ``--prune-allowlist``, also with ``-n``."""


@dataclass(frozen=True, slots=True)
class ByLabels:
    """The objects that a prune by labels selects; ``namespace`` is that of ``-n``, or empty."""

    selector: Selector = ()
    kinds: frozenset[GroupKind] = DEFAULT_KINDS
    namespace: str = ""

    def targets(self, objects: Iterable[JsonObject], applied: Collection[ObjectRef]) -> Iterator[ObjectRef]:
        """Yield the live objects that are pruned when ``applied`` are the objects of the run."""
        visited = {"", self.namespace} | {ref.namespace for ref in applied}
        own = {ref.identity for ref in applied}
        for item in objects:
            ref = ref_of(item)
            if ref.identity not in own and ref.namespace in visited and self._selects(ref, item):
                yield ref

    def _selects(self, ref: ObjectRef, item: JsonObject) -> bool:
        return (ref.group, ref.kind) in self.kinds and annotation_of(item) is not None and selects(self.selector, item)


def read_kinds(words: Iterable[str]) -> frozenset[GroupKind]:
    """Return the kinds of ``--prune-allowlist`` (``core/v1/ConfigMap``); without any the default ones.

    Raises ``ValueError`` with kubectl's message.
    """
    return frozenset(map(_read_kind, words)) or DEFAULT_KINDS


def _read_kind(word: str) -> GroupKind:
    match word.split("/"):
        case [group, _, kind]:
            return ("" if group == "core" else group, kind)
        case _:
            raise ValueError(f"invalid GroupVersionKind format: {word}, please follow <group/version/kind>")
