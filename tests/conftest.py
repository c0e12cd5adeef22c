"""The real API server, once a session, for the tests that ask for it.

What starts it is imported by the fixtures: most files of tests need none of it, and start sooner without it.
"""

import gc
import os
from collections import Counter
from collections.abc import Generator, Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import pytest
from hypothesis import HealthCheck, settings

if TYPE_CHECKING:
    from tests.cluster.cluster import Cluster
    from tests.cluster.proxy import Recording

# A busy machine draws examples slowly, which says nothing about the code. CI draws more than a developer can wait for.
settings.register_profile(
    "any machine",
    deadline=None,
    max_examples=100 if os.environ.get("CI") else 20,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("any machine")

# The text of reports depends on the locale, and most tests are about English.
os.environ["LC_ALL"] = "C.UTF-8"
# The configuration of the user who runs them is not followed either.
os.environ["XDG_CONFIG_HOME"] = os.devnull
os.environ["KUBERC"] = "off"
# What an earlier run has kept says nothing about the code.
os.environ["APPLYLINT_CACHE_DIR"] = ""
# A new environment runs a tenth of what is installed into it. For this option of pip, false means true.
os.environ["PIP_NO_COMPILE"] = "false"
# kubectl and the others are started thousands of times, and end before they need memory back.
os.environ["GOGC"] = "400"

CLUSTER_FIXTURES = {"cluster", "kubectl", "helm", "helm_programs", "flux", "argocd", "kapp", "jsonnet"}


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark tests of the real programs as ``cluster``, and those after a sample as ``slow``; start long ones early.

    Otherwise one process runs a long test at the end, and the others wait for it.
    """
    items.sort(key=_seconds, reverse=True)
    seen: Counter[str] = Counter()
    for item in items:
        if CLUSTER_FIXTURES & set(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.cluster)
        sample = item.get_closest_marker("sampled")
        if sample:
            test = item.nodeid.partition("[")[0]
            seen[test] += 1
            if seen[test] > sample.args[0]:
                item.add_marker(pytest.mark.slow)


def _seconds(item: pytest.Item) -> int:
    """Return how long the tests take that an item belongs to, if that matters."""
    marker = item.get_closest_marker("early")
    return int(marker.args[0]) if marker else 0


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collect without the garbage collector, and leave what was collected out of its later searches.

    Tests, their modules and tables live until the end: searching them took a quarter of the time to collect.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        # As the program sets it: what tests run of it would change it for all that come after them.
        gc.set_threshold(100_000, 50, 50)
        gc.enable()


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish() -> None:
    """Search for garbage once before pytest, which looks for faults in destructors, and Python both search again."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session")
def cluster() -> "Iterator[Cluster]":
    """The API server of this session; tests that write keep to namespaces of their own.

    What it has seen of applylint in the whole session was sent by users who may only read, and only read.
    """
    from tests.cluster.audit import misdeeds  # noqa: PLC0415  see the module
    from tests.cluster.build import Unavailable  # noqa: PLC0415  see the module
    from tests.cluster.cluster import start_cluster  # noqa: PLC0415  see the module

    try:
        with start_cluster(os.environ) as running:
            yield running
            seen = running.audit.read_text().splitlines() if running.audit else []
            assert misdeeds(seen) == []
    except Unavailable as reason:
        _do_without(reason)


@pytest.fixture(scope="session")
def kubectl() -> Path:
    """The real kubectl."""
    from tests.cluster.build import Unavailable  # noqa: PLC0415  see the module
    from tests.cluster.cluster import any_kubectl  # noqa: PLC0415  see the module

    try:
        return any_kubectl(os.environ)
    except Unavailable as reason:
        _do_without(reason)


@pytest.fixture(scope="session")
def helm() -> Path:
    """The real Helm."""
    from tests.cluster import build  # noqa: PLC0415  see the module

    try:
        return build.helm(os.environ)
    except build.Unavailable as reason:
        _do_without(reason)


@pytest.fixture(scope="session")
def helm_programs() -> Mapping[str, Path]:
    """The official Helm of each version whose upgrades are predicted, by the name of the applier."""
    from tests.cluster.build import Unavailable  # noqa: PLC0415  see the module
    from tests.cluster.helm_programs import HELMS, helm_program  # noqa: PLC0415  see the module

    try:
        return {applier: helm_program(applier, os.environ) for applier in HELMS}
    except Unavailable as reason:
        _do_without(reason)


def _program(name: str) -> Path:
    """Return what the module of ``tests.cluster`` builds that is called like its function."""
    from tests.cluster.build import Unavailable  # noqa: PLC0415  see the module

    try:
        found: Path = getattr(import_module(f"tests.cluster.{name}"), name)(os.environ)
    except Unavailable as reason:
        _do_without(reason)
    return found


@pytest.fixture(scope="session")
def metacontroller_programs() -> Path:
    """The folder with the real Metacontroller."""
    return _program("metacontroller_programs")


@pytest.fixture(scope="session")
def flux() -> Path:
    """The program that reconciles a set as Flux does."""
    return _program("flux_program")


@pytest.fixture(scope="session")
def helm_controller() -> Path:
    """The program that does what helm-controller does with a release."""
    return _program("helm_controller_program")


@pytest.fixture(scope="session")
def kapp() -> Path:
    """The real kapp."""
    return _program("kapp_program")


@pytest.fixture(scope="session")
def jsonnet() -> Path:
    """The real jsonnet."""
    return _program("jsonnet_program")


@pytest.fixture(scope="session")
def argocd() -> Path:
    """The program that syncs a set as Argo CD does."""
    return _program("argocd_program")


@pytest.fixture(scope="session")
def chromium() -> Path:
    """A Chromium."""
    from tests import browser  # noqa: PLC0415  see the module
    from tests.cluster.build import Unavailable  # noqa: PLC0415  see the module

    try:
        return browser.chromium()
    except Unavailable as reason:
        _do_without(reason)


@pytest.fixture(scope="session")
def axe_script() -> str:
    """The script of axe-core."""
    from tests import browser  # noqa: PLC0415  see the module
    from tests.cluster.build import Unavailable  # noqa: PLC0415  see the module

    try:
        return browser.axe(os.environ)
    except Unavailable as reason:
        _do_without(reason)


@pytest.fixture(scope="session")
def reading(cluster: "Cluster") -> "Iterator[tuple[Cluster, Recording]]":
    """The cluster as a user has it who may only read, behind a proxy that remembers what was sent."""
    from tests.cluster.proxy import recording  # noqa: PLC0415  see the module

    with cluster.user() as user, recording(user.api) as proxy:
        yield user.reached_through(proxy.url), proxy


@pytest.fixture
def reader(reading: "tuple[Cluster, Recording]") -> "Iterator[Cluster]":
    """The cluster as applylint gets it: with the role of ``docs/rights.md``, and nothing but GET passes unnoticed."""
    user, proxy = reading
    proxy.take()
    yield user
    assert [f"{exchange.method} {exchange.path}" for exchange in proxy.take() if exchange.method != "GET"] == []


@pytest.fixture
def namespace(cluster: "Cluster") -> Iterator[str]:
    """A namespace of the test's own."""
    name = cluster.make_namespace()
    yield name
    cluster.drop_namespace(name)


def _do_without(reason: Exception) -> NoReturn:
    """Skip the tests on a machine without a required program; fail them in CI, where all of them have to run."""
    if os.environ.get("CI"):
        pytest.fail(str(reason), pytrace=False)
    pytest.skip(str(reason))
