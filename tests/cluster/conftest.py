"""What the tests of the harness share."""

from collections.abc import Iterator

import pytest

from tests.cluster.cluster import Cluster
from tests.cluster.proxy import Recording, recording


@pytest.fixture(scope="session")
def proxy(cluster: Cluster) -> Iterator[Recording]:
    """One proxy for all stories."""
    with recording(cluster.api) as running:
        yield running
