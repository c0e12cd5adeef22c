"""From flags and kubeconfig to live objects, against a server with prepared answers."""

import json
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from kubectl_applylint.core.state import LAST_APPLIED, Absent, ObjectRef, Present, Unknown
from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.schema.names import ObjectArgument
from kubectl_applylint.sources.cluster.cluster import Cluster, open_cluster
from kubectl_applylint.sources.cluster.connection import Connection, Environment
from kubectl_applylint.sources.cluster.http_result import NoCluster
from tests.sources.apiserver import (
    BASICS,
    Answering,
    ApiServer,
    Reply,
    Request,
    aggregated_discovery,
    forbidden,
    not_found,
    pem,
    resource,
    serving,
    status,
)

pytestmark = pytest.mark.slow

PODS, MAPS = "/api/v1/namespaces/shop/pods", "/api/v1/namespaces/shop/configmaps"


def write_kubeconfig(folder: Path, url: str, user: JsonObject | None = None, **cluster: Json) -> str:
    path = folder / "config"
    content = {
        "current-context": "prod",
        "contexts": [{"name": "prod", "context": {"cluster": "c", "user": "jane", "namespace": "shop"}}],
        "clusters": [{"name": "c", "cluster": {"server": url, **cluster}}],
        "users": [{"name": "jane", "user": user or {}}],
    }
    path.write_text(json.dumps(content))
    return str(path)


def open_at(folder: Path, url: str, **flags: Any) -> Cluster | NoCluster:
    kubeconfig = write_kubeconfig(folder, url)
    return open_cluster(Connection(kubeconfig=kubeconfig, **flags), Environment({}, str(folder)))


@contextmanager
def cluster_of(folder: Path, replies: Mapping[str, Answering], **flags: Any) -> Iterator[tuple[Cluster, ApiServer]]:
    with serving({**BASICS, **replies}) as server:
        cluster = open_at(folder, server.url, **flags)
        assert isinstance(cluster, Cluster), cluster
        try:
            yield cluster, server
        finally:
            cluster.close()


def pod(name: str, namespace: str = "") -> ObjectRef:
    return ObjectRef("v1", "Pod", namespace, name)


def config_map(name: str, namespace: str = "") -> ObjectRef:
    return ObjectRef("v1", "ConfigMap", namespace, name)


def object_named(name: str, **annotations: str) -> JsonObject:
    return {"metadata": {"name": name, "namespace": "shop", "annotations": annotations}}


def applied_object(name: str, api_version: str = "v1") -> JsonObject:
    return {
        "metadata": {
            "name": name,
            "namespace": "shop",
            "annotations": {LAST_APPLIED: json.dumps({"apiVersion": api_version})},
        }
    }


def list_reply(*items: JsonObject) -> Reply:
    return Reply(200, {"metadata": {}, "items": list(items)})


def messages(problems: Any, server: ApiServer) -> list[str]:
    return [problem.message.replace(server.url, "SERVER") for problem in problems]


def test_a_cluster_that_answers_is_known_by_context_version_and_namespace(tmp_path: Path) -> None:
    with cluster_of(tmp_path, {}) as (cluster, server):
        assert (cluster.name, cluster.version, cluster.default_namespace) == ("cluster prod", "v1.36.3", "shop")
        assert cluster.kinds()["example.com/v1", "Widget"].resource == "widgets"

    assert server.requested_paths()[0] == "/version"


def test_present_absent_and_unknown(tmp_path: Path) -> None:
    replies = {
        f"{PODS}/web": Reply(200, {"metadata": {"name": "web"}}),
        f"{PODS}/gone": not_found("pods", "gone"),
        f"{PODS}/secret": forbidden("jane", "get", "pods", "shop"),
        "/api/v1/nodes/n": Reply(200, {"metadata": {"name": "n"}}),
        "/api/v1/namespaces/other/pods/web": Reply(200, {"metadata": {"name": "web", "namespace": "other"}}),
    }
    refs = [pod("web"), pod("gone"), pod("secret"), ObjectRef("v1", "Node", "ignored", "n"), pod("web", "other")]

    with cluster_of(tmp_path, replies) as (cluster, server):
        found = cluster.live([*refs, pod("web")])

    assert [found.states[ref] for ref in refs] == [
        Present({"metadata": {"name": "web"}}),
        Absent(),
        Unknown("forbidden: user jane cannot get pods in namespace shop"),
        Present({"metadata": {"name": "n"}}),
        Present({"metadata": {"name": "web", "namespace": "other"}}),
    ]
    assert messages(found.problems, server) == [
        "forbidden: user jane cannot get pods in namespace shop (1 object skipped)"
    ]


def test_objects_are_asked_for_in_the_version_of_the_manifest(tmp_path: Path) -> None:
    path = "/apis/autoscaling/v1/namespaces/shop/horizontalpodautoscalers/web"
    live: JsonObject = {"apiVersion": "autoscaling/v1", "metadata": {"name": "web"}}
    with cluster_of(tmp_path, {path: Reply(200, live)}) as (cluster, _):
        ref = ObjectRef("autoscaling/v1", "HorizontalPodAutoscaler", "", "web")

        assert cluster.live([ref]).states[ref] == Present(live)


