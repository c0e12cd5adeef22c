"""Objects of a ResourceSet: the order, the duplicates and the errors are those of ``flux-operator build``."""

import pytest

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.paths import fields
from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.tools.flux.resource_sets import is_resource_set
from kubectl_applylint.tools.flux.set_build import build_set
from kubectl_applylint.tools.flux.set_functions import TemplateError
from tests.tools.flux.test_resource_sets import resource_set

CONFIG = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "<< inputs.name >>", "namespace": "shop"}}
SHARED = {**CONFIG, "metadata": {"name": "shared", "namespace": "shop"}}
TEXT = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: %s, namespace: shop}\n---\n"


def names(document: Document, *inputs: JsonObject) -> list[str]:
    return [one.ref.name for one in build_set(document, inputs).documents]


def test_each_resource_is_created_for_all_inputs() -> None:
    found = resource_set(resources=[CONFIG, SHARED])

    assert is_resource_set(found)
    assert names(found, {"name": "a"}, {"name": "b"}) == ["a", "b", "shared"]


def test_the_resources_come_before_those_of_the_template() -> None:
    template = TEXT % "<< inputs.name >>" + TEXT % "more"

    assert names(resource_set(resources=[SHARED], resourcesTemplate=template), {"name": "shared"}) == ["shared", "more"]
    assert names(resource_set(resourcesTemplate=TEXT % "one")) == ["one"]


def test_a_resource_that_is_disabled_is_left_out_if_there_are_inputs() -> None:
    metadata = {"name": "a", "annotations": {"fluxcd.controlplane.io/reconcile": "disabled"}}
    found = resource_set(resources=[{**SHARED, "metadata": metadata}])

    assert names(found, {"name": "a"}) == []
    assert names(found) == ["a"]


def test_steps_are_created_in_their_order() -> None:
    steps: list[Json] = [{"name": "a", "resources": [CONFIG]}, {"name": "b", "resourcesTemplate": TEXT % "last"}]

    assert names(resource_set(steps=steps), {"name": "first"}) == ["first", "last"]
    with pytest.raises(TemplateError, match="two steps have the same object"):
        build_set(resource_set(steps=steps), [{"name": "last"}])


def test_objects_have_the_labels_of_their_set_its_common_metadata_and_its_position() -> None:
    (found,) = build_set(resource_set(resources=[SHARED], commonMetadata={"labels": {"team": "web"}}), []).documents

    group = "resourceset.fluxcd.controlplane.io"
    owner = {f"{group}/name": "apps", f"{group}/namespace": "flux-system"}
    assert found.object["metadata"]["labels"] == {**owner, "team": "web"}
    assert str(found.locate(fields("data"))).startswith("apps.yaml:1:")
    assert found.positions.key(()) is None


@pytest.mark.parametrize(
    ("spec", "reason"),
    [
        ({"resources": [CONFIG]}, "inputs.name is not set"),
        ({"resourcesTemplate": "a: [<< inputs.name >>"}, "inputs.name is not set"),
        ({"resourcesTemplate": "a: ["}, "a template does not render to objects"),
        ({"resources": [{"apiVersion": "v1", "kind": "List", "items": []}]}, "an entry of resources is not one object"),
        (
            {
                "resources": [
                    {**SHARED, "metadata": {"name": "a", "annotations": {"fluxcd.controlplane.io/copyFrom": "b"}}}
                ]
            },
            "configmap/a is a copy of an object of the cluster",
        ),
    ],
)
def test_sets_that_cannot_be_built_have_a_reason(spec: dict[str, Json], reason: str) -> None:
    with pytest.raises(TemplateError) as caught:
        build_set(resource_set(**spec), [])
    assert str(caught.value) == reason


def test_the_size_of_all_objects_is_limited() -> None:
    inputs: list[JsonObject] = [{"name": f"a{number}"} for number in range(100)]
    found = resource_set(resourcesTemplate=TEXT % "<< inputs.name >>" + f"#{'x' * 100_000}\n")

    with pytest.raises(TemplateError, match="its objects are too large"):
        build_set(found, inputs)
