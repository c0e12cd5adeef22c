"""A request to apply one object."""

from collections.abc import Mapping
from enum import StrEnum
from functools import cached_property
from typing import Final

from kubectl_applylint.core.records import dataclass, field
from kubectl_applylint.core.state import UNSEEN, ClusterView, ObjectRef, State, ref_of
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.schema.types import Kind, Schema
from kubectl_applylint.tools.metacontroller.children import IN_PLACE, Sync


class Applier(StrEnum):
    """The kinds of apply that can be predicted."""

    KUBECTL_CLIENT = "kubectl-client"
    KUBECTL_SERVER = "kubectl-server"
    KUBECTL_REPLACE = "kubectl-replace"
    METACONTROLLER = "metacontroller"
    HELM3 = "helm3"
    HELM4 = "helm4"
    HELM_CONTROLLER = "helm-controller"
    """Helm 4 as the helm-controller of Flux calls it for a HelmRelease."""
    FLUX = "flux"
    KAPP = "kapp"
    ARGOCD = "argocd"

    @property
    def package(self) -> str:
        """The package of a tool in ``tools``: its name without a version and what follows a hyphen."""
        return self.partition("-")[0].rstrip("0123456789")


TOOL_APPLIERS: Final = (Applier.HELM3, Applier.HELM4, Applier.FLUX, Applier.ARGOCD, Applier.KAPP)
"""The tools other than kubectl that apply units, and to which objects can be moved."""


def program_name(word: str) -> str:
    """Return the name of a program in text for users; ``word`` is that in JSON and in flags."""
    return _PROGRAM_NAMES.get(word, word)


class Validation(StrEnum):
    """``fieldValidation`` of a request: Strict, Warn or Ignore."""

    STRICT = "Strict"
    WARN = "Warn"
    IGNORE = "Ignore"


DEFAULT_MANAGERS: Final[Mapping[Applier, str]] = {
    Applier.KUBECTL_CLIENT: "kubectl-client-side-apply",
    Applier.KUBECTL_SERVER: "kubectl",
    Applier.KUBECTL_REPLACE: "kubectl-replace",
    Applier.METACONTROLLER: "metacontroller",
    Applier.HELM3: "helm",
    Applier.HELM4: "helm",
    Applier.HELM_CONTROLLER: "helm-controller",
    Applier.FLUX: "kustomize-controller",
    Applier.KAPP: "kapp",
    Applier.ARGOCD: "argocd-controller",
}
"""The default field manager of each applier."""
_PROGRAM_NAMES: Final[Mapping[str, str]] = {
    "helm": "Helm",
    Applier.HELM3: "Helm 3",
    Applier.HELM4: "Helm 4",
    Applier.FLUX: "Flux",
    Applier.ARGOCD: "Argo CD",
    "fleet": "Fleet",
    "skaffold": "Skaffold",
}
"""The programs whose names in text for users are not those in JSON and in flags."""
ARGOCD_AGENT: Final = "argocd-application-controller"
"""The manager of Argo CD's writes without an explicit manager: its program."""


@dataclass(frozen=True)
class ApplyRequest:
    """One manifest, the state of its object, and how it is applied.

    ``manifest`` is what the applier sends: namespaces are set. ``overwrite``, ``force`` and ``validation`` are
    kubectl's flags of client-side apply, ``sync`` belongs to Metacontroller, ``subresource`` to server-side apply
    (empty for the object itself). ``tool`` is the record of the tool in ``tools`` that applies, which only its own
    modules read; ``None`` for kubectl and Metacontroller. ``cluster_view`` has the state of other objects before the
    apply.
    """

    manifest: JsonObject
    state: State
    schema: Schema = field(repr=False)
    applier: Applier = Applier.KUBECTL_CLIENT
    field_manager: str | None = None
    force_conflicts: bool = False
    overwrite: bool = True
    force: bool = False
    validation: Validation = Validation.STRICT
    sync: Sync = IN_PLACE
    tool: object = None
    subresource: str = ""
    disabled_admission: frozenset[str] = frozenset()
    cluster_view: ClusterView = UNSEEN
    tracks_owners: bool = True
    """Whether owners of fields are predicted, which takes a tenth of the time."""

    @property
    def manager(self) -> str:
        """The field manager."""
        return self.field_manager or DEFAULT_MANAGERS[self.applier]

    @cached_property
    def ref(self) -> ObjectRef:
        """The reference to the object."""
        return ref_of(self.manifest)

    @cached_property
    def kind(self) -> Kind | None:
        """The schema of the object's kind, ``None`` if it is unknown."""
        return self.schema.kind(self.ref.api_version, self.ref.kind)
