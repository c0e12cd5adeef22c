from collections.abc import Mapping
from dataclasses import replace

import pytest

from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.sources.cluster.discovery import Discovery, ServedKind, discover
from kubectl_applylint.sources.cluster.http_result import JSON, Answer, FailedRequest, FailureClass
from tests.sources.apiserver import aggregated_discovery, resource

FORM = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"
VERBS = ("get", "list")
CONFIG_MAP = ServedKind("v1", "ConfigMap", "configmaps", namespaced=True, verbs=VERBS, preferred=True)
DEPLOYMENT = ServedKind("apps/v1", "Deployment", "deployments", namespaced=True, verbs=VERBS, preferred=True)
NODE = ServedKind("v1", "Node", "nodes", namespaced=False, verbs=VERBS, preferred=True)


class Server:
    """Answers by path, as ``Get`` does; what it does not have fails."""

    def __init__(self, bodies: Mapping[str, JsonObject], form: str = JSON) -> None:
        self.bodies, self.form = bodies, form
        self.asked: list[tuple[str, str]] = []

    def __call__(self, path: str, query: Mapping[str, str] | None = None, accept: str = JSON) -> Answer | FailedRequest:
        self.asked.append((path, accept))
        body = self.bodies.get(path)
        return FailedRequest(FailureClass.FAULTY, f"no {path}") if body is None else Answer(body, self.form)


AGGREGATED: Mapping[str, JsonObject] = {
    "/api": aggregated_discovery(
        {
            "": {
                "v1": [
                    resource("configmaps", "ConfigMap", verbs="get list"),
                    resource("nodes", "Node", namespaced=False, verbs="get list"),
                ]
            }
        }
    ).body,
    "/apis": aggregated_discovery({"apps": {"v1": [resource("deployments", "Deployment", verbs="get list")]}}).body,
}
LEGACY: Mapping[str, JsonObject] = {
    "/api": {"kind": "APIVersions", "versions": ["v1"]},
    "/apis": {
        "kind": "APIGroupList",
        "groups": [
            {
                "name": "apps",
                "versions": [{"groupVersion": "apps/v1", "version": "v1"}, {"groupVersion": "apps/v1beta1"}],
                "preferredVersion": {"groupVersion": "apps/v1"},
            },
            {"name": "metrics.k8s.io", "versions": [{"groupVersion": "metrics.k8s.io/v1"}]},
        ],
    },
    "/api/v1": {
        "resources": [
            {"name": "configmaps", "kind": "ConfigMap", "namespaced": True, "verbs": ["get", "list"]},
            {"name": "nodes", "kind": "Node", "namespaced": False, "verbs": ["get", "list"]},
            {"name": "nodes/status", "kind": "Node", "namespaced": False, "verbs": ["patch"]},
        ]
    },
    "/apis/apps/v1": {
        "resources": [{"name": "deployments", "kind": "Deployment", "namespaced": True, "verbs": ["get", "list"]}]
    },
    "/apis/apps/v1beta1": {"resources": [{"name": "deployments", "kind": "Deployment", "namespaced": True}]},
}


NONE: JsonObject = {"items": [], "versions": []}


def discovery_of(bodies: Mapping[str, JsonObject], form: str = JSON) -> Discovery:
    discovery = discover(Server(bodies, form))
    assert isinstance(discovery, Discovery)
    return discovery


def test_aggregated_discovery_takes_two_requests() -> None:
    server = Server(AGGREGATED, FORM)

    discovery = discover(server)

    assert discovery == Discovery(
        {("v1", "ConfigMap"): CONFIG_MAP, ("v1", "Node"): NODE, ("apps/v1", "Deployment"): DEPLOYMENT}
    )
    assert sorted(path for path, _ in server.asked) == ["/api", "/apis"]
    assert all(accept.startswith(f"{FORM},") and accept.endswith(",application/json") for _, accept in server.asked)


def test_older_servers_are_asked_group_by_group() -> None:
    discovery = discovery_of(LEGACY)

    assert discovery.kinds == {
        ("v1", "ConfigMap"): CONFIG_MAP,
        ("v1", "Node"): NODE,
        ("apps/v1", "Deployment"): DEPLOYMENT,
        ("apps/v1beta1", "Deployment"): replace(DEPLOYMENT, api_version="apps/v1beta1", verbs=(), preferred=False),
    }
    assert discovery.stale == {"metrics.k8s.io/v1"}


