"""What an applier is asked to do."""

import pytest

from kubectl_applylint.appliers.request import Applier, ApplyFlags


@pytest.mark.parametrize(
    ("flags", "applier", "manager", "typed"),
    [
        pytest.param(ApplyFlags(), Applier.KUBECTL_CLIENT, "kubectl-client-side-apply", "", id="plain"),
        pytest.param(ApplyFlags(True), Applier.KUBECTL_SERVER, "kubectl", " --server-side", id="server-side"),
        pytest.param(
            ApplyFlags(True, True, "ci"),
            Applier.KUBECTL_SERVER,
            "ci",
            " --server-side --force-conflicts --field-manager=ci",
            id="all",
        ),
    ],
)
def test_flags_tell_who_applies_and_how(flags: ApplyFlags, applier: Applier, manager: str, typed: str) -> None:
    assert (flags.applier, flags.manager, str(flags)) == (applier, manager, typed)
