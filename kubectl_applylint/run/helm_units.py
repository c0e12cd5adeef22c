"""Charts as Helm upgrades them: the earlier rendering stands for the manifest that the release has stored."""

import re
from collections.abc import Sequence
from typing import Final

from kubectl_applylint.appliers.flags import Flags
from kubectl_applylint.appliers.helm.release import SERVER_SIDE, Release, ReleaseRevision
from kubectl_applylint.appliers.helm.upgrade import HelmUpgrade, install, upgrade
from kubectl_applylint.appliers.request import Applier
from kubectl_applylint.core.documents import Document
from kubectl_applylint.engine.cluster_model import is_definition

_IN_CRDS: Final = re.compile(r"(?:^|[/:])crds/")
"""In the name of a file: the directory of a chart with what Helm installs once."""


def upgrade_of(flags: Flags, past: Sequence[Document], namespace: str) -> HelmUpgrade | None:
    """Return the upgrade of a release that has written ``past``, or the install of a new unit.

    ``None`` where kubectl applies. Helm 4 is taken to have applied the release server-side from the beginning. Objects
    in ``past`` may be those alone that the change is about.
    """
    if flags.helm is None:
        return None
    is_helm4, release = flags.helm is Applier.HELM4, Release(flags.release, namespace)
    if flags.is_new_unit:
        return install(release, is_helm4=is_helm4)
    manifests = tuple(document.object for document in past)
    revision = ReleaseRevision(1, "deployed", manifests, SERVER_SIDE if is_helm4 else "")
    return upgrade(release, [revision], is_helm4=is_helm4)


def stored(past: Sequence[Document]) -> tuple[Document, ...]:
    """Return what a release has stored of its chart: not what is in ``crds``, which Helm creates and never deletes."""
    return tuple(one for one in past if not (is_definition(one.ref) and _IN_CRDS.search(one.file)))
