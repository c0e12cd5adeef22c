import pytest

from kubectl_applylint.core.values import JsonObject
from tests.server.defaults.support import defaulted_spec

EACH = {"type": "RollingUpdate", "rollingUpdate": {"maxUnavailable": 1, "maxSurge": 0}}


@pytest.mark.parametrize(
    ("strategy", "expected"),
    [
        pytest.param({}, EACH, id="nothing written"),
        pytest.param({"type": "OnDelete"}, {"type": "OnDelete"}, id="on delete"),
        pytest.param(
            {"type": "OnDelete", "rollingUpdate": {"maxUnavailable": 2}},
            {"type": "OnDelete", "rollingUpdate": {"maxUnavailable": 2}},
            id="left over block is not filled in",
        ),
    ],
)
def test_a_daemon_sets_update_strategy(strategy: JsonObject, expected: JsonObject) -> None:
    assert defaulted_spec("apps/v1", "DaemonSet", {"updateStrategy": strategy})["updateStrategy"] == expected
