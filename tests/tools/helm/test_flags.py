import pytest

from kubectl_applylint.tools.helm.flags import HelmFlags, ServerSide, read_flags


@pytest.mark.parametrize(
    ("words", "flags"),
    [
        ((), HelmFlags()),
        (("--force", "--take-ownership"), HelmFlags(force_replace=True, take_ownership=True)),
        (("--force-replace", "--cleanup-on-fail"), HelmFlags(force_replace=True, cleanup_on_fail=True)),
        (("--server-side=true", "--server-side=false"), HelmFlags(ServerSide.FALSE)),
        (("--force-conflicts",), HelmFlags(force_conflicts=True)),
    ],
)
def test_flags_are_read_as_they_are_typed(words: tuple[str, ...], flags: HelmFlags) -> None:
    assert read_flags(words, is_helm4=True) == flags


def test_helm3_does_not_have_the_flags_of_server_side_apply() -> None:
    with pytest.raises(ValueError, match=r"\A--force-conflicts\Z"):
        read_flags(("--force", "--force-conflicts"), is_helm4=False)
