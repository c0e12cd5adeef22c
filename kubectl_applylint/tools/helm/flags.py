"""The flags of ``helm upgrade`` that decide what is written."""

from collections.abc import Collection
from enum import StrEnum
from typing import Final

from kubectl_applylint.core.records import dataclass

HELM3_FLAGS: Final = ("--force", "--take-ownership", "--cleanup-on-fail")
"""Flags as they are typed."""
HELM4_FLAGS: Final = (
    *HELM3_FLAGS,
    "--force-replace",
    "--force-conflicts",
    "--server-side=true",
    "--server-side=false",
    "--server-side=auto",
)


class ServerSide(StrEnum):
    """``--server-side`` of Helm 4; ``auto`` uses the method of the previous revision."""

    TRUE = "true"
    FALSE = "false"
    AUTO = "auto"


@dataclass(frozen=True, slots=True)
class HelmFlags:
    """Flags of Helm that decide what is written. ``force_replace`` is ``--force`` in Helm 3."""

    server_side: ServerSide = ServerSide.AUTO
    force_conflicts: bool = False
    force_replace: bool = False
    take_ownership: bool = False
    cleanup_on_fail: bool = False
    is_by_controller: bool = False
    """Whether the helm-controller of Flux calls Helm, with its own field manager."""


NO_FLAGS: Final = HelmFlags()


def read_flags(words: Collection[str], *, is_helm4: bool) -> HelmFlags:
    """Return parsed flags; raise ``ValueError`` with the first flag that this version of Helm does not have."""
    unknown = next((word for word in words if word not in (HELM4_FLAGS if is_helm4 else HELM3_FLAGS)), None)
    if unknown is not None:
        raise ValueError(unknown)
    server_side = [word.partition("=")[2] for word in words if word.startswith("--server-side=")]
    return HelmFlags(
        ServerSide(server_side[-1]) if server_side else ServerSide.AUTO,
        force_conflicts="--force-conflicts" in words,
        force_replace=not {"--force", "--force-replace"}.isdisjoint(words),
        take_ownership="--take-ownership" in words,
        cleanup_on_fail="--cleanup-on-fail" in words,
    )