@pytest.mark.parametrize(
    ("ref", "reason"),
    [
        (pod(""), "the manifest has no name"),
        (pod("a/b"), "the name is not valid"),
        (pod(".."), "the name is not valid"),
        (pod("a%2fb"), "the name is not valid"),
        (pod("web", "../x"), "the name is not valid"),
    ],
)
def test_names_that_no_object_can_have_are_not_asked_for(ref: ObjectRef, reason: str, tmp_path: Path) -> None:
    with cluster_of(tmp_path, {}) as (cluster, server):
        found = cluster.live([ref])

    assert (found.states[ref], found.problems) == (Unknown(reason), ())
    assert set(server.requested_paths()) == {"/version", "/api", "/apis"}


@pytest.mark.parametrize(
    ("name", "quoted"),
    [
        ("system:node", "system:node"),
        ("a?b#c", "a%3Fb%23c"),
        ("ä b", "%C3%A4%20b"),
        ("a\r\nb", "a%0D%0Ab"),
        ("a\\b", "a%5Cb"),
        pytest.param("a\ud800", "a%3F", id="half a character"),
    ],
)
def test_odd_names_reach_the_server_as_they_are(name: str, quoted: str, tmp_path: Path) -> None:
    live: JsonObject = {"metadata": {"name": name}}
    with cluster_of(tmp_path, {f"{PODS}/{quoted}": Reply(200, live)}) as (cluster, _):
        assert cluster.live([pod(name)]).states == {pod(name): Present(live)}


ODD: Mapping[str, JsonObject] = {
    "login": {"error": "login"},
    "nothing": {},
    "another kind": {"apiVersion": "v1", "kind": "Table", "metadata": {"name": "a", "namespace": "shop"}},
    "another version": {"apiVersion": "v2", "kind": "Pod", "metadata": {"name": "a"}},
    "another name": {"metadata": {"name": "b"}},
    "another namespace": {"metadata": {"name": "a", "namespace": "bank"}},
    "name of another type": {"metadata": {"name": ["a"]}},
    "namespace of another type": {"metadata": {"name": "a", "namespace": {}}},
    "labels of another type": {"metadata": {"name": "a", "labels": ["x"]}},
    "annotations of another type": {"metadata": {"name": "a", "annotations": {"x": 1}}},
    "managed fields of another type": {"metadata": {"name": "a", "managedFields": [1]}},
    "status": {"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure", "code": 404},
}


@pytest.mark.parametrize("body", ODD.values(), ids=ODD.keys())
def test_an_answer_that_is_no_such_object_leaves_it_unknown(body: JsonObject, tmp_path: Path) -> None:
    with cluster_of(tmp_path, {f"{PODS}/a": Reply(200, body)}) as (cluster, _):
        found = cluster.live([pod("a")])

    assert isinstance(found.states[pod("a")], Unknown)
    assert found.problems[0].message.startswith(
        "cannot read pods in namespace shop: the response is not the requested Pod"
    )


@pytest.mark.parametrize(
    "body",
    [
        {"error": "login"},
        {"items": []},
        {"metadata": {}},
        {"metadata": {}, "items": {}},
        {"metadata": {}, "items": "none"},
        {"metadata": {}, "items": [None]},
        {"metadata": {}, "items": ["a"]},
        {"metadata": {}, "items": [{"metadata": {"name": ["a"]}}]},
        {"metadata": {}, "items": [{"kind": "Node", "metadata": {"name": "a"}}]},
        {"metadata": {"continue": 7}, "items": []},
        {"metadata": {}, "items": [], "kind": "Pod"},
        {"metadata": {}, "items": [], "kind": {}},
        {"metadata": {}, "items": [], "kind": "Status"},
        {"metadata": {}, "items": [], "kind": "PodList", "apiVersion": "v2"},
    ],
    ids=str,
)
def test_an_answer_that_is_no_such_list_leaves_its_objects_unknown(body: JsonObject, tmp_path: Path) -> None:
    refs = [pod(name) for name in "abcd"]
    with cluster_of(tmp_path, {PODS: Reply(200, body)}) as (cluster, _):
        found = cluster.live(refs)

    assert all(isinstance(found.states[ref], Unknown) for ref in refs)
    assert found.problems[0].message.startswith(
        "cannot read pods in namespace shop: the response is not a list of pods"
    )


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"null",
        b"[]",
        b"<html>log in</html>",
        b'{"metadata": {"name": "a"}',
    ],
)
def test_a_404_or_200_from_another_server_is_ignored(body: bytes, tmp_path: Path) -> None:
    lookalike = {"details": {"name": "b"}}
    with cluster_of(tmp_path, {f"{PODS}/a": Reply(200, body), f"{PODS}/b": Reply(404, lookalike)}) as (cluster, _):
        found = cluster.live([pod("a"), pod("b")])

    assert all(isinstance(state, Unknown) for state in found.states.values())
    assert len(found.problems) == 2


def test_pages_that_never_end_are_reported(tmp_path: Path) -> None:
    page = Reply(200, {"metadata": {"continue": "again"}, "items": []})
    with cluster_of(tmp_path, {MAPS: page}) as (cluster, server):
        found = cluster.live([config_map(name) for name in "abcd"])

    assert messages(found.problems, server) == [
        "cannot read configmaps in namespace shop: the response is not a list of configmaps: its pages never end"
        " (4 objects skipped)"
    ]


