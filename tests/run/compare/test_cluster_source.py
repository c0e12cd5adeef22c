"""Reads of a run from a cluster, against a server with prepared answers."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from kubectl_applylint.core.state import Absent, ObjectRef, Present, Unknown
from kubectl_applylint.run.compare.cluster_source import in_cluster
from kubectl_applylint.sources.cluster.cluster import Cluster, open_cluster
from kubectl_applylint.sources.cluster.connection import Connection, Environment
from tests.sources.apiserver import BASICS, Answering, ApiServer, Reply, not_found, serving, status

LAMP = ObjectRef("x.io/v1", "Lamp", "shop", "lamp")
WEB = ObjectRef("v1", "ConfigMap", "shop", "web")
MAP = "/api/v1/namespaces/shop/configmaps/web"


@contextmanager
def open_served_cluster(folder: Path, replies: Mapping[str, Answering]) -> Iterator[tuple[Cluster, ApiServer]]:
    with serving({**BASICS, **replies}) as server:
        found = open_cluster(Connection(server=server.url), Environment({}, str(folder)))
        assert isinstance(found, Cluster)
        yield found, server
        found.close()


def test_a_cluster_introduces_itself(tmp_path: Path) -> None:
    with open_served_cluster(tmp_path, {}) as (cluster, server):
        known = in_cluster(cluster)

    assert str(known) == f"cluster {server.url} (v1.36.3)"
    assert (known.version, known.namespace, known.problems) == ("v1.36.3", "default", ())
    assert known.state(Absent()).origin == f"cluster {server.url}"


def test_kinds_that_the_run_defines_have_no_objects_yet(tmp_path: Path) -> None:
    with open_served_cluster(tmp_path, {MAP: not_found("configmaps", "web")}) as (cluster, _):
        known = in_cluster(cluster)
        undefined, defined = (known.states([WEB, LAMP], kinds) for kinds in ((), [("x.io/v1", "Lamp")]))

    assert isinstance(undefined.states[LAMP], Unknown)
    assert (undefined.problems, list(undefined.unserved)) == ((), [("x.io/v1", "Lamp")])
    assert (defined.states, defined.problems) == ({WEB: Absent(), LAMP: Absent()}, ())


def test_a_defined_kind_that_is_served_already_is_asked_for(tmp_path: Path) -> None:
    widget = ObjectRef("example.com/v1", "Widget", "shop", "w")
    path = "/apis/example.com/v1/namespaces/shop/widgets/w"
    live = {"metadata": {"name": "w"}, "size": 3}
    with open_served_cluster(tmp_path, {path: Reply(200, live)}) as (cluster, _):
        found = in_cluster(cluster).states([widget], [("example.com/v1", "Widget")])

    assert found.states == {widget: Present(live)}


def test_without_discovery_even_a_defined_kind_is_unknown(tmp_path: Path) -> None:
    with open_served_cluster(tmp_path, {"/apis": status(500, "InternalError", "down")}) as (cluster, _):
        found = in_cluster(cluster).states([LAMP], [("x.io/v1", "Lamp")])

    assert isinstance(found.states[LAMP], Unknown)
    assert len(found.problems) == 1
