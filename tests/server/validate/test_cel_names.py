"""Names in expressions that nothing declares; each expression was compiled by kube-apiserver 1.36.3 on 2026-11-21."""

import re

import pytest

from kubectl_applylint.server.validate.cel_names import undeclared_names_message

DECLARED = ("authorizer", "namespaceObject", "object", "oldObject", "request")


def missing(expression: str) -> list[str]:
    return re.findall(r"undeclared reference to '(\w+)'", undeclared_names_message(expression, DECLARED))


@pytest.mark.parametrize(
    ("expression", "names"),
    [
        ("new", ["new"]),
        ("true && foo", ["foo"]),
        ("object.metadata.name == bar.baz", ["bar"]),
        ("x.all(y, y)", ["x"]),
        ("undefined1 || undefined2", ["undefined1", "undefined2"]),
        ("size(foo) > 1", ["foo"]),
        ("self == 1", ["self"]),
    ],
)
def test_undeclared_names_are_found(expression: str, names: list[str]) -> None:
    assert missing(expression) == names


@pytest.mark.parametrize(
    "expression",
    [
        "object.spec.replicas > 1",
        "object.?metadata.?name.orValue('x') == 'x'",
        "[1,2].all(i, i > 0)",
        "[1,2].exists(i, v, v > 0)",
        "{'a':1}.transformMap(k, v, v+1).size() == 1",
        "object.items.filter(x, x.y).exists_one(z, z == 1)",
        "optional.none().hasValue() == false",
        "ip.isCanonical('1.2.3.4')",
        "format.dns1123Label().validate('a').hasValue() == false",
        "quantity('1Gi').isGreaterThan(quantity('1Mi'))",
        "type(null) == null_type && type(1u) == uint && type(int) == type",
        "authorizer.requestResource.check('get').allowed()",
        "object.x.y['z'] == \"a 'quoted' word\"",
        r"r'\d+' == 'a'",
        r"r'\' == 'a' || 'b c' == R'\'",
        r"'it\'s so' == 'a' && b'\x00' == br'\'",
        "'''a\nb foo''' == 'x'",
        "google.protobuf.Duration{seconds: 1} == duration('1s')",
        "// just words\ntrue",
        "{?'a': optional.of(1)}.size() == 1",
        "[?optional.of(1)].size() == 1",
    ],
)
def test_expressions_that_a_server_accepts_have_no_undeclared_name(expression: str) -> None:
    assert missing(expression) == []


@pytest.mark.parametrize(
    ("expression", "fields"),
    [
        ("variables.replicas > 1 && has(variables.replica)", ["replica"]),
        ("variables.replicas.a.b", []),
        ("object.variables.a", []),
        ("variables.filter(x, x.a) == [1]", []),
        ("[1].all(variables, variables.a > 1)", []),
        ("variables.?replica.hasValue()", ["replica"]),
    ],
)
def test_only_declared_fields_of_a_variable_are_known(expression: str, fields: list[str]) -> None:
    message = undeclared_names_message(expression, (*DECLARED, "variables", "variables.", "variables.replicas"))

    assert re.findall(r"undefined field '(\w+)'", message) == fields


def test_a_place_is_given_by_line_and_column() -> None:
    message = undeclared_names_message("\n  object.a == zz", DECLARED)

    assert message == (
        "ERROR: <input>:2:15: undeclared reference to 'zz' (in container '')\n |   object.a == zz\n | ..............^"
    )


def test_a_field_error_is_placed_at_its_dot_or_its_call() -> None:
    message = undeclared_names_message("has(variables.a) || variables.b", ("variables", "variables."))

    assert re.findall(r"<input>:1:(\d+)", message) == ["4", "30"]


@pytest.mark.parametrize("text", ["'object == new", 'a"b'], ids=["open text", "open text at the end"])
def test_an_invalid_expression_has_no_undeclared_names(text: str) -> None:
    assert missing(text) == []
