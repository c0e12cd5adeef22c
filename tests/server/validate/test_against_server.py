"""The recordings of changes that a server accepts and rejects, played again to a real one."""

from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module

import pytest
from _pytest.mark import ParameterSet

from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.merge import json_merge
from kubectl_applylint.server.write import MERGE_PATCH
from tests.cluster.api import Reply
from tests.cluster.cluster import Cluster
from tests.server.stored import kind_of
from tests.server.validate import objects
from tests.server.validate.recorded import HERE, Cause, Change, agreeing, changes, manifests

DRY_RUN = "dryRun=All&fieldValidation=Strict"


def collection(manifest: Json, namespace: str) -> str:
    kind = kind_of(manifest)
    prefix = "/api/v1" if kind.api_version == "v1" else f"/apis/{kind.api_version}"
    return f"{prefix}/namespaces/{namespace}/{kind.resource}" if kind.namespaced else f"{prefix}/{kind.resource}"


def within(manifest: Json, namespace: str) -> JsonObject:
    place = {"namespace": namespace} if kind_of(manifest).namespaced else {}
    return {**manifest, "metadata": {**manifest["metadata"], **place}}


@pytest.fixture(scope="module")
def store(cluster: Cluster) -> Iterator[Callable[[str], tuple[str, str]]]:
    """Return what stores a manifest in a namespace of this module; it returns the object's collection and name."""
    namespace = cluster.make_namespace()

    @cache
    def store_object(base: str) -> tuple[str, str]:
        manifest = within(manifests()[base], namespace)
        manifest["metadata"].pop("finalizers", None)
        where = collection(manifest, namespace)
        reply = cluster.post(where, manifest)
        assert reply.ok, reply.json
        return where, manifest["metadata"]["name"]

    yield store_object
    cluster.drop_namespace(namespace)


def causes_of(reply: Reply) -> frozenset[tuple[str, str, str]]:
    found = reply.json.get("details", {}).get("causes", []) if reply.status == 422 else []
    return frozenset((cause.get("field", ""), cause["reason"], cause["message"]) for cause in found)


def tables() -> Iterator[ParameterSet]:
    """Yield the manifest and what is said of it in each case of the tables of single validators."""
    for path in sorted(HERE.glob("**/test_*.py")):
        module = import_module(".".join(("tests.server.validate", *path.relative_to(HERE).with_suffix("").parts)))
        if not hasattr(module, objects.rejection_messages.__name__):
            continue
        (table,) = (value for name, value in vars(module).items() if name.startswith("test_"))
        for case in table.pytestmark[0].args[1]:
            patch, errors = case.values
            yield pytest.param(json_merge.merge(module.BASE, patch), errors, id=f"{path.stem} {case.id}")


@pytest.mark.parametrize(("manifest", "errors"), tuple(tables()))
def test_the_tables_of_validators(cluster: Cluster, manifest: JsonObject, errors: list[str]) -> None:
    if not cluster.version.startswith("v1.36."):
        pytest.skip("the recordings are those of 1.36")
    found = causes_of(cluster.post(f"{collection(manifest, 'default')}?{DRY_RUN}", manifest))

    assert sorted(f"{field}: {message}" for field, _, message in found) == errors


@pytest.mark.parametrize("name", manifests())
def test_the_server_accepts_the_valid_manifests(cluster: Cluster, name: str) -> None:
    manifest = manifests()[name]
    reply = cluster.post(f"{collection(manifest, 'default')}?{DRY_RUN}", manifest)

    assert reply.ok, reply.json


@pytest.mark.parametrize("change", changes())
def test_the_server_rejects_as_recorded(
    cluster: Cluster, store: Callable[[str], tuple[str, str]], change: Change
) -> None:
    if not cluster.version.startswith("v1.36."):
        pytest.skip("the recordings are those of 1.36")
    if change.creating:
        manifest = manifests()[change.base]
        body = json_merge.merge(manifest, change.patch)
        assert (
            agreeing(causes_of(cluster.post(f"{collection(manifest, 'default')}?{DRY_RUN}", body)), change.causes)
            == change.causes
        )
        return
    where, name = store(change.base)
    found = causes_of(cluster.patch(f"{where}/{name}?{DRY_RUN}", change.patch, MERGE_PATCH))

    assert without_messages(found) == without_messages(change.causes)


def without_messages(causes: frozenset[Cause]) -> frozenset[tuple[str, str]]:
    """Return the causes without messages: these show addresses and ids that are other ones in each cluster."""
    return frozenset((field, reason) for field, reason, _ in causes)
