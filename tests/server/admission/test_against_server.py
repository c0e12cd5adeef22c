"""Recorded answers of the plugins, asked of a real server again."""

import json
import time
from collections.abc import Callable, Iterator
from functools import cache

import pytest

from kubectl_applylint.core.values import JsonObject
from tests.cluster.cluster import Cluster
from tests.server.admission.policy_cases import PolicyCase, namespaces, parameters, policies, policy_cases
from tests.server.admission.recorded import Case, cases
from tests.server.admission.stories import Story, stories
from tests.server.stored import kind_of

Labelled = Callable[[str], str]
_LATE = 6
"""How many seconds it takes at most until a server notices new and deleted policies."""


@pytest.fixture(scope="module")
def labelled_namespace(cluster: Cluster) -> Iterator[Labelled]:
    """Return what makes a namespace with labels (as JSON) and returns its name."""
    made: list[str] = []

    @cache
    def make(labels: str) -> str:
        made.append(cluster.make_namespace())
        reply = cluster.patch(f"/api/v1/namespaces/{made[-1]}", {"metadata": {"labels": json.loads(labels)}})
        assert reply.ok, reply.json
        return made[-1]

    yield make
    for name in made:
        cluster.drop_namespace(name)


def within(manifest: JsonObject, namespace: str) -> JsonObject:
    return {**manifest, "metadata": {**manifest["metadata"], "namespace": namespace}}


def collection(manifest: JsonObject) -> str:
    kind = kind_of(manifest)
    prefix = "/api/v1" if kind.api_version == "v1" else f"/apis/{kind.api_version}"
    place = f"/namespaces/{manifest['metadata']['namespace']}" if kind.namespaced else ""
    return f"{prefix}{place}/{kind.resource}"


def reply_to_create(cluster: Cluster, manifest: JsonObject) -> tuple[bool, str]:
    """Return whether a create is accepted, and the error of the server, or its warnings, which only kubectl shows."""
    reply = cluster.post(f"{collection(manifest)}?dryRun=All", manifest)
    if not reply.ok:
        return False, str(reply.json["message"])
    run = cluster.run("create", "--dry-run=server", "-f-", "--validate=false", stdin=json.dumps(manifest))
    return True, run.stderr.strip().removeprefix("Warning: ")


@pytest.fixture(scope="module")
def limited_namespace(cluster: Cluster) -> Iterator[Callable[[str], str]]:
    """Return what makes a namespace with limits and quotas (as JSON) in it and returns its name."""
    made: list[str] = []

    @cache
    def make(objects: str) -> str:
        made.append(cluster.make_namespace())
        for item in json.loads(objects):
            whole = within(item, made[-1])
            reply = cluster.post(collection(whole), whole)
            assert reply.ok, reply.json
            if "status" in whole:
                path = f"{collection(whole)}/{whole['metadata']['name']}/status"
                assert cluster.put(path, {**reply.json, "status": whole["status"]}).ok
        time.sleep(1)  # The server's own view of these objects is late.
        return made[-1]

    yield make
    for name in made:
        cluster.drop_namespace(name)


@pytest.mark.parametrize("story", stories())
def test_limits_and_quotas(cluster: Cluster, limited_namespace: Callable[[str], str], story: Story) -> None:
    if not cluster.version.startswith("v1.36."):
        pytest.skip("the recordings are those of 1.36")
    manifest = within(story.manifest, limited_namespace(json.dumps(story.cluster_view)))
    path = collection(manifest)
    if story.then is None:
        reply = cluster.post(f"{path}?dryRun=All", manifest)
    else:
        assert cluster.post(path, manifest).ok
        reply = cluster.patch(f"{path}/x?dryRun=All", story.then)
        cluster.delete(f"{path}/x")

    assert (reply.ok, "" if reply.ok else reply.json["message"]) == (not story.said, story.said)


@pytest.mark.parametrize("case", cases())
def test_pod_security(cluster: Cluster, labelled_namespace: Labelled, case: Case) -> None:
    if not cluster.version.startswith("v1.36."):
        pytest.skip("the recordings are those of 1.36")
    manifest = within(case.manifest, labelled_namespace(json.dumps(case.labels)))

    assert reply_to_create(cluster, manifest) == (not case.refused, case.said)


@pytest.fixture(scope="module")
def in_force(cluster: Cluster) -> Iterator[None]:
    """The policies are in force, in the namespaces that they refer to."""
    objects = [*namespaces(), *parameters(), *policies()]
    for item in objects:
        reply = cluster.post(collection(item), item)
        assert reply.ok, reply.json
    time.sleep(_LATE)
    yield
    for item in reversed(objects):
        cluster.delete(f"{collection(item)}/{item['metadata']['name']}")
    for item in namespaces():
        cluster.drop_namespace(item["metadata"]["name"])
    time.sleep(_LATE)  # Until then the policies hold in other tests, too.


@pytest.mark.usefixtures("in_force")
@pytest.mark.parametrize("case", policy_cases())
def test_policies(cluster: Cluster, case: PolicyCase) -> None:
    path = collection(case.manifest)
    if case.then is None:
        accepted, words = reply_to_create(cluster, case.manifest)
    else:
        assert cluster.post(path, case.manifest).ok
        reply = cluster.patch(f"{path}/x?dryRun=All", case.then)
        cluster.delete(f"{path}/x")
        accepted, words = reply.ok, "" if reply.ok else str(reply.json["message"])

    assert (accepted, words) == (case.status == 0, case.said)
