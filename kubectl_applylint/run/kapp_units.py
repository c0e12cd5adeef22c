"""Units that kapp deploys as apps: the earlier revision stands for what it has deployed before."""

from typing import Final

from kubectl_applylint.appliers.flags import Flags
from kubectl_applylint.appliers.kapp.deploy import KappDeploy, KappFlags
from kubectl_applylint.core.records import replace
from kubectl_applylint.engine.cluster_model import ClusterModel
from kubectl_applylint.engine.kapp_deploy import begun
from kubectl_applylint.run.reading import Reading

NOTHING: Final = ClusterModel()
"""The cluster that the first deploy of an app meets."""


def as_app(found: Reading, flags: Flags) -> Reading:
    """Return what was read as kapp deploys it, if it does; what it makes of it, the cluster decides."""
    # Manifests that the change leaves as they are were not read: that none is left does not make the set empty.
    return found if flags.kapp is None else replace(found, policy=KappDeploy(flags.kapp, KappFlags(allows_empty=True)))


def deployed(found: Reading, cluster: ClusterModel) -> Reading:
    """Return what was read as kapp writes it to a cluster: labelled, named and in its order."""
    if not isinstance(found.policy, KappDeploy):
        return found
    policy, here = begun(found.policy, found.here, cluster)
    return replace(found, here=here, policy=policy)