@pytest.mark.parametrize("path", ["/version", "/api", "/apis"])
@pytest.mark.parametrize("body", [{"error": "login"}, {"items": {}}, {}], ids=str)
def test_a_server_that_is_no_api_server_is_no_empty_cluster(path: str, body: JsonObject, tmp_path: Path) -> None:
    form = {"Content-Type": "application/json;as=APIGroupDiscoveryList"} if path != "/version" else {}
    with serving({**BASICS, path: Reply(200, body, form)}) as server:
        write_kubeconfig(tmp_path, server.url)
        found = open_at(tmp_path, server.url)
        problems = found.live([pod("a")]).problems if isinstance(found, Cluster) else (found.problem,)

    assert len(problems) == 1
    assert "not a version" in problems[0].message or "API groups" in problems[0].message


def test_kinds_that_a_server_never_returns_are_absent_without_a_request(tmp_path: Path) -> None:
    ref = ObjectRef("v1", "Binding", "", "web")
    with cluster_of(tmp_path, {}) as (cluster, server):
        found = cluster.live([ref])

    assert (found.states, found.problems) == ({ref: Absent()}, ())
    assert set(server.requested_paths()) == {"/version", "/api", "/apis"}


def test_a_kind_that_is_not_served_is_distinguished_from_an_absent_object(tmp_path: Path) -> None:
    ref = ObjectRef("example.com/v2", "Widget", "", "web")
    with cluster_of(tmp_path, {}) as (cluster, _):
        found = cluster.live([ref, ObjectRef("example.com/v2", "Widget", "", "db")])

    reason = "the cluster has no kind Widget in example.com/v2, so kubectl apply rejects it"
    assert found.states[ref] == Unknown(reason)
    assert (found.problems, found.served) == ((), frozenset())
    assert found.unserved == {("example.com/v2", "Widget"): "the cluster serves Widget as example.com/v1"}


def test_a_group_whose_server_is_away_is_reported(tmp_path: Path) -> None:
    apis = {"items": [{"metadata": {"name": "m.io"}, "versions": [{"version": "v1", "freshness": "Stale"}]}]}
    form = {"Content-Type": "application/json;as=APIGroupDiscoveryList"}
    with cluster_of(tmp_path, {"/apis": Reply(200, apis, form)}) as (cluster, server):
        found = cluster.live([ObjectRef("m.io/v1", "PodMetrics", "", "web")])

    assert messages(found.problems, server) == [
        "the server behind m.io/v1 does not answer, so its kinds are unknown (1 object skipped)"
    ]


def test_two_hundred_objects_take_few_requests(tmp_path: Path) -> None:
    items = [{"metadata": {"name": f"o{number:03}"}} for number in range(50)]
    plurals = {"ConfigMap": MAPS, "Secret": "/api/v1/namespaces/shop/secrets", "Pod": PODS}
    replies = {path: list_reply(*items) for path in plurals.values()}
    deployments = "/apis/apps/v1/namespaces/shop/deployments"
    refs = [ObjectRef("v1", kind, "shop", item["metadata"]["name"]) for kind in plurals for item in items]
    refs += [ObjectRef("apps/v1", "Deployment", "shop", item["metadata"]["name"]) for item in items]

    with cluster_of(tmp_path, {**replies, deployments: list_reply(*items)}) as (cluster, server):
        found = cluster.live(refs)

    assert all(isinstance(state, Present) for state in found.states.values())
    assert len(server.requests) == 7
    assert {request.method for request in server.requests} == {"GET"}


def pages_of(count: int, size: int = 500) -> Answering:
    items = [applied_object(f"o{number:05}") for number in range(count)]

    def reply(request: Request) -> Reply:
        start = int(request.query.get("continue", "0"))
        end = start + size if "limit" in request.query else count
        metadata = {"continue": str(end), "remainingItemCount": count - end} if end < count else {}
        return Reply(200, {"metadata": metadata, "items": items[start:end]})

    return reply


@pytest.mark.slow
def test_ten_thousand_objects_do_not_take_long(tmp_path: Path) -> None:
    with cluster_of(tmp_path, {MAPS: pages_of(10_000)}) as (cluster, server):
        start = time.monotonic()
        found = cluster.live([config_map(f"o{number:05}") for number in range(10_000)])
        seconds = time.monotonic() - start

    assert sum(isinstance(state, Present) for state in found.states.values()) == 10_000
    assert len(server.requests) == 3 + 20
    assert seconds < 10


def test_a_list_that_expires_on_the_way_is_read_in_one_piece(tmp_path: Path) -> None:
    whole = pages_of(1200)

    def reply(request: Request) -> Reply:
        if "continue" in request.query:
            return status(410, "Expired", "The provided continue parameter is too old")
        assert callable(whole)
        return whole(request)

    with cluster_of(tmp_path, {MAPS: reply}) as (cluster, server):
        found = cluster.live([config_map(f"o{number:05}") for number in range(1200)])

    assert (len(found.states), found.problems) == (1200, ())
    assert [request.query for request in server.requests[3:]] == [
        {"limit": "500"},
        {"limit": "500", "continue": "500"},
        {},
    ]