def test_kinds_have_other_names() -> None:
    row = {"resource": "widgets", "singularResource": "widget", "shortNames": ["wd", "wdg"]}
    apis = {"items": [{"metadata": {"name": "x.io"}, "versions": [{"version": "v1", "resources": [row]}]}]}
    listed = {"resources": [{"name": "widgets", "kind": "", "singularName": "widget", "shortNames": ["wd", "wdg"]}]}
    legacy: Mapping[str, JsonObject] = {
        "/api": {"versions": []},
        "/apis": {"groups": [{"versions": [{"groupVersion": "x.io/v1"}]}]},
        "/apis/x.io/v1": listed,
    }

    discoveries = discovery_of({"/api": {"versions": []}, "/apis": apis}, FORM), discovery_of(legacy)

    assert [kind.names for each in discoveries for kind in each.kinds.values()] == [("widget", "wd", "wdg")] * 2


def test_the_first_version_of_a_group_is_preferred() -> None:
    apis = aggregated_discovery(
        {"autoscaling": {"v2": [resource("hpas", "Hpa")], "v1": [resource("hpas", "Hpa")]}}
    ).body

    kinds = discovery_of({"/api": {"versions": []}, "/apis": apis}, FORM).kinds

    assert {version: kind.preferred for (version, _), kind in kinds.items()} == {
        "autoscaling/v2": True,
        "autoscaling/v1": False,
    }


def test_versions_whose_server_is_away_are_stale() -> None:
    versions = [{"version": "v1beta1", "freshness": "Stale"}, {"version": "v1", "freshness": "Current"}]
    apis = {"items": [{"metadata": {"name": "metrics.k8s.io"}, "versions": versions}]}

    assert discovery_of({"/api": {"versions": []}, "/apis": apis}, FORM) == Discovery(
        {}, frozenset({"metrics.k8s.io/v1beta1"})
    )


@pytest.mark.parametrize(
    "body",
    [
        {"items": [None, {}, {"versions": [None, {"resources": [None]}]}], "versions": []},
        {"groups": [None, {"versions": None}], "versions": [1], "items": []},
    ],
    ids=["hollow items", "hollow groups"],
)
@pytest.mark.parametrize("form", [JSON, FORM])
def test_hollow_answers_name_no_kinds(body: JsonObject, form: str) -> None:
    assert discovery_of({"/api": body, "/apis": NONE}, form).kinds == {}


@pytest.mark.parametrize(
    "body", [{}, {"error": "login"}, {"items": None, "versions": {}, "groups": "x"}], ids=["empty", "login", "types"]
)
@pytest.mark.parametrize("form", [JSON, FORM])
def test_an_answer_that_lists_no_groups_is_a_failure(body: JsonObject, form: str) -> None:
    failure = discover(Server({"/api": NONE, "/apis": body}, form))

    assert isinstance(failure, FailedRequest)
    assert failure.failure_class is FailureClass.GARBLED


def test_a_version_that_lists_no_resources_is_not_known() -> None:
    discovery = discovery_of({**LEGACY, "/apis/apps/v1": {"error": "login"}})

    assert discovery.stale == {"apps/v1", "metrics.k8s.io/v1"}


def test_without_an_answer_nothing_is_known() -> None:
    assert discover(Server({"/apis": {}})) == FailedRequest(FailureClass.FAULTY, "no /api")


@pytest.mark.parametrize(
    ("kind", "namespace", "name", "path"),
    [
        (CONFIG_MAP, "shop", "web", "/api/v1/namespaces/shop/configmaps/web"),
        (CONFIG_MAP, "", "", "/api/v1/configmaps"),
        (DEPLOYMENT, "shop", "", "/apis/apps/v1/namespaces/shop/deployments"),
        (NODE, "shop", "n", "/api/v1/nodes/n"),
    ],
    ids=["object", "all namespaces", "list", "cluster-scoped"],
)
def test_paths(kind: ServedKind, namespace: str, name: str, path: str) -> None:
    assert kind.path(namespace, name) == path


def test_kinds_are_called_as_in_kubectl() -> None:
    assert (str(CONFIG_MAP), str(DEPLOYMENT)) == ("configmaps", "deployments.apps")
