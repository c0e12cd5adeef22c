"""What the plugins are recorded to say, asked of a real server again."""

import json
from collections.abc import Callable, Iterator
from functools import cache

import pytest

from kubectl_applylint.values import JsonObject
from tests.cluster.cluster import Cluster
from tests.server.plugins.recorded import Case, cases
from tests.server.stored import kind_of

Labelled = Callable[[str], str]


@pytest.fixture(scope="module")
def labelled(cluster: Cluster) -> Iterator[Labelled]:
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
    return f"{prefix}/namespaces/{manifest['metadata']['namespace']}/{kind.resource}"


def answered(cluster: Cluster, manifest: JsonObject) -> tuple[bool, str]:
    """Return whether a create is accepted, and what the server says of it: only kubectl shows its warnings."""
    reply = cluster.post(f"{collection(manifest)}?dryRun=All", manifest)
    if not reply.ok:
        return False, str(reply.json["message"])
    run = cluster.run("create", "--dry-run=server", "-f-", "--validate=false", stdin=json.dumps(manifest))
    return True, run.stderr.strip().removeprefix("Warning: ")


@pytest.mark.parametrize("case", cases())
def test_pod_security(cluster: Cluster, labelled: Labelled, case: Case) -> None:
    if not cluster.version.startswith("v1.36."):
        pytest.skip("the recordings are those of 1.36")
    manifest = within(case.manifest, labelled(json.dumps(case.labels)))

    assert answered(cluster, manifest) == (not case.refused, case.said)