@pytest.mark.parametrize(
    ("reply", "message"),
    [
        (forbidden("jane", "get", "pods", "shop"), "forbidden: user jane cannot get pods in namespace shop"),
        (
            status(500, "InternalError", "etcd is away"),
            "cannot read pods in namespace shop: SERVER answered 500 Internal Server Error: etcd is away",
        ),
        (
            Reply(200, {"a": "b"}, cut=3),
            "cannot read pods in namespace shop: the response of SERVER was truncated",
        ),
        (
            Reply(200, b"<html>", {"Content-Type": "text/html"}),
            "cannot read pods in namespace shop: SERVER answered with text/html that is not a JSON object",
        ),
        (Reply(hangs=True), "cannot read pods in namespace shop: SERVER did not answer within 0.3 s"),
        (Reply(drops=True), "cannot read pods in namespace shop: SERVER closed the connection without an answer"),
    ],
    ids=["403", "500", "truncated", "not JSON", "hangs", "drops"],
)
def test_a_kind_that_fails_is_reported_once_and_the_run_continues(reply: Reply, message: str, tmp_path: Path) -> None:
    replies = {
        **{f"{PODS}/p{number}": reply for number in range(3)},
        f"{MAPS}/web": Reply(200, {"metadata": {"name": "web"}}),
    }
    refs = [*(pod(f"p{number}") for number in range(3)), config_map("web")]

    with cluster_of(tmp_path, replies, request_timeout="300ms") as (cluster, server):
        found = cluster.live(refs)

    assert messages(found.problems, server) == [f"{message} (3 objects skipped)"]
    assert [type(found.states[ref]) for ref in refs] == [Unknown, Unknown, Unknown, Present]


def test_a_token_that_runs_out_meanwhile_ends_the_questions(tmp_path: Path) -> None:
    def reply(request: Request) -> Reply:
        return status(401, "Unauthorized", "Unauthorized")

    with cluster_of(tmp_path, {MAPS: reply, PODS: reply}) as (cluster, server):
        refs = [*(config_map(f"o{number}") for number in range(9)), *(pod(f"o{number}") for number in range(9))]
        found = cluster.live(refs)

    assert messages(found.problems, server) == [
        "SERVER does not accept the credentials of user 'jane' (401): they have expired or are wrong"
        " (18 objects skipped)"
    ]


@pytest.mark.slow
def test_a_server_that_falls_silent_is_not_waited_for_kind_by_kind(tmp_path: Path) -> None:
    kinds = [resource(f"k{number}", f"K{number}") for number in range(40)]
    paths = [f"/apis/many.io/v1/namespaces/shop/k{number}/x" for number in range(40)]
    replies: dict[str, Answering] = {"/apis": aggregated_discovery({"many.io": {"v1": kinds}})}
    replies |= dict.fromkeys(paths, Reply(hangs=True))

    with cluster_of(tmp_path, replies, request_timeout="300ms") as (cluster, server):
        found = cluster.live([ObjectRef("many.io/v1", f"K{number}", "", "x") for number in range(40)])
        asked = len([path for path in server.requested_paths() if path in paths])

    assert messages(found.problems, server) == [
        "cannot read k0.many.io, k1.many.io, k2.many.io, k3.many.io and 36 more kinds in namespace shop:"
        " SERVER did not answer within 0.3 s (40 objects skipped)"
    ]
    assert asked <= 16


def test_an_object_that_is_deleted_meanwhile_is_absent(tmp_path: Path) -> None:
    first = {
        "metadata": {"continue": "x", "remainingItemCount": 4000},
        "items": [object_named("o0"), object_named("o1")],
    }
    replies = {
        MAPS: Reply(200, first),
        f"{MAPS}/o2": not_found("configmaps", "o2"),
        f"{MAPS}/o3": Reply(200, object_named("o3")),
    }
    refs = [config_map(f"o{number}") for number in range(4)]

    with cluster_of(tmp_path, replies) as (cluster, _):
        found = cluster.live(refs)

    assert [type(found.states[ref]) for ref in refs] == [Present, Present, Absent, Present]
    assert found.problems == ()


@pytest.mark.parametrize(
    ("reply", "message"),
    [
        (status(401, "Unauthorized", "Unauthorized"), "SERVER does not accept the credentials of user 'jane' (401)"),
        (status(500, "InternalError", "down"), "SERVER answered 500 Internal Server Error"),
        (Reply(200, b"<html>", {"Content-Type": "text/html"}), "SERVER answered with text/html that is not a JSON"),
        (Reply(200, {"a": 1}, cut=2), "the response of SERVER was truncated"),
        (Reply(hangs=True), "SERVER did not answer within 0.3 s"),
        (Reply(404, b"not here"), "SERVER answered 404 Not Found"),
    ],
    ids=["expired token", "500", "no API server", "truncated", "hangs", "404"],
)
def test_a_server_without_a_version_is_not_a_cluster(reply: Reply, message: str, tmp_path: Path) -> None:
    with serving({"/version": reply}) as server:
        found = open_at(tmp_path, server.url, request_timeout="300ms")

    assert isinstance(found, NoCluster)
    assert not found.is_usage_error
    assert found.problem.where == "cluster prod"
    assert found.problem.message.replace(server.url, "SERVER").startswith(message)


