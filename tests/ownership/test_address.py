"""Paths of fields, as people and as managedFields spell them."""

import pytest

from kubectl_applylint.core.paths import parse, render
from kubectl_applylint.core.values import MISSING, Json, JsonObject
from kubectl_applylint.merge.typed import DEDUCED
from kubectl_applylint.ownership.address import address
from kubectl_applylint.schema.load import load

KIND = load("1.36").kind("apps/v1", "Deployment")
assert KIND is not None
ROOT = KIND.root
PORTS = [{"containerPort": 80, "protocol": "UDP"}, {"containerPort": 80}]
LIVE: JsonObject = {
    "metadata": {"finalizers": ["x.io/a", "x.io/b"], "labels": {"a.b/c": "d"}},
    "spec": {
        "selector": {"matchLabels": {"app": "web"}},
        "template": {
            "spec": {"containers": [{"name": "log"}, {"name": "web", "args": ["-v", "-q"], "ports": PORTS}]},
        },
    },
}
WEB = "spec.template.spec.containers[name=web]"
WEB_ELEMENTS = ("f:spec", "f:template", "f:spec", "f:containers", 'k:{"name":"web"}')


@pytest.mark.parametrize(
    ("text", "path", "elements", "value"),
    [
        ("spec.replicas", "spec.replicas", ("f:spec", "f:replicas"), MISSING),
        ("spec.template.spec.containers[1].name", f"{WEB}.name", (*WEB_ELEMENTS, "f:name"), "web"),
        (f"{WEB}.name", f"{WEB}.name", (*WEB_ELEMENTS, "f:name"), "web"),
        (
            f"{WEB}.ports[containerPort=80].protocol",
            f"{WEB}.ports[containerPort=80,protocol=UDP].protocol",
            (*WEB_ELEMENTS, "f:ports", 'k:{"containerPort":80,"protocol":"UDP"}', "f:protocol"),
            "UDP",
        ),
        (
            f"{WEB}.ports[containerPort=80,protocol=TCP].containerPort",
            f"{WEB}.ports[containerPort=80,protocol=TCP].containerPort",
            (*WEB_ELEMENTS, "f:ports", 'k:{"containerPort":80,"protocol":"TCP"}', "f:containerPort"),
            80,
        ),
        (f"{WEB}.args[1]", f"{WEB}.args[1]", (*WEB_ELEMENTS, "f:args"), "-q"),
        ("spec.selector.matchLabels.app", "spec.selector.matchLabels.app", ("f:spec", "f:selector"), "web"),
        (
            'metadata.finalizers[="x.io/b"]',
            'metadata.finalizers[="x.io/b"]',
            ("f:metadata", "f:finalizers", 'v:"x.io/b"'),
            "x.io/b",
        ),
        (
            "metadata.finalizers[0]",
            'metadata.finalizers[="x.io/a"]',
            ("f:metadata", "f:finalizers", 'v:"x.io/a"'),
            "x.io/a",
        ),
        ('metadata.labels["a.b/c"]', 'metadata.labels["a.b/c"]', ("f:metadata", "f:labels", "f:a.b/c"), "d"),
        (
            "spec.template.spec.containers[name=no].image",
            "spec.template.spec.containers[name=no].image",
            ("f:spec", "f:template", "f:spec", "f:containers", 'k:{"name":"no"}', "f:image"),
            MISSING,
        ),
        ('metadata.finalizers[="no"]', 'metadata.finalizers[="no"]', ("f:metadata", "f:finalizers", 'v:"no"'), MISSING),
        ("metadata.finalizers[9]", "metadata.finalizers[9]", ("f:metadata", "f:finalizers", "i:9"), MISSING),
    ],
)
def test_a_place_is_found(text: str, path: str, elements: tuple[str, ...], value: Json) -> None:
    place = address(parse(text), ROOT, LIVE)

    assert (str(place), place.elements, place.value) == (path, elements, value)


def test_positions_lead_to_the_same_place() -> None:
    assert render(address(parse(f"{WEB}.args[0]"), ROOT, LIVE).positions) == "spec.template.spec.containers[1].args[0]"


@pytest.mark.parametrize(
    ("text", "is_part", "owned"),
    [
        ("spec.selector.matchLabels.app", True, "spec.selector"),
        ("spec.selector", False, "spec.selector"),
        (f"{WEB}.args[1]", True, f"{WEB}.args"),
        (f"{WEB}.name", False, f"{WEB}.name"),
    ],
)
def test_a_part_is_owned_with_the_whole(text: str, is_part: bool, owned: str) -> None:
    place = address(parse(text), ROOT, LIVE)

    assert (place.is_part, render(place.owned)) == (is_part, owned)


def test_elements_without_their_key_are_named_by_position() -> None:
    live = {"spec": {"template": {"spec": {"containers": [{"name": "web"}, "odd"]}}}}

    place = address(parse("spec.template.spec.containers[1]"), ROOT, live)

    assert (str(place), place.value) == ("spec.template.spec.containers[1]", "odd")


@pytest.mark.parametrize(("text", "value"), [("a.b[0].c", 1), ('a.b[c="1"].c', 1), ("a.b[d=2].c", MISSING)])
def test_without_a_schema_lists_are_wholes(text: str, value: Json) -> None:
    place = address(parse(text), DEDUCED, {"a": {"b": [{"c": 1}]}})

    assert (place.elements, place.value) == (("f:a", "f:b"), value)
