"""The default admission plugins in the order of the server, and the two phases in which they run.

Mirrors ``AllOrderedPlugins`` of pkg/kubeapiserver/options/plugins.go: first all plugins mutate an object, and then all
plugins validate the object to store. A write that is rejected in the first phase is not validated.
"""

import re
from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from typing import Final, TypeAlias

from kubectl_applylint.core.records import dataclass, replace
from kubectl_applylint.core.state import UNSEEN
from kubectl_applylint.server.admission.attributes import (
    AdmissionAttributes,
    AdmissionDenied,
    AdmissionResult,
    Mutation,
    combine_results,
)
from kubectl_applylint.server.admission_inputs import GroupKind

_Mutate: TypeAlias = Callable[[AdmissionAttributes], Mutation]
_Validate: TypeAlias = Callable[[AdmissionAttributes], AdmissionResult]
_Assume: TypeAlias = Callable[[AdmissionAttributes], tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Plugin:
    """A plugin, and the objects that it is called for.

    Its module is named after it: ``limit_ranger`` for ``LimitRanger``. It is imported on demand, because all of them
    together take as long as checking a file (20 ms).
    """

    name: str
    alone: frozenset[GroupKind] = frozenset()
    """The kinds that it is called for if no other object is known."""
    kinds: frozenset[GroupKind] | None = None
    """The kinds that it is called for if other objects are known; ``None`` for all."""

    @property
    def module(self) -> str:
        """The name of its module."""
        return re.sub(r"(?<!^)(?=[A-Z])", "_", self.name).lower()

    def handles(self, kind: GroupKind, *, others_known: bool) -> bool:
        """Return whether it is called for an object of a kind."""
        return kind in self.alone or (others_known and (self.kinds is None or kind in self.kinds))


_NOTHING: Final[frozenset[GroupKind]] = frozenset()
_POD: Final[frozenset[GroupKind]] = frozenset({("", "Pod")})
_CLAIM: Final[frozenset[GroupKind]] = frozenset({("", "PersistentVolumeClaim")})
_NODE: Final[frozenset[GroupKind]] = frozenset({("", "Node")})
_NAMESPACE: Final[frozenset[GroupKind]] = frozenset({("", "Namespace")})
_INGRESS: Final[frozenset[GroupKind]] = frozenset({("networking.k8s.io", "Ingress")})
_STORAGE: Final = _CLAIM | {("", "PersistentVolume"), ("storage.k8s.io", "VolumeAttributesClass")}
_WITH_PODS: Final = _POD | {
    *(("", kind) for kind in ("PodTemplate", "ReplicationController")),
    *(("apps", kind) for kind in ("DaemonSet", "Deployment", "ReplicaSet", "StatefulSet")),
    *(("batch", kind) for kind in ("CronJob", "Job")),
}

PLUGINS: Final[tuple[Plugin, ...]] = (
    Plugin("NamespaceLifecycle"),
    Plugin("LimitRanger", alone=_POD, kinds=_CLAIM),
    Plugin("ServiceAccount", alone=_POD, kinds=_NOTHING),
    Plugin("TaintNodesByCondition", alone=_NODE, kinds=_NOTHING),
    Plugin("PodSecurity", alone=_NAMESPACE, kinds=_WITH_PODS),
    Plugin("Priority", alone=_POD, kinds=_NOTHING),
    Plugin("DefaultTolerationSeconds", alone=_POD, kinds=_NOTHING),
    Plugin("DefaultStorageClass", alone=_CLAIM, kinds=_NOTHING),
    Plugin("StorageObjectInUseProtection", alone=_STORAGE, kinds=_NOTHING),
    Plugin("PersistentVolumeClaimResize", alone=_CLAIM, kinds=_NOTHING),
    Plugin("RuntimeClass", alone=_POD, kinds=_NOTHING),
    Plugin("DefaultIngressClass", alone=_INGRESS, kinds=_NOTHING),
    Plugin("MutatingAdmissionPolicy"),
    Plugin("MutatingAdmissionWebhook"),
    Plugin("ValidatingAdmissionPolicy"),
    Plugin("ValidatingAdmissionWebhook"),
    Plugin("ResourceQuota"),
)
"""All plugins, in the order of the server."""


def mutate(attributes: AdmissionAttributes, disabled: frozenset[str]) -> Mutation:
    """Return an object with its defaults after the plugins mutated it; those in ``disabled`` do not run.

    The first rejection counts. Later plugins still run, so that the rejected object is complete.
    """
    denied: AdmissionDenied | None = None
    for run in (loaded.mutate for loaded in _active_plugins(attributes, disabled) if loaded.mutate is not None):
        mutation = run(attributes)
        denied = denied or mutation.denied
        if mutation.object is not attributes.new:
            attributes = replace(attributes, new=mutation.object)
    return Mutation(attributes.new, denied)


def validate(attributes: AdmissionAttributes, disabled: frozenset[str]) -> AdmissionResult:
    """Return the plugins' result for an object as it would be stored; those in ``disabled`` do not run."""
    return combine_results(run(attributes) for run in _validating(attributes, disabled))


def assumptions(attributes: AdmissionAttributes, disabled: frozenset[str]) -> tuple[str, ...]:
    """Return the assumptions of ``mutate`` about the cluster, as messages.

    There are none if all relevant objects are known.
    """
    return tuple(words for loaded in _active_plugins(attributes, disabled) for words in loaded.assume(attributes))


@dataclass(frozen=True, slots=True)
class _Loaded:
    """The functions of a plugin's module."""

    name: str
    mutate: _Mutate | None
    validate: _Validate | None
    assume: _Assume


def _validating(attributes: AdmissionAttributes, disabled: frozenset[str]) -> Iterator[_Validate]:
    return (loaded.validate for loaded in _active_plugins(attributes, disabled) if loaded.validate is not None)


def _active_plugins(attributes: AdmissionAttributes, disabled: frozenset[str]) -> list[_Loaded]:
    kind = (attributes.group, attributes.kind.name)
    plugins = _plugins_for(kind, others_known=attributes.cluster_view is not UNSEEN)
    return [loaded for loaded in plugins if loaded.name not in disabled]


@cache
def _plugins_for(kind: GroupKind, *, others_known: bool) -> tuple[_Loaded, ...]:
    chosen = (plugin for plugin in PLUGINS if plugin.handles(kind, others_known=others_known))
    return tuple(_load(plugin) for plugin in chosen)


@cache
def _load(plugin: Plugin) -> _Loaded:
    module = import_module(f"{__package__}.{plugin.module}")
    found = {name: getattr(module, name, None) for name in ("mutate", "validate")}
    return _Loaded(plugin.name, **found, assume=getattr(module, "assumptions", _nothing))


def _nothing(attributes: AdmissionAttributes) -> tuple[str, ...]:
    return ()