def test_a_version_that_may_not_be_asked_is_no_hindrance(tmp_path: Path) -> None:
    replies = {"/version": forbidden("jane", "get", "/version", ""), f"{PODS}/web": Reply(200, object_named("web"))}
    with cluster_of(tmp_path, replies) as (cluster, _):
        assert (cluster.version, len(cluster.problems)) == ("", 1)
        assert cluster.live([pod("web")]).problems == ()


def test_a_wrong_authority_is_reported(tmp_path: Path) -> None:
    with serving(BASICS, "server") as server:
        kubeconfig = write_kubeconfig(tmp_path, server.url, {}, **{"certificate-authority": pem("other-authority.crt")})
        found = open_cluster(Connection(kubeconfig=kubeconfig), Environment({}, str(tmp_path)))

    assert isinstance(found, NoCluster)
    assert found.problem.message.endswith("is signed by an authority that is not trusted")


def test_a_refused_connection_is_reported(tmp_path: Path) -> None:
    with serving({}) as server:
        url = server.url
    found = open_at(tmp_path, url)

    assert isinstance(found, NoCluster)
    assert found.problem.message == f"cannot reach {url}: it refused the connection"


def test_missing_and_broken_kubeconfigs_are_reported(tmp_path: Path) -> None:
    cluster_view = Environment({}, str(tmp_path))
    (tmp_path / "broken").write_text("{")

    nothing = open_cluster(Connection(), cluster_view)
    broken = open_cluster(Connection(kubeconfig=str(tmp_path / "broken")), cluster_view)
    serverless = open_cluster(Connection(kubeconfig=write_kubeconfig(tmp_path, "")), cluster_view)

    assert isinstance(nothing, NoCluster)
    assert isinstance(broken, NoCluster)
    assert isinstance(serverless, NoCluster)
    assert (nothing.is_usage_error, broken.is_usage_error, serverless.is_usage_error) == (False, True, False)
    assert serverless.problem.message == "the cluster has no server"


def test_a_failed_plugin_is_reported(tmp_path: Path) -> None:
    user = {"exec": {"apiVersion": "client.authentication.k8s.io/v1", "command": "no-such-login"}}
    kubeconfig = write_kubeconfig(tmp_path, "https://127.0.0.1:9", user)

    found = open_cluster(Connection(kubeconfig=kubeconfig), Environment({}, str(tmp_path)))

    assert isinstance(found, NoCluster)
    assert found.problem.message.startswith("the credential plugin 'no-such-login' of user 'jane' cannot be run")


