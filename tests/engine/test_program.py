import pytest

from kubectl_applylint.appliers.request import Applier
from kubectl_applylint.core.outcome import Outcome, Verdict
from kubectl_applylint.core.state import ObjectRef
from kubectl_applylint.engine.cluster_model import ClusterModel
from kubectl_applylint.engine.program import program_of
from kubectl_applylint.tools.helm.release import Release, ReleaseRevision
from kubectl_applylint.tools.helm.upgrade import install, upgrade
from kubectl_applylint.tools.kapp.app import KappApp
from kubectl_applylint.tools.kapp.deploy import KappDeploy
from tests.engine.test_set_apply import config
from tests.rules.stories import document

A, B = (ObjectRef("v1", "ConfigMap", "shop", name) for name in "ab")
FAILED = Outcome(A, Verdict.REJECTED)
HELM = install(Release("app", "shop"), is_helm4=False)
KAPP = KappDeploy(KappApp("app", "shop", "7"), refusal="no")


@pytest.mark.parametrize(
    ("applier", "name"),
    [
        (Applier.HELM3, "Helm"),
        (Applier.HELM4, "Helm"),
        (Applier.FLUX, "Flux"),
        (Applier.ARGOCD, "Argo CD"),
        (Applier.KAPP, "kapp"),
    ],
)
def test_each_program_has_a_record(applier: Applier, name: str) -> None:
    assert program_of(applier).name == name


def test_kubectl_has_none() -> None:
    with pytest.raises(ModuleNotFoundError):
        program_of(Applier.KUBECTL_CLIENT)


def test_a_program_may_not_begin() -> None:
    found = program_of(Applier.KAPP).blocked(KAPP, (), ClusterModel(), lambda _: False)

    assert found is not None
    assert found.message == "no"
    assert program_of(Applier.HELM3).blocked(HELM, (), ClusterModel(), lambda _: False) is None


def test_a_pending_release_has_a_remedy() -> None:
    first, second = (ReleaseRevision(number, "pending-upgrade", ()) for number in (1, 2))
    installing, upgrading = (
        upgrade(Release("app", "shop"), each, is_helm4=True) for each in ([first], [first, second])
    )
    remedy = program_of(Applier.HELM4).remedy

    assert remedy(upgrading) == "wait until it ends; if it was interrupted: helm rollback app -n shop"
    assert remedy(installing).endswith("helm uninstall app -n shop")
    assert program_of(Applier.HELM4).remedy(HELM) == program_of(Applier.KAPP).remedy(KAPP) == ""


def test_hooks_that_a_program_does_not_define_are_those_of_kubectl() -> None:
    flux, documents = program_of(Applier.FLUX), (document(config("a")),)

    assert flux.begun(HELM, documents, ClusterModel()) == (HELM, documents)
    assert flux.blocked(HELM, documents, ClusterModel(), lambda _: True) is None
    assert flux.stop(HELM, B, [FAILED]) is None
    assert list(flux.deleted(HELM, lambda: [A], [FAILED])) == []
    assert not flux.is_deleted_before(HELM, A, B)
