"""The phase of volumes, as seen on Kubernetes 1.36.3."""

import pytest

from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.server.kinds.persistent_volume import NOW, prepare, prepare_status

SINCE = "lastPhaseTransitionTime"


@pytest.mark.parametrize(
    ("old", "after"),
    [
        pytest.param(None, {"phase": "Pending", SINCE: NOW}, id="new"),
        pytest.param({"status": {"phase": "Bound"}}, {"phase": "Bound"}, id="bound"),
    ],
)
def test_a_new_volume_is_pending(old: JsonObject | None, after: JsonObject) -> None:
    new = {"status": {"phase": "Bound"}}

    assert prepare(new, old, 36) == {"status": after}


@pytest.mark.parametrize(
    ("written", "after"),
    [
        pytest.param({"phase": "Bound", SINCE: "a"}, {"phase": "Bound", SINCE: "a"}, id="the phase stays"),
        pytest.param({"phase": "Released", SINCE: "a"}, {"phase": "Released", SINCE: NOW}, id="the phase changes"),
        pytest.param({"phase": "Released", SINCE: "b"}, {"phase": "Released", SINCE: "b"}, id="the time is written"),
    ],
)
def test_the_time_of_a_new_phase(written: JsonObject, after: JsonObject) -> None:
    assert prepare_status({"status": written}, {"status": {"phase": "Bound", SINCE: "a"}}) == {"status": after}
