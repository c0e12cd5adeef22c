from kubectl_applylint.appliers.flags import NO_FLAGS
from kubectl_applylint.appliers.request import Applier
from kubectl_applylint.appliers.unit_applier import AskedApplier, UnitApplier
from kubectl_applylint.tools.helm.release import Release
from kubectl_applylint.tools.helm.upgrade import HelmUnit


def test_a_plain_run_asks_for_no_other_program() -> None:
    assert (NO_FLAGS.asked, NO_FLAGS.unit_applier) == (None, None)


def test_programs_are_the_same_if_they_apply_the_same() -> None:
    shop = HelmUnit(Release("shop", "prod"))

    assert UnitApplier(Applier.HELM3, shop) == UnitApplier(Applier.HELM3, HelmUnit(Release("shop", "prod")))
    assert UnitApplier(Applier.HELM3, shop) != UnitApplier(Applier.HELM4, shop)
    assert AskedApplier(Applier.HELM3) == AskedApplier(Applier.HELM3, name="", is_supposed=False)
