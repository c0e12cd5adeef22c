"""Values that are defaults, and the source of each."""

from itertools import chain

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubectl_applylint.core.paths import get, render
from kubectl_applylint.core.values import MISSING, Json, JsonObject, equal
from kubectl_applylint.schema.load import load
from kubectl_applylint.server.defaults.explain import Filled, with_defaults
from kubectl_applylint.server.faults import DecodeError
from tests.fidelity.manifests import BASES, load_all
from tests.server.stored import kind_of, stored_objects

WEB: JsonObject = {"containers": [{"name": "web", "image": "nginx"}]}


def filled_manifest(manifest: JsonObject, version: str = "1.36") -> Filled:
    return with_defaults(manifest, kind_of(manifest, version), version)


def manifest_of(api_version: str, kind: str, **fields: Json) -> JsonObject:
    return {"apiVersion": api_version, "kind": kind, "metadata": {"name": "web"}, **fields}


def defaults_and_sources(manifest: JsonObject) -> dict[str, tuple[Json, list[str]]]:
    return {
        render(d.path): (d.value, [render(source) for source in d.sources]) for d in filled_manifest(manifest).defaults
    }


@pytest.mark.parametrize(
    ("manifest", "path", "value", "sources"),
    [
        pytest.param(manifest_of("v1", "Service", spec={}), "spec.type", "ClusterIP", [], id="a constant"),
        pytest.param(
            manifest_of("v1", "Service", spec={"ports": [{"port": 80}]}),
            "spec.ports[0].targetPort",
            80,
            ["spec.ports[0].port"],
            id="in the same list element",
        ),
        pytest.param(
            manifest_of("apps/v1", "Deployment", spec={"template": {"spec": WEB}}),
            "spec.template.spec.containers[0].imagePullPolicy",
            "Always",
            ["spec.template.spec.containers[0].image"],
            id="a type that lies deep",
        ),
        pytest.param(
            manifest_of("apps/v1", "Deployment", spec={}),
            "spec.strategy.rollingUpdate.maxSurge",
            "25%",
            ["spec.strategy.type"],
            id="inside a derived block",
        ),
        pytest.param(
            manifest_of("apps/v1", "StatefulSet", spec={}),
            "spec.updateStrategy.type",
            "RollingUpdate",
            [],
            id="not of itself",
        ),
        pytest.param(
            manifest_of("v1", "ReplicationController", spec={"template": {"metadata": {"labels": {"app": "web"}}}}),
            "spec.selector.app",
            "web",
            ["spec.template.metadata.labels"],
            id="from a sibling's inside",
        ),
        pytest.param(
            manifest_of("v1", "Pod", spec={"containers": [{"name": "a", "resources": {"limits": {"cpu": "1"}}}]}),
            "spec.containers[0].resources.requests.cpu",
            "1",
            ["spec.containers[0].resources.limits"],
            id="from another branch of the same list element",
        ),
        pytest.param(
            manifest_of("v1", "Pod", spec={"serviceAccountName": "ci"}),
            "spec.serviceAccount",
            "ci",
            ["spec.serviceAccountName"],
            id="another name",
        ),
        pytest.param(
            manifest_of("autoscaling/v2", "HorizontalPodAutoscaler", spec={}),
            "spec.metrics",
            [
                {
                    "type": "Resource",
                    "resource": {"name": "cpu", "target": {"type": "Utilization", "averageUtilization": 80}},
                }
            ],
            [],
            id="a whole list",
        ),
        pytest.param(
            manifest_of("v1", "Pod", spec={"volumes": [{"name": "v"}]}),
            "spec.volumes[0].emptyDir",
            {},
            [],
            id="an empty map",
        ),
    ],
)
def test_a_default(manifest: JsonObject, path: str, value: Json, sources: list[str]) -> None:
    defaults = defaults_and_sources(manifest)

    assert defaults[path] == (value, sources)


def test_written_values_are_no_defaults() -> None:
    spec = {"type": "ClusterIP", "sessionAffinity": "None", "internalTrafficPolicy": "Cluster"}

    assert filled_manifest(manifest_of("v1", "Service", spec=spec)).defaults == ()


def test_a_null_asks_for_the_default() -> None:
    assert defaults_and_sources(manifest_of("v1", "Secret", type=None)) == {"type": ("Opaque", [])}


def test_a_version_decides() -> None:
    manifest = manifest_of("v1", "Pod", spec={"volumes": [{"name": "v", "image": {"reference": "nginx"}}]})
    policies = [
        get(filled_manifest(manifest, version).object, filled_manifest(manifest).defaults[0].path)
        for version in ("1.33", "1.36")
    ]

    assert policies == [MISSING, "Always"]


def test_the_schema_of_a_custom_resource_decides() -> None:
    size = {"type": "object", "default": {}, "properties": {"size": {"type": "integer", "default": 3}}}
    version = {"name": "v1", "served": True, "storage": True}
    schema = {"openAPIV3Schema": {"type": "object", "properties": {"spec": size}}}
    names = {"kind": "Widget", "plural": "widgets"}
    definition = {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "spec": {"group": "x.io", "names": names, "scope": "Namespaced", "versions": [{**version, "schema": schema}]},
    }
    kind = load("1.36", crds=[definition]).kind("x.io/v1", "Widget")
    assert kind is not None

    defaults = with_defaults(manifest_of("x.io/v1", "Widget"), kind, "1.36").defaults

    assert [(render(default.path), default.value, default.sources) for default in defaults] == [("spec.size", 3, ())]


def test_an_object_that_a_server_cannot_decode_raises() -> None:
    with pytest.raises(DecodeError):
        filled_manifest(manifest_of("v1", "Service", spec={"type": 1}))


OBJECTS = [
    obj
    for obj in chain(load_all([BASES]), (obj for _, obj in stored_objects()))
    if load("1.36").kind(obj["apiVersion"], obj["kind"])
]


@given(obj=st.sampled_from(OBJECTS), data=st.data())
def test_defaults_of_defaults_add_nothing(obj: JsonObject, data: st.DataObject) -> None:
    """Defaulting runs on every write and on every read from storage: defaults(defaults(x)) = defaults(x)."""
    once = filled_manifest(without_some(obj, data)).object

    assert equal(filled_manifest(once).object, once)


@given(obj=st.sampled_from(OBJECTS), data=st.data())
def test_a_default_is_at_its_reported_path(obj: JsonObject, data: st.DataObject) -> None:
    partial = without_some(obj, data)
    found = filled_manifest(partial)

    assert all(get(found.object, default.path) == default.value for default in found.defaults)
    assert [render(d.path) for d in found.defaults if get(partial, d.path) not in (MISSING, None, "", 0, [], {})] == []


def without_some(value: Json, data: st.DataObject) -> Json:
    """Return an object from which fields inside of ``spec`` are taken away at will."""
    if isinstance(value, dict):
        keys = sorted(value)
        kept = data.draw(st.lists(st.sampled_from(keys), unique=True, min_size=len(keys) // 2)) if keys else []
        top = {"apiVersion", "kind", "metadata", "spec", "name"}
        return {key: without_some(value[key], data) for key in value if key in kept or key in top}
    return [without_some(item, data) for item in value] if isinstance(value, list) else value