def test_the_surroundings_of_the_process_are_the_default(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KUBECONFIG", str(tmp_path / "missing"))

    assert isinstance(open_cluster(Connection()), NoCluster)


def test_kinds_are_asked_for_once_and_remembered(tmp_path: Path) -> None:
    replies = {f"{PODS}/web": Reply(200, object_named("web"))}
    with cluster_of(tmp_path, replies) as (cluster, server):
        cluster.live([pod("web")])
        cluster.live([pod("web")])
        again = open_at(tmp_path, server.url)
        assert isinstance(again, Cluster)
        again.live([pod("web")])
        again.close()

    assert sorted(path for path in server.requested_paths() if path in ("/api", "/apis")) == ["/api", "/apis"]
    assert [path.name.startswith("127.0.0.1_") for path in tmp_path.glob(".cache/kubectl-applylint/discovery/*")] == [
        True
    ]


def test_a_kind_that_is_newer_than_the_cache_is_asked_for_once(tmp_path: Path) -> None:
    ref = ObjectRef("new.io/v1", "Thing", "", "x")
    with cluster_of(tmp_path, {}) as (cluster, server):
        cluster.kinds()
        server.replies["/apis"] = aggregated_discovery({"new.io": {"v1": [resource("things", "Thing")]}})
        server.replies["/apis/new.io/v1/namespaces/shop/things/x"] = Reply(200, object_named("x"))
        again = open_at(tmp_path, server.url)
        assert isinstance(again, Cluster)
        server.requests.clear()
        found = again.live([ref])
        again.live([ref, ObjectRef("none.io/v1", "Thing", "", "x")])
        again.close()

    assert found.states[ref] == Present(object_named("x"))
    assert server.requested_paths().count("/apis") == 1


def test_a_kind_that_went_is_forgotten_when_its_list_is_missing(tmp_path: Path) -> None:
    gone = aggregated_discovery({"example.com": {"v1": [resource("gadgets", "Gadget"), resource("widgets", "Widget")]}})
    left = aggregated_discovery({"example.com": {"v1": [resource("widgets", "Widget")]}})
    widgets = "/apis/example.com/v1/namespaces/shop/widgets"
    lists = {path: list_reply() for path in (MAPS, PODS, "/api/v1/namespaces/shop/secrets")}
    with cluster_of(tmp_path, {**lists, "/apis": gone, widgets: list_reply(applied_object("w"))}) as (cluster, server):
        cluster.kinds()
        server.replies["/apis"] = left
        again, later = open_at(tmp_path, server.url), open_at(tmp_path, server.url)
        assert isinstance(again, Cluster)
        assert isinstance(later, Cluster)
        server.requests.clear()
        found, by_kind = again.list_applied("shop"), later.objects_of_kinds(["gadgets", "widgets"], ["shop"])
        again.close()
        later.close()

    assert [item["metadata"]["name"] for item in (*found.objects, *by_kind.objects)] == ["w", "w"]
    assert (found.problems, by_kind.problems) == ((), ())
    assert server.requested_paths().count("/apis") == 1


def test_an_object_of_a_removed_kind_is_reported_after_another_discovery(tmp_path: Path) -> None:
    ref = ObjectRef("example.com/v1", "Widget", "shop", "w")
    with cluster_of(tmp_path, {}) as (cluster, server):
        cluster.kinds()
        server.replies["/apis"] = aggregated_discovery({})
        again = open_at(tmp_path, server.url)
        assert isinstance(again, Cluster)
        server.requests.clear()
        found = again.live([ref])
        again.close()

    assert found.problems == ()
    assert list(found.unserved) == [("example.com/v1", "Widget")]
    assert server.requested_paths().count("/apis") == 1


def test_kinds_that_are_wanted_and_newer_than_the_cache_are_asked_for(tmp_path: Path) -> None:
    with cluster_of(tmp_path, {}) as (cluster, server):
        cluster.kinds()
        server.replies["/apis"] = aggregated_discovery({"new.io": {"v1": [resource("things", "Thing")]}})
        again = open_at(tmp_path, server.url)
        assert isinstance(again, Cluster)
        remembered, fresh = again.kinds(), again.kinds([("new.io/v1", "Thing")])
        again.close()

    assert [("new.io/v1", "Thing") in kinds for kinds in (remembered, fresh)] == [False, True]


def test_without_discovery_all_is_unknown_and_reported_once(tmp_path: Path) -> None:
    with cluster_of(tmp_path, {"/apis": status(500, "InternalError", "down")}) as (cluster, server):
        found = cluster.live([pod("a"), pod("b")])
        others = (
            cluster.list_applied(),
            cluster.objects_of_kinds(["pods"], [""]),
            cluster.crds([("example.com/v1", "Widget")]),
        )

    assert messages(found.problems, server) == ["SERVER answered 500 Internal Server Error: down (2 objects skipped)"]
    assert [messages(each.problems, server) for each in others] == [
        ["SERVER answered 500 Internal Server Error: down"],
        ["SERVER answered 500 Internal Server Error: down"],
        [],
    ]
    assert cluster.kinds() == {}


DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"


def test_definitions_of_the_kinds_that_have_one_are_got(tmp_path: Path) -> None:
    definition = {"kind": "CustomResourceDefinition", "metadata": {"name": "widgets.example.com"}}
    replies = {
        f"{DEFINITIONS}/widgets.example.com": Reply(200, definition),
        f"{DEFINITIONS}/gadgets.example.com": not_found("customresourcedefinitions", "gadgets.example.com"),
    }
    asked = [("example.com/v1", "Widget"), ("example.com/v1", "Gadget"), ("apps/v1", "Deployment"), ("x/v1", "Y")]
    with cluster_of(tmp_path, replies) as (cluster, server):
        found = cluster.crds([*asked, *asked])

    assert (found.objects, found.problems) == ((definition,), ())
    assert sorted(path for path in server.requested_paths() if path.startswith(DEFINITIONS)) == sorted(replies)


def test_a_definition_that_may_not_be_read_is_reported(tmp_path: Path) -> None:
    replies = {f"{DEFINITIONS}/widgets.example.com": forbidden("jane", "get", "crds", "")}
    with cluster_of(tmp_path, replies) as (cluster, server):
        found = cluster.crds([("example.com/v1", "Widget")])

    assert messages(found.problems, server) == [
        "forbidden: user jane cannot get customresourcedefinitions.apiextensions.k8s.io (1 object skipped)"
    ]


def applied_replies(namespace: str) -> dict[str, Answering]:
    prefix = f"/namespaces/{namespace}" if namespace else ""
    plurals = ["/api/v1{}/configmaps", "/api/v1{}/pods", "/api/v1{}/secrets", "/apis/apps/v1{}/deployments"]
    plurals += ["/apis/autoscaling/v2{}/horizontalpodautoscalers", "/apis/example.com/v1{}/widgets"]
    plurals += ["/apis/example.com/v1{}/gadgets"]
    scoped = {
        "/api/v1/nodes": list_reply(),
        "/api/v1/namespaces": list_reply(object_named("shop")),
        DEFINITIONS: list_reply(),
    }
    return {**{path.format(prefix): list_reply() for path in plurals}, **scoped}


def test_applied_objects_of_a_namespace(tmp_path: Path) -> None:
    owners = [{"manager": "kubectl-client-side-apply"}]
    lost = {"metadata": {"name": "lost", "namespace": "shop", "managedFields": owners}}
    replies = {
        **applied_replies("shop"),
        MAPS: list_reply(applied_object("b"), object_named("plain"), lost, applied_object("a")),
    }
    with cluster_of(tmp_path, replies) as (cluster, server):
        found = cluster.list_applied("shop", "app=web")

    assert [(item["kind"], item["metadata"]["name"]) for item in found.objects] == [
        ("ConfigMap", "a"),
        ("ConfigMap", "b"),
        ("ConfigMap", "lost"),
    ]
    assert found.problems == ()
    lists = [request for request in server.requests if "limit" in request.query]
    assert len(lists) == 7
    assert {request.query["labelSelector"] for request in lists} == {"app=web"}


def test_objects_of_kinds_are_listed_where_they_may_be(tmp_path: Path) -> None:
    replies = {MAPS: list_reply(object_named("b"), object_named("a")), "/api/v1/nodes": list_reply(object_named("n"))}
    with cluster_of(tmp_path, replies) as (cluster, server):
        found = cluster.objects_of_kinds(["configmaps", "node", "deployments.other.io"], {"shop", ""})
        missed = cluster.objects_of_kinds(["pods"], ["shop"])

    assert [item["metadata"]["name"] for item in found.objects] == ["a", "b", "n"]
    assert sorted(request.path for request in server.requests if "limit" in request.query) == [
        MAPS,
        "/api/v1/namespaces/shop/pods",
        "/api/v1/nodes",
    ]
    assert (found.problems, missed.objects, len(missed.problems)) == ((), (), 1)


def test_labelled_objects_are_listed_everywhere_or_where_they_may_be(tmp_path: Path) -> None:
    barred = status(403, "Forbidden", 'pods is forbidden: User "ci" cannot list resource "pods"')
    replies = {
        "/api/v1/configmaps": list_reply(object_named("a")),
        "/api/v1/pods": barred,
        PODS: list_reply(object_named("p")),
    }
    with cluster_of(tmp_path, replies) as (cluster, server):
        found = cluster.labelled_objects(["ConfigMap", "Pod"], "app=web", ["", "shop"])
        nowhere = cluster.labelled_objects(["Pod"], "app=web", [])
        every = cluster.labelled_objects([], "app=web", [])

    assert [item["metadata"]["name"] for item in found.objects] == ["a", "p"]
    assert {request.query["labelSelector"] for request in server.requests if "limit" in request.query} == {"app=web"}
    assert (found.problems, nowhere.objects, len(nowhere.problems)) == ((), (), 1)
    assert [item["metadata"]["name"] for item in every.objects] == ["a"]


def test_an_invalid_namespace_is_reported(tmp_path: Path) -> None:
    with cluster_of(tmp_path, {}) as (cluster, server):
        found = cluster.list_applied("..")

    assert messages(found.problems, server) == ["no namespace can have the name '..'"]
    assert server.requested_paths() == ["/version"]


def test_applied_objects_of_all_namespaces_and_of_none(tmp_path: Path) -> None:
    replies = {
        **applied_replies(""),
        "/api/v1/nodes": list_reply(applied_object("n")),
        "/api/v1/pods": list_reply(applied_object("p")),
    }
    with cluster_of(tmp_path, replies) as (cluster, server):
        found = cluster.list_applied()

    assert [item["kind"] for item in found.objects] == ["Node", "Pod"]
    assert "/api/v1/events" not in server.requested_paths()


def test_applied_objects_come_in_the_version_of_the_apply(tmp_path: Path) -> None:
    autoscalers = "/apis/autoscaling/{}/namespaces/shop/horizontalpodautoscalers{}"
    items = [
        applied_object("old", "autoscaling/v1"),
        applied_object("new", "autoscaling/v2"),
        applied_object("gone", "autoscaling/v1"),
    ]
    odd = [
        applied_object("odd", "autoscaling/v2beta9"),
        object_named("broken", **{LAST_APPLIED: "{"}),
        applied_object("other", "v1"),
    ]
    hpa = {"apiVersion": "autoscaling/v1", "kind": "HorizontalPodAutoscaler"}
    replies = {
        **applied_replies("shop"),
        autoscalers.format("v2", ""): list_reply(*items, *odd),
        autoscalers.format("v1", "/old"): Reply(200, {**hpa, **applied_object("old")}),
        autoscalers.format("v1", "/gone"): not_found("horizontalpodautoscalers", "gone"),
    }
    with cluster_of(tmp_path, replies) as (cluster, _):
        found = cluster.list_applied("shop")

    assert [(item["metadata"]["name"], item["apiVersion"]) for item in found.objects] == [
        ("broken", "autoscaling/v2"),
        ("new", "autoscaling/v2"),
        ("odd", "autoscaling/v2"),
        ("old", "autoscaling/v1"),
        ("other", "autoscaling/v2"),
    ]


def test_an_object_that_is_not_served_in_its_version_stays_as_it_is(tmp_path: Path) -> None:
    autoscalers = "/apis/autoscaling/{}/namespaces/shop/horizontalpodautoscalers{}"
    replies = {
        **applied_replies("shop"),
        autoscalers.format("v2", ""): list_reply(applied_object("old", "autoscaling/v1")),
        autoscalers.format("v1", "/old"): status(500, "InternalError", "cannot convert"),
    }
    with cluster_of(tmp_path, replies) as (cluster, _):
        found = cluster.list_applied("shop")

    assert [item["apiVersion"] for item in found.objects] == ["autoscaling/v2"]
    assert len(found.problems) == 1


def test_kinds_that_may_not_be_listed_are_reported_and_the_run_continues(tmp_path: Path) -> None:
    refused = {path: forbidden("jane", "list", "x", "shop") for path in (PODS, "/api/v1/namespaces/shop/secrets")}
    with cluster_of(tmp_path, {**applied_replies("shop"), MAPS: list_reply(applied_object("a")), **refused}) as (
        cluster,
        server,
    ):
        found = cluster.list_applied("shop")

    assert len(found.objects) == 1
    assert messages(found.problems, server) == ["forbidden: user jane cannot list pods, secrets in namespace shop"]


def test_a_faulty_selector_is_reported_once(tmp_path: Path) -> None:
    refused = dict.fromkeys(applied_replies("shop"), status(400, "BadRequest", "unable to parse requirement"))
    with cluster_of(tmp_path, refused) as (cluster, server):
        found = cluster.list_applied("shop", "a in (")

    assert messages(found.problems, server) == ["SERVER answered 400 Bad Request: unable to parse requirement"]


@pytest.mark.parametrize(
    ("word", "path"),
    [
        ("pods", f"{PODS}/web"),
        ("Pod", f"{PODS}/web"),
        ("no", "/api/v1/nodes/web"),
        ("hpa", "/apis/autoscaling/v2/namespaces/shop/horizontalpodautoscalers/web"),
        ("hpa.v1.autoscaling", "/apis/autoscaling/v1/namespaces/shop/horizontalpodautoscalers/web"),
    ],
)
def test_an_object_is_found_by_any_name_of_its_kind(word: str, path: str, tmp_path: Path) -> None:
    names = {"no": ("nodes", "Node"), "po": ("pods", "Pod")}
    core: Mapping[str, list[JsonObject]] = {
        "v1": [{**resource(*names[short], namespaced=short == "po"), "shortNames": [short]} for short in names]
    }
    hpa = {**resource("horizontalpodautoscalers", "HorizontalPodAutoscaler"), "shortNames": ["hpa"]}
    groups = {
        "/api": aggregated_discovery({"": core}),
        "/apis": aggregated_discovery({"autoscaling": {"v2": [hpa], "v1": [hpa]}}),
    }
    with cluster_of(tmp_path, {**groups, path: Reply(200, object_named("web"))}) as (cluster, _):
        found = cluster.named_object(ObjectArgument(word, "web"), "shop")

    assert (found.objects, found.problems) == ((object_named("web"),), ())


def test_an_unknown_kind_is_reported_after_another_discovery(tmp_path: Path) -> None:
    with cluster_of(tmp_path, {}) as (cluster, server):
        cluster.kinds()
        again = open_at(tmp_path, server.url)
        assert isinstance(again, Cluster)
        found = again.named_object(ObjectArgument("pdos", "web"), "shop")
        again.close()

    assert messages(found.problems, server) == ["the cluster has no kind 'pdos'"]
    assert found.problems[0].advice == "did you mean pods?"
    assert server.requested_paths().count("/apis") == 2


def test_nothing_is_found_by_name_without_discovery(tmp_path: Path) -> None:
    with cluster_of(tmp_path, {"/apis": status(500, "InternalError", "down")}) as (cluster, server):
        found = cluster.named_object(ObjectArgument("pods", "web"), "shop")

    assert messages(found.problems, server) == ["SERVER answered 500 Internal Server Error: down"]


def test_namespaces_for_completion(tmp_path: Path) -> None:
    with cluster_of(tmp_path, {"/api/v1/namespaces": list_reply(object_named("b"), object_named("a"))}) as (
        cluster,
        server,
    ):
        assert cluster.namespaces() == ("a", "b")
        server.replies["/api/v1/namespaces"] = forbidden("jane", "list", "namespaces", "")
        assert cluster.namespaces() == ()


def test_no_secret_value_shows_anywhere(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    secret = {
        "kind": "Secret",
        "metadata": {"name": "s0"},
        "data": {"password": "UExBTlRFRA=="},
        "stringData": "PLANTED",
    }
    path = "/api/v1/namespaces/shop/secrets/{}"
    replies: dict[str, Answering] = {
        **BASICS,
        path.format("s0"): Reply(200, secret),
        path.format("s1"): Reply(200, secret, cut=5),
        path.format("s2"): Reply(200, json.dumps(secret).encode()[:-3]),
    }
    user = {"token": "PLANTED-TOKEN", "username": "u", "password": "PLANTED-PASSWORD"}
    with serving(replies, "server") as server:
        url = server.url.replace("https://", "https://me:PLANTED@")
        kubeconfig = write_kubeconfig(tmp_path, url, user, **{"certificate-authority": pem("authority.crt")})
        cluster = open_cluster(Connection(kubeconfig=kubeconfig, token="PLANTED"), Environment({}, str(tmp_path)))
        assert isinstance(cluster, Cluster)
        found = cluster.live([ObjectRef("v1", "Secret", "", f"s{number}") for number in range(3)])
        cluster.close()

    cached = "".join(file.read_text() for file in tmp_path.glob(".cache/**/*.json"))
    printed = capfd.readouterr()
    unknown = [state for state in found.states.values() if not isinstance(state, Present)]
    texts = repr((cluster, found.problems, unknown)) + cached + printed.out + printed.err
    assert len(unknown) == 2
    assert cached
    assert "PLANTED" not in texts
    assert "UExBTlRFRA" not in texts
