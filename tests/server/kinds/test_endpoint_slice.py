"""The old topology of EndpointSlices, as seen on Kubernetes 1.36.3."""

import pytest

from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.server.kinds.endpoint_slice import prepare


@pytest.mark.parametrize(
    ("old", "after"),
    [
        pytest.param(None, {"addresses": ["192.0.2.1"]}, id="new"),
        pytest.param(
            {"endpoints": [{"addresses": ["192.0.2.1"], "deprecatedTopology": {"a": "b"}}]},
            {"addresses": ["192.0.2.1"], "deprecatedTopology": {"a": "b"}},
            id="endpoints as they were",
        ),
    ],
)
def test_the_old_topology_of_endpoints(old: JsonObject | None, after: JsonObject) -> None:
    new = {"endpoints": [{"addresses": ["192.0.2.1"], "deprecatedTopology": {"a": "b"}}]}

    assert prepare(new, old, 36)["endpoints"] == [after]
