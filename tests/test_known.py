"""What a run gets to know of a cluster: from a server that does as it is told, and from a snapshot."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

from kubectl_applylint.known import in_cluster, in_snapshot, nobody
from kubectl_applylint.schema.names import Spelled
from kubectl_applylint.sources.cluster import Cluster, open_cluster
from kubectl_applylint.sources.connection import Connection, Surroundings
from kubectl_applylint.state import LAST_APPLIED, Absent, ObjectRef, Present, Unknown
from kubectl_applylint.values import JsonObject
from tests.sources.apiserver import BASICS, Answering, ApiServer, Reply, absent, serving, status

LAMP = ObjectRef("x.io/v1", "Lamp", "shop", "lamp")
WEB = ObjectRef("v1", "ConfigMap", "shop", "web")
MAP = "/api/v1/namespaces/shop/configmaps/web"


@contextmanager
def asked(folder: Path, replies: Mapping[str, Answering]) -> Iterator[tuple[Cluster, ApiServer]]:
    with serving({**BASICS, **replies}) as server:
        found = open_cluster(Connection(server=server.url), Surroundings({}, str(folder)))
        assert isinstance(found, Cluster)
        yield found, server
        found.close()


def test_a_snapshot_finds_objects_by_the_names_of_their_kinds(tmp_path: Path) -> None:
    header = {"namespace": "shop", "name": "web"}
    items = [
        {"apiVersion": "events.k8s.io/v1", "kind": "Event", "metadata": header},
        {"apiVersion": "v1", "kind": "Event", "metadata": header},
        {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {**header, "namespace": "other"}},
        {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "web"}},
        {"apiVersion": "x.io/v1", "kind": "Lamp", "metadata": header},
    ]
    (tmp_path / "s.json").write_text(json.dumps({"kind": "List", "apiVersion": "v1", "items": items}))
    known = in_snapshot(str(tmp_path / "s.json"))

    found = {
        word: [item["apiVersion"] for item in known.named(Spelled(word, "web"), "shop").objects]
        for word in ("ev", "events.events.k8s.io", "deploy", "ns", "lamp")
    }

    assert found == {
        "ev": ["v1"],
        "events.events.k8s.io": ["events.k8s.io/v1"],
        "deploy": [],
        "ns": ["v1"],
        "lamp": ["x.io/v1"],
    }


def test_nobody_finds_nothing() -> None:
    assert nobody().named(Spelled("ns", "web"), "shop").objects == ()


def test_a_cluster_introduces_itself(tmp_path: Path) -> None:
    with asked(tmp_path, {}) as (cluster, server):
        known = in_cluster(cluster)

    assert str(known) == f"cluster {server.url} (v1.36.3)"
    assert (known.version, known.namespace, known.problems) == ("v1.36.3", "default", ())
    assert known.state(Absent()).origin == f"cluster {server.url}"


def test_kinds_that_the_run_defines_have_no_objects_yet(tmp_path: Path) -> None:
    with asked(tmp_path, {MAP: absent("configmaps", "web")}) as (cluster, _):
        known = in_cluster(cluster)
        undefined, defined = (known.states([WEB, LAMP], kinds) for kinds in ((), [("x.io/v1", "Lamp")]))

    assert isinstance(undefined.states[LAMP], Unknown)
    assert len(undefined.problems) == 1
    assert (defined.states, defined.problems) == ({WEB: Absent(), LAMP: Absent()}, ())


def test_a_defined_kind_that_is_served_already_is_asked_for(tmp_path: Path) -> None:
    widget = ObjectRef("example.com/v1", "Widget", "shop", "w")
    path = "/apis/example.com/v1/namespaces/shop/widgets/w"
    with asked(tmp_path, {path: Reply(200, {"size": 3})}) as (cluster, _):
        found = in_cluster(cluster).states([widget], [("example.com/v1", "Widget")])

    assert found.states == {widget: Present({"size": 3})}


def test_without_discovery_even_a_defined_kind_is_unknown(tmp_path: Path) -> None:
    with asked(tmp_path, {"/apis": status(500, "InternalError", "down")}) as (cluster, _):
        found = in_cluster(cluster).states([LAMP], [("x.io/v1", "Lamp")])

    assert isinstance(found.states[LAMP], Unknown)
    assert len(found.problems) == 1


def named(name: str, namespace: str, *, applied: bool = True, app: str = "web") -> JsonObject:
    annotations = {"annotations": {LAST_APPLIED: "{}"}} if applied else {}
    metadata = {"name": name, "namespace": namespace, "labels": {"app": app}, **annotations}
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata}


@pytest.mark.parametrize(
    ("namespace", "selector", "names"),
    [
        ("", "", ["d", "a", "b", "c"]),
        ("shop", "", ["a", "b", "c"]),
        ("shop", "app=api", ["c"]),
        ("none", "", []),
    ],
    ids=["all", "of a namespace", "selected", "none"],
)
def test_a_snapshot_tells_what_was_applied(tmp_path: Path, namespace: str, selector: str, names: list[str]) -> None:
    items = [
        named("b", "shop"),
        named("a", "shop"),
        named("c", "shop", app="api"),
        named("d", "bank"),
        named("e", "shop", applied=False),
    ]
    file = tmp_path / "prod.json"
    file.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": items}))

    found = in_snapshot(str(file)).applied(namespace, selector)

    assert [item["metadata"]["name"] for item in found.objects] == names
    assert found.problems == ()


def test_nobody_knows_nothing_and_says_why() -> None:
    known = nobody("asleep")

    assert known.states([WEB], ()).states == {WEB: Unknown("asleep")}
    assert (known.applied("", "").objects, known.definitions([]).objects, str(known)) == ((), (), "")
