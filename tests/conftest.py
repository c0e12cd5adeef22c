"""The real API server, once a session, for the tests that ask for it."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

import pytest
from hypothesis import HealthCheck, settings

from tests.cluster.audit import misdeeds
from tests.cluster.build import Unavailable
from tests.cluster.cluster import Cluster, any_kubectl, started
from tests.cluster.proxy import Recording, recording

# A busy machine draws examples slowly, which says nothing about the code. CI draws more than somebody who waits wants.
settings.register_profile(
    "any machine",
    deadline=None,
    max_examples=100 if os.environ.get("CI") else 20,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("any machine")

# What people are told depends on the locale, and most tests are about English.
os.environ["LC_ALL"] = "C.UTF-8"
# Nor is the configuration of whoever runs them followed.
os.environ["XDG_CONFIG_HOME"] = os.devnull

CLUSTER_FIXTURES = {"cluster", "kubectl"}


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what asks for the real programs, so that ``-m 'not cluster'`` is sure to leave it out."""
    for item in items:
        if CLUSTER_FIXTURES & set(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.cluster)


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    """The API server of this session; tests that write keep to namespaces of their own.

    What it has seen of applylint in the whole session was sent by users who may only read, and only read.
    """
    try:
        with started(os.environ) as running:
            yield running
            seen = running.audit.read_text().splitlines() if running.audit else []
            assert misdeeds(seen) == []
    except Unavailable as reason:
        _do_without(reason)


@pytest.fixture(scope="session")
def kubectl() -> Path:
    """The real kubectl."""
    try:
        return any_kubectl(os.environ)
    except Unavailable as reason:
        _do_without(reason)


@pytest.fixture(scope="session")
def reading(cluster: Cluster) -> Iterator[tuple[Cluster, Recording]]:
    """The cluster as a user has it who may only read, behind a proxy that remembers what was sent."""
    with cluster.user() as user, recording(user.api) as proxy:
        yield user.reached_through(proxy.url), proxy


@pytest.fixture
def reader(reading: tuple[Cluster, Recording]) -> Iterator[Cluster]:
    """The cluster as applylint gets it: with the role of ``docs/rights.md``, and nothing but GET passes unnoticed."""
    user, proxy = reading
    proxy.take()
    yield user
    assert [f"{exchange.method} {exchange.path}" for exchange in proxy.take() if exchange.method != "GET"] == []


@pytest.fixture
def namespace(cluster: Cluster) -> Iterator[str]:
    """A namespace of the test's own."""
    name = cluster.make_namespace()
    yield name
    cluster.drop_namespace(name)


def _do_without(reason: Unavailable) -> NoReturn:
    """Skip the tests on a machine that lacks something, fail them in CI, where all of them have to run."""
    if os.environ.get("CI"):
        pytest.fail(str(reason), pytrace=False)
    pytest.skip(str(reason))
