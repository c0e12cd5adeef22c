"""The tables against what a real server publishes of itself: OpenAPI v3 and discovery."""

import re
from collections.abc import Iterator

import pytest

from kubectl_applylint.core.values import MISSING, Json, JsonObject, mapping
from kubectl_applylint.schema import tables
from kubectl_applylint.schema.types import Kind, Node
from tests.cluster.cluster import Cluster

REFERENCE = "#/components/schemas/"


@pytest.fixture(scope="module")
def minor(cluster: Cluster) -> int:
    found = re.match(r"v1\.(\d+)", cluster.version)
    assert found is not None
    return int(found[1])


@pytest.fixture(scope="module")
def schemas(cluster: Cluster) -> JsonObject:
    """Return every schema that the server publishes, by name."""
    documents = cluster.get("/openapi/v3").json["paths"].values()
    replies = [cluster.get(document["serverRelativeURL"]) for document in documents]
    pages = [reply.json for reply in replies if reply.ok]  # a group whose last CRD was just deleted answers 404
    return {
        name: schema
        for page in pages
        for name, schema in mapping(mapping(page.get("components")).get("schemas")).items()
    }


@pytest.fixture(scope="module")
def served_resources(cluster: Cluster) -> dict[str, list[Json]]:
    """Return the resources of Kubernetes' own groups, by group and version; other tests define groups as well."""
    named = cluster.get("/apis").json["groups"]
    groups = [group for group in named if "." not in group["name"] or group["name"].endswith(".k8s.io")]
    paths = {"v1": "/api/v1"} | {
        version["groupVersion"]: f"/apis/{version['groupVersion']}" for group in groups for version in group["versions"]
    }
    return {api_version: cluster.get(path).json["resources"] for api_version, path in paths.items()}


def built_in(minor: int) -> dict[str, Node]:
    pending = [kind.root for gvk in tables.kinds(minor) if (kind := tables.kind(minor, gvk))]
    seen: dict[str, Node] = {}
    while pending:
        node = pending.pop()
        if node.struct not in seen:
            pending.extend(inner for inner in (node.item, node.value, *node.fields.values()) if inner is not None)
        if node.struct and node.fields:
            seen[node.struct] = node
    return seen


def merge_facts(schema: JsonObject, schemas: JsonObject) -> JsonObject:
    """Return what a server's schema says of a field, without defaults of structs, which are always ``{}``."""
    referred = mapping(schemas.get(target(schema)))
    return {
        "struct": target(schema),
        "map type": schema.get("x-kubernetes-map-type", referred.get("x-kubernetes-map-type", "")),
        "strategy": schema.get("x-kubernetes-patch-strategy", ""),
        "merge key": schema.get("x-kubernetes-patch-merge-key", ""),
        "list type": schema.get("x-kubernetes-list-type", ""),
        "map keys": schema.get("x-kubernetes-list-map-keys", []),
        "default": MISSING if schema.get("default") == {} else schema.get("default", MISSING),
    }


def target(schema: JsonObject) -> str:
    """Return the name of the type that a schema refers to."""
    referring = schema["allOf"][0] if "allOf" in schema else schema
    return str(referring.get("$ref", "")).removeprefix(REFERENCE)


def known(node: Node, referred: str) -> JsonObject:
    """Return what a table says; times and the like, which have no struct there, count as what is referred to."""
    return {
        "struct": node.struct or referred,
        "map type": node.map_type,
        "strategy": ",".join(node.patch_strategy),
        "merge key": node.merge_key,
        "list type": node.list_type,
        "map keys": list(node.map_keys),
        "default": node.default,
    }


def differences(struct: Node, schemas: JsonObject) -> Iterator[str]:
    schema = schemas[struct.struct]
    properties = mapping(schema.get("properties"))
    if set(properties) != set(struct.fields) or sorted(schema.get("required", [])) != sorted(struct.required):
        yield struct.struct
    for key in properties.keys() & struct.fields.keys():
        node = struct.fields[key]
        if merge_facts(properties[key], schemas) != known(node, target(properties[key])):
            yield f"{struct.struct}.{key}: {merge_facts(properties[key], schemas)}"


def test_the_tables_say_what_the_server_publishes(minor: int, schemas: JsonObject) -> None:
    types = built_in(minor)
    shared = types.keys() & schemas.keys()
    found = [text for name in sorted(shared) for text in differences(types[name], schemas)]

    assert found == []
    assert len(shared) > 400


def test_every_kind_that_the_server_serves_has_its_place(minor: int, served_resources: dict[str, list[Json]]) -> None:
    served = {
        (api_version, resource["kind"]): (
            resource["name"],
            resource["namespaced"],
            {f"{resource['name']}/{sub}" for sub in ("scale", "status")} & {each["name"] for each in resources},
        )
        for api_version, resources in served_resources.items()
        for resource in resources
        if "/" not in resource["name"]
    }
    kinds = [kind for gvk in tables.kinds(minor) if gvk in served and (kind := tables.kind(minor, gvk))]

    assert {(kind.api_version, kind.name): place(kind) for kind in kinds} == served


def place(kind: Kind) -> tuple[str, bool, set[str]]:
    return kind.resource, kind.namespaced, {f"{kind.resource}/{sub}" for sub in kind.subresources}
