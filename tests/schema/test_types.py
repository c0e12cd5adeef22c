import pytest

from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.schema.types import Gvk, Kind, Node, Schema, Shape


def kind(resource: str, definition: JsonObject | None = None) -> Kind:
    return Kind("x.io/v1", "Lamp", Node(Shape.OBJECT), resource, True, False, definition=definition or {})


@pytest.mark.parametrize(
    ("strategy", "retains", "merges", "replaces"),
    [
        pytest.param((), False, False, False, id="none"),
        pytest.param(("merge",), False, True, False, id="merge"),
        pytest.param(("replace",), False, False, True, id="replace"),
        pytest.param(("retainKeys",), True, False, False, id="retainKeys"),
        pytest.param(("merge", "retainKeys"), True, True, False, id="both, as of volumes"),
    ],
)
def test_a_patch_strategy(strategy: tuple[str, ...], retains: bool, merges: bool, replaces: bool) -> None:
    node = Node(Shape.LIST, patch_strategy=strategy)

    assert (node.retains_keys, node.merges, node.replaces) == (retains, merges, replaces)


def test_fields_are_loaded_when_they_are_looked_up() -> None:
    def load() -> dict[str, Node]:
        loads.append("Lamp")
        return {"size": Node(Shape.INTEGER)}

    loads: list[str] = []
    node = Node(Shape.OBJECT, load_fields=load)

    assert loads == []
    assert node.fields == {"size": Node(Shape.INTEGER)}
    assert loads == ["Lamp"]


def test_a_kind_of_a_definition_is_custom() -> None:
    assert kind("lamps", {"kind": "CustomResourceDefinition"}).custom
    assert not kind("lamps").custom


def test_a_definition_goes_before_the_tables() -> None:
    tables, own = kind("tables"), kind("own")

    def load(gvk: Gvk) -> Kind | None:
        return tables if gvk[1] == "Lamp" else None

    assert Schema("1.36", "1.36", load).kind("x.io/v1", "Lamp") is tables
    assert Schema("1.36", "1.36", load, {("x.io/v1", "Lamp"): own}).kind("x.io/v1", "Lamp") is own
    assert Schema("1.36", "1.36", load, {("x.io/v2", "Lamp"): own}).kind("x.io/v1", "Lamp") is tables
    assert Schema("1.36", "1.36", load).kind("x.io/v1", "Shade") is None
