"""Where an applier stops in a set, what it deletes although something fails, and why it never begins, by its policy."""

from collections.abc import Callable, Iterable, Iterator, Sequence

from kubectl_applylint.appliers.children import Sync
from kubectl_applylint.appliers.flags import Policy
from kubectl_applylint.appliers.helm.upgrade import HelmUpgrade
from kubectl_applylint.appliers.kapp.deploy import KappDeploy
from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.outcome import FieldError, Outcome
from kubectl_applylint.core.state import ObjectRef
from kubectl_applylint.engine import helm_upgrade, kapp_deploy
from kubectl_applylint.engine.cluster_model import ClusterModel


def applier_name(policy: Policy | None) -> str:
    """Return what people call the applier that stops in a set."""
    return kapp_deploy.NAME if isinstance(policy, KappDeploy) else "Helm"


def stop_before(policy: Policy | None, ref: ObjectRef, earlier: Iterable[Outcome]) -> ObjectRef | None:
    """Return the object after which the applier does not come to ``ref``; kubectl always comes to the next one."""
    match policy:
        case HelmUpgrade():
            return next((found.ref for found in earlier if helm_upgrade.stops(policy, found)), None)
        case KappDeploy():
            return kapp_deploy.stop(policy, ref, earlier)
        case _:
            return None


def deleted_after_failure(
    policy: Policy | None, targets: Callable[[], Iterable[ObjectRef]], outcomes: Sequence[Outcome]
) -> Iterator[ObjectRef]:
    """Yield what is deleted although an object is refused; ``targets`` gives what is deleted if none is."""
    match policy:
        case Sync():
            # Metacontroller deletes before it applies, whatever becomes of the rest.
            yield from targets()
        case HelmUpgrade():
            yield from helm_upgrade.cleaned_up(policy, outcomes)
        case KappDeploy():
            yield from kapp_deploy.deleted(policy, targets(), outcomes)
        case _:
            return


def is_gone_before(policy: Policy | None, target: ObjectRef, ref: ObjectRef) -> bool:
    """Tell whether the applier deletes ``target`` before it comes to ``ref``."""
    return isinstance(policy, KappDeploy) and kapp_deploy.is_deleted_before(policy, target, ref)


def blocked(
    policy: HelmUpgrade | KappDeploy,
    documents: Sequence[Document],
    cluster: ClusterModel,
    is_unserved: Callable[[ObjectRef], bool],
) -> FieldError | None:
    """Return why the applier writes nothing at all, ``None`` where it begins."""
    if isinstance(policy, KappDeploy):
        return kapp_deploy.blocked(policy, documents, is_unserved)
    return helm_upgrade.blocked(policy, documents, cluster, is_unserved)
