"""Fixtures of the harness."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cluster.cluster import Cluster
from tests.cluster.desk import Desk, open_desk
from tests.cluster.proxy import Recording, recording


@pytest.fixture(scope="session")
def proxy(cluster: Cluster) -> Iterator[Recording]:
    """One proxy for all stories."""
    with recording(cluster.api) as running:
        yield running


@pytest.fixture(name="desk")
def _desk(cluster: Cluster, reader: Cluster, namespace: str, tmp_path: Path) -> Desk:
    """A desk in a fresh namespace."""
    return open_desk(cluster, reader, namespace, tmp_path)
