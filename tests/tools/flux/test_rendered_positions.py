"""Positions of objects that another object declares."""

from kubectl_applylint.core.paths import fields
from kubectl_applylint.tools.flux.rendered_positions import at_declaration, is_chart_definition
from tests.units.documents import documents

OBJECT = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: %s}\n"


def test_an_object_is_where_its_declaring_object_is() -> None:
    declaring, other = documents(f"\n\n{OBJECT % 'a'}---\n{OBJECT % 'b'}", "a.yaml")
    found = at_declaration(other, declaring, 3)

    assert (found.ref.name, found.index, found.is_templated) == ("b", 3, True)
    assert str(found.locate(fields("metadata", "name"))) == str(declaring.locate(()))


def test_a_definition_of_a_chart_is_marked() -> None:
    (declaring,) = documents(OBJECT % "a", "a.yaml")
    found = [at_declaration(declaring, declaring, 0, is_chart_definition=is_marked) for is_marked in (True, False)]

    assert [is_chart_definition(one) for one in (*found, declaring)] == [True, False, False]
