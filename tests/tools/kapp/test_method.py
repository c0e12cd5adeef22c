"""How kapp writes one object of an app."""

from kubectl_applylint.tools.kapp.app import KappApp
from kubectl_applylint.tools.kapp.method import KappWrite


def test_kapp_goes_by_what_it_remembers_and_updates_plainly_unless_told_otherwise() -> None:
    how = KappWrite(KappApp("app", "ns", "7"))

    assert (how.by_memory, how.strategy, how.is_new_version) == (True, "", False)
