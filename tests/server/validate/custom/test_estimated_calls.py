"""Costs that the server assumes of single calls; ``estimates.jsonl`` has those of whole expressions."""

import pytest

from kubectl_applylint.server.validate.custom.cost_estimate import Estimate, Size
from kubectl_applylint.server.validate.custom.decls import Decl, declared_type
from kubectl_applylint.server.validate.custom.estimated_calls import call
from kubectl_applylint.server.validate.custom.estimating import estimate
from kubectl_applylint.server.validate.custom.evaluation import UnsupportedError

TEXT, LIST = Decl("string"), Decl("list", element=Decl("int"))
SCHEMA = {
    "type": "object",
    "properties": {
        "s": {"type": "string", "maxLength": 5},
        "l": {"type": "array", "maxItems": 10, "items": {"type": "integer"}},
        "w": {"type": "array", "maxItems": 10, "items": {"type": "string", "maxLength": 5}},
        "m": {"type": "object", "maxProperties": 10, "additionalProperties": {"type": "integer"}},
        "any": {"x-kubernetes-int-or-string": True},
    },
}


def estimate_of(kind: Decl, most: int, least: int = 0, cost: int = 0) -> Estimate:
    return Estimate(cost, kind, own=Size(least, most))


@pytest.mark.parametrize(
    ("name", "values", "cost", "kind"),
    [
        pytest.param("getScheme", [Estimate(0, Decl("url"))], 1, "string", id="fixed"),
        pytest.param("trim", [estimate_of(TEXT, 21)], 3, "string", id="through a text"),
        pytest.param(
            "startsWith", [estimate_of(TEXT, 999), estimate_of(TEXT, 11)], 2, "bool", id="through the second text"
        ),
        pytest.param("matches", [estimate_of(TEXT, 19), estimate_of(TEXT, 5)], 4, "bool", id="pattern"),
        pytest.param("contains", [estimate_of(TEXT, 20), estimate_of(TEXT, 11)], 4, "bool", id="text in a text"),
        pytest.param("sets.contains", [estimate_of(LIST, 3), estimate_of(LIST, 4)], 13, "bool", id="set in a set"),
        pytest.param("sets.equivalent", [estimate_of(LIST, 3), estimate_of(LIST, 4)], 25, "bool", id="sets"),
        pytest.param("sum", [estimate_of(LIST, 7)], 7, "int", id="through a list"),
        pytest.param("indexOf", [estimate_of(TEXT, 21)], 3, "int", id="search in a text"),
        pytest.param("string", [estimate_of(Decl("bytes"), 21)], 3, "string", id="bytes to text"),
        pytest.param("string", [estimate_of(Decl("int"), 1)], 1, "string", id="number to text"),
        pytest.param(
            "replace",
            [estimate_of(TEXT, 10), estimate_of(TEXT, 1), estimate_of(TEXT, 1)],
            2,
            "string",
            id="twice through a text",
        ),
        pytest.param("trim", [estimate_of(TEXT, 21, cost=7)], 10, "string", id="and what the text costs"),
        pytest.param("containsIP", [Estimate(0, Decl("cidr")), Estimate(0, Decl("ip"))], 4, "bool", id="block"),
    ],
)
def test_a_function_has_a_maximum_cost(name: str, values: list[Estimate], cost: int, kind: str) -> None:
    found = call(name, values[0], values[1:])

    assert (found.cost, found.kind.kind) == (cost, kind)


@pytest.mark.parametrize(
    ("old", "new", "most"),
    [
        pytest.param(Size(0, 3), Size(0, 4), 11 * 4 + 10, id="an empty part may be everywhere"),
        pytest.param(Size(2, 3), Size(0, 2), 10, id="not longer"),
        pytest.param(Size(3, 3), Size(0, 5), 4 * 5, id="longer"),
    ],
)
def test_a_replacement_has_a_maximum_size(old: Size, new: Size, most: int) -> None:
    found = call("replace", estimate_of(TEXT, 10), [Estimate(0, TEXT, own=old), Estimate(0, TEXT, own=new)])

    assert found.size.most == most


@pytest.mark.parametrize(
    ("name", "value", "why"),
    [
        pytest.param("foo", estimate_of(TEXT, 1), "unknown name 'foo'", id="no function"),
        pytest.param("trim", estimate_of(Decl("dyn"), 1), "a function of a value of any type", id="of any type"),
        pytest.param("value", estimate_of(TEXT, 1), "no optional value", id="not optional"),
    ],
)
def test_unknown_functions_have_no_estimate(name: str, value: Estimate, why: str) -> None:
    with pytest.raises(UnsupportedError, match=why):
        call(name, value, [])


@pytest.mark.parametrize(
    ("expression", "has_cost"),
    [
        ("has(self.s)", True),
        ("has(self)", False),
        ("self.l.all(x, x > 0)", True),
        ("self.m.exists(k, v, v > 0)", True),
        ("self.s.all(x, true)", False),
        ("self.any.all(x, true)", False),
        ("self.?s.orValue('')  == 'a'", True),
        ("self.?any.foo()", False),
        ("self.?s.optMap(x, x + 'a').hasValue()", True),
        ("self.s.optMap(x, x)", False),
    ],
)
def test_macros_of_values_whose_type_is_known(expression: str, has_cost: bool) -> None:
    decl = declared_type(SCHEMA)

    assert decl is not None
    assert (estimate(expression, decl, optional=False) is not None) == has_cost


@pytest.mark.parametrize(
    ("macro", "inner"),
    [
        pytest.param("all(x, x > 0)", 3 + 2, id="all"),
        pytest.param("exists(x, x > 0)", 4 + 2, id="exists"),
        pytest.param("exists_one(x, x > 0)", 2 + 2, id="exists_one"),
        pytest.param("map(x, x + 1)", 12 + 2, id="map"),
        pytest.param("map(x, x > 0, x + 1)", 12 + 2 + 2, id="map with a test"),
        pytest.param("filter(x, x > 0)", 13 + 2, id="filter"),
    ],
)
def test_a_loop_costs_its_inside_for_each_element(macro: str, inner: int) -> None:
    def cost(items: int) -> int:
        decl = declared_type({"type": "array", "maxItems": items, "items": {"type": "integer"}})
        assert decl is not None
        found = estimate(f"self.{macro}", decl, optional=False)
        assert found is not None
        return found

    assert cost(11) - cost(10) == inner
