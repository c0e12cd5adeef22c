from kubectl_applylint.tools.kapp.defaults import GROUP
from kubectl_applylint.tools.kapp.own_annotations import OF_KAPP


def test_all_are_of_the_group_of_kapp() -> None:
    assert {name.partition("/")[0] for name in OF_KAPP} == {GROUP}
