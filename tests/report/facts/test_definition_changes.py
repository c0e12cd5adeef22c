from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.report.facts.definition_changes import DefinitionChange, definition_changes


def definition(fields: Json, *versions: str, unserved: str = "") -> JsonObject:
    schema = {"openAPIV3Schema": {"type": "object", "properties": {"spec": {"type": "object", "properties": fields}}}}
    served = [{"name": name, "served": name != unserved, "schema": schema} for name in versions]
    return {"kind": "CustomResourceDefinition", "metadata": {"name": "webs.shop"}, "spec": {"versions": served}}


TEXT: Json = {"type": "string"}
RULES: Json = {"items": {"properties": {"host": {"additionalProperties": {"properties": {"port": TEXT}}}}}}


def test_versions_and_the_outermost_fields_that_come_and_go() -> None:
    before = definition({"size": TEXT, "gone": {"properties": {"inner": TEXT}}}, "v1alpha1", "v1")
    after = definition({"size": TEXT, "rules": RULES}, "v1alpha1", "v1", "v2", unserved="v1alpha1")

    assert definition_changes([(before, after)]) == (
        DefinitionChange("webs.shop", ("v2",), ("v1alpha1",), ("spec.rules",), ("spec.gone",)),
    )


def test_fields_in_lists_and_maps() -> None:
    before = definition({"rules": {"items": {"properties": {"host": {"additionalProperties": TEXT}}}}}, "v1")
    (found,) = definition_changes([(before, definition({"rules": RULES}, "v1"))])

    assert (found.fields_added, found.fields_removed) == (("spec.rules[].host.*.port",), ())


def test_fields_inside_of_a_new_list_or_map_are_not_named() -> None:
    (found,) = definition_changes([(definition({}, "v1"), definition({"rules": RULES}, "v1"))])

    assert found.fields_added == ("spec.rules",)


def test_definitions_with_other_descriptions_are_left_out() -> None:
    described = definition({"size": {**TEXT, "description": "the size"}}, "v1")

    assert definition_changes([(definition({"size": TEXT}, "v1"), described)]) == ()


def test_new_and_removed_definitions_and_other_kinds_are_left_out() -> None:
    one = definition({}, "v1")

    assert definition_changes([(None, one), (one, None), ({"kind": "Role"}, {"kind": "Role"})]) == ()
