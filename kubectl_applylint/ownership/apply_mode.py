"""The apply mode of an object so far, and the outcome of the next apply in that mode."""

import shlex
from typing import Final

from kubectl_applylint.appliers import kubectl_client, kubectl_server
from kubectl_applylint.appliers.kubectl_server import LAST_APPLIED_MANAGER
from kubectl_applylint.appliers.request import Applier, ApplyRequest
from kubectl_applylint.core.outcome import Outcome
from kubectl_applylint.core.records import dataclass, replace
from kubectl_applylint.core.state import Present, last_applied
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.engine.predict import predict
from kubectl_applylint.lint.model import Subject
from kubectl_applylint.merge.managed_fields import read
from kubectl_applylint.merge.server_side import APPLY


@dataclass(frozen=True, slots=True)
class ApplyMode:
    """A way to apply: client-side or server-side, and the field manager."""

    applier: Applier
    manager: str
    force: bool = False
    is_by_kubectl: bool = True
    """Whether a person applies with kubectl, rather than another program."""

    @property
    def is_server_side(self) -> bool:
        """Whether the server merges the manifest."""
        return self.applier in _SERVER_SIDE

    @property
    def flags(self) -> str:
        """The flags of ``kubectl apply`` for this mode, each with a leading space."""
        texts = []
        if self.is_server_side:
            texts.append("--server-side")
        default = kubectl_server.MANAGER if self.is_server_side else kubectl_client.MANAGER
        if self.manager != default:
            texts.append(f"--field-manager={shlex.quote(self.manager)}")
        if self.force:
            texts.append("--force-conflicts")
        return "".join(f" {text}" for text in texts)


_SERVER_SIDE: Final = frozenset({Applier.KUBECTL_SERVER, Applier.HELM4, Applier.FLUX})
CLIENT_SIDE = ApplyMode(Applier.KUBECTL_CLIENT, kubectl_client.MANAGER)
"""``kubectl apply`` without further flags."""
SERVER_SIDE = ApplyMode(Applier.KUBECTL_SERVER, kubectl_server.MANAGER)
"""``kubectl apply --server-side`` without further flags."""


def appliers_of(live: JsonObject) -> tuple[str, ...]:
    """Return the managers that apply the object server-side, in its order, without kubectl's for last-applied."""
    names = (each.name for each in read(live) if each.operation == APPLY and not each.subresource)
    return tuple(name for name in names if name != LAST_APPLIED_MANAGER)


def mode_of(live: JsonObject) -> ApplyMode:
    """Return the earlier apply mode of an object: server-side if ``kubectl`` used it, else by last-applied.

    An object that was never applied counts as client-side.
    """
    names = appliers_of(live)
    if kubectl_server.MANAGER in names:
        return SERVER_SIDE
    if names and not isinstance(last_applied(Present(live)), Present):
        return replace(SERVER_SIDE, manager=names[0])
    return CLIENT_SIDE


def apply_outcome(
    subject: Subject, mode: ApplyMode, live: JsonObject | None = None, manifest: JsonObject | None = None
) -> Outcome:
    """Return the outcome of an apply, by default of the subject's manifest to its live object."""
    state = subject.state if live is None else replace(subject.state, live=Present(live))
    request = ApplyRequest(
        manifest=subject.manifest if manifest is None else manifest,
        state=state,
        schema=subject.schema,
        applier=mode.applier,
        field_manager=mode.manager,
        force_conflicts=mode.force,
    )
    return predict(request)
