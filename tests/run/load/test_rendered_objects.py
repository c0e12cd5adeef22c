"""The objects of units as their tools send them."""

import pytest

from kubectl_applylint.appliers.flags import Flags, NamespaceUse
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.run.load.rendered_objects import rendered_objects
from kubectl_applylint.run.load.run_input import RunInput, input_of_manifests
from kubectl_applylint.sources.text.manifests import read_text

MAP = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\n"
PLACED = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: till, namespace: bank}\n"
ROLE = "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: all, namespace: bank}\n"
LAMP = "apiVersion: example.com/v1\nkind: Lamp\nmetadata: {name: one}\n"


def rendered_set(*texts: str, flags: Flags) -> tuple[JsonObject, ...]:
    return rendered_objects(input_of_manifests(read_text("---\n".join(texts), "all.yaml"), flags=flags))


def namespaces(objects: tuple[JsonObject, ...]) -> list[str | None]:
    return [item["metadata"].get("namespace") for item in objects]


@pytest.mark.parametrize(
    ("use", "expected"),
    [
        pytest.param(NamespaceUse.DEFAULT, ["shop", "bank", "bank", None], id="the default of a release"),
        pytest.param(NamespaceUse.REPLACED, ["shop", "shop", "shop", None], id="the target namespace of Flux"),
    ],
)
def test_objects_have_the_namespace_of_their_unit(use: NamespaceUse, expected: list[str | None]) -> None:
    objects = rendered_set(MAP, PLACED, ROLE, LAMP, flags=Flags(namespace="shop", namespace_use=use, is_unit=True))

    assert namespaces(objects) == expected


def test_a_kind_without_definition_is_namespaced_if_another_object_of_it_is() -> None:
    other = LAMP.replace("name: one", "name: two, namespace: hall")

    assert namespaces(rendered_set(LAMP, other, flags=Flags(namespace="shop"))) == ["shop", "hall"]


def test_without_a_namespace_objects_are_as_written() -> None:
    assert namespaces(rendered_set(MAP, PLACED, ROLE, flags=Flags(is_unit=True))) == [None, "bank", "bank"]


def test_a_unit_without_objects_has_none() -> None:
    assert rendered_objects(RunInput()) == ()
