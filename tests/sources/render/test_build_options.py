"""Options of builds."""

from kubectl_applylint.sources.render.build_options import AS_KUBECTL, BuildOptions


def test_builds_are_those_of_kubectl_by_default() -> None:
    assert BuildOptions() == AS_KUBECTL == BuildOptions(has_load_restrictor=True, has_helm=True)
