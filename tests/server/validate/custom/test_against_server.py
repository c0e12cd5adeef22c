"""The recordings of custom resources, played again to a real server."""

import time
from collections.abc import Iterator

import pytest

from tests.cluster.cluster import Cluster
from tests.server.validate.custom.recorded import BAD_REQUEST, Case, cases, definition

LAMPS = "/apis/x.io/v1/lamps"
DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
STRICT = "dryRun=All&fieldValidation=Strict"


@pytest.fixture(name="lamps", scope="session")
def _lamps(cluster: Cluster) -> Iterator[str]:
    """Return where resources of the kind are, once the server serves them."""
    reply = cluster.post(DEFINITIONS, definition())
    assert reply.ok, reply.json
    while not cluster.get(LAMPS).ok:
        time.sleep(0.1)
    yield LAMPS
    cluster.delete(f"{DEFINITIONS}/lamps.x.io")


@pytest.mark.parametrize("case", cases())
def test_the_server_answers_as_recorded(cluster: Cluster, lamps: str, case: Case) -> None:
    if not cluster.version.startswith("v1.36."):
        pytest.skip("the recordings are those of 1.36")
    if case.then is None:
        reply = cluster.post(f"{lamps}?{STRICT}", case.manifest)
    else:
        assert cluster.post(lamps, case.manifest).ok
        reply = cluster.patch(f"{lamps}/x?{STRICT}", {"spec": case.then})
        cluster.delete(f"{lamps}/x")
    found = reply.json.get("details", {}).get("causes", []) if not reply.ok else []
    causes = sorted((cause.get("field", ""), cause["reason"], cause["message"]) for cause in found)

    assert (0 if reply.ok else reply.status) == case.status
    assert case.status == BAD_REQUEST or tuple(causes) == case.causes
