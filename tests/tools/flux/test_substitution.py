"""Variables of Kustomizations, and holes."""

from collections.abc import Mapping

import pytest

from kubectl_applylint.core.paths import fields, parse
from kubectl_applylint.core.state import Unknown
from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.tools.flux.envsubst import SubstitutionError, ValueHole
from kubectl_applylint.tools.flux.substitution import (
    Source,
    SubstituteReference,
    Variables,
    has_expressions,
    is_excluded,
    is_substituted,
    substitute_references,
    substitute_text,
    variables_of,
    with_holes,
    with_unknown_values,
)

MADE = Unknown("Secret made is created in the cluster")
HOLE = ValueHole("x", "${x}", MADE.reason)


def kustomization(sources: Json = (), **post_build: Json) -> JsonObject:
    return {"spec": {"postBuild": {"substituteFrom": [*sources], **post_build}}}


def reference(name: str, kind: str = "ConfigMap", **more: Json) -> JsonObject:
    return {"kind": kind, "name": name, **more}


def variables_for(objects: Mapping[str, Source], sources: Json, **post_build: Json) -> Variables:
    return variables_of(kustomization(sources, **post_build), lambda one: objects.get(one.name))


def test_references_are_config_maps_and_secrets_in_order() -> None:
    sources = [reference("b"), reference("a", "Secret", optional=True), reference("c", "Pod")]

    assert substitute_references(kustomization(sources)) == (
        SubstituteReference("ConfigMap", "b"),
        SubstituteReference("Secret", "a", is_optional=True),
    )


def test_later_objects_win_and_the_kustomization_over_all() -> None:
    objects: dict[str, Source] = {"one": {"a": "1", "b": "1", "c": "1\n2\n"}, "two": {"b": "2", "d": MADE}}
    variables = variables_for(objects, [reference("one"), reference("two")], substitute={"a": "3\n"})

    assert variables.values == {"a": "3", "b": "2", "c": "12", "d": MADE}
    assert variables.lookup("e") is None


def test_an_object_whose_keys_are_unknown_may_set_any_variable() -> None:
    variables = variables_for(
        {"one": {"a": "1"}, "made": MADE}, [reference("one"), reference("made")], substitute={"b": "2"}
    )

    assert [variables.lookup(name) for name in ("a", "b", "c")] == [MADE, "2", MADE]


@pytest.mark.parametrize(
    ("sources", "post_build", "fault"),
    [
        ([reference("none")], {}, "ConfigMap none in spec.postBuild.substituteFrom does not exist"),
        ([reference("none", optional=True)], {}, ""),
        ([], {"substitute": {"a": 1}}, "spec.postBuild.substitute.a is not a string; quote it"),
        ([], {"substitute": {"a-b": "1"}}, "the variable name 'a-b' is not valid: use letters, digits and _"),
        ([], {"substitute": {"a\n": "1"}}, "the variable name 'a\\n' is not valid: use letters, digits and _"),
    ],
)
def test_faults(sources: Json, post_build: JsonObject, fault: str) -> None:
    assert variables_for({}, sources, **post_build).fault == fault


@pytest.mark.parametrize(
    ("item", "variables", "expected"),
    [
        ({}, Variables({"a": ""}), False),
        (kustomization(), Variables(), False),
        (kustomization(), Variables({"a": ""}), True),
        (kustomization(), Variables(others=MADE), True),
        (kustomization(), Variables(fault="x"), True),
        (kustomization(substituteStrategy="Always"), Variables(), True),
        (kustomization(substituteStrategy="WithVariables"), Variables(), False),
    ],
)
def test_flux_substitutes_if_there_are_variables(item: JsonObject, variables: Variables, expected: bool) -> None:
    assert is_substituted(item, variables) is expected


def test_a_label_or_annotation_excludes_an_object() -> None:
    mark = {"kustomize.toolkit.fluxcd.io/substitute": "disabled"}

    assert is_excluded({"metadata": {"labels": mark}})
    assert is_excluded({"metadata": {"annotations": mark}})
    assert not is_excluded({"metadata": {"annotations": {**mark, "kustomize.toolkit.fluxcd.io/substitute": "enabled"}}})


@pytest.mark.parametrize(
    ("value", "expected"), [({"a": ["$"]}, True), ({"a$": 1}, True), ({"a": ["b", 1, None]}, False)]
)
def test_expressions_have_a_dollar(value: Json, expected: bool) -> None:
    assert has_expressions(value) is expected


def test_a_hole_is_a_token_until_the_text_is_parsed() -> None:
    text, holes = substitute_text("a: ${x}-${x}\nb: ${y^}\nc: ${z}\n", Variables({"x": MADE, "y": MADE, "z": "1"}))
    other = ValueHole("y", "${y^}", MADE.reason)

    assert holes == (HOLE, other)
    first, last = "\ue0000\ue001", "\ue0001\ue001"
    assert text == f"a: {first}-{first}\nb: {last}\nc: 1\n"
    value, places = with_holes({"a": f"{first}-{first}", "b": [f"{first}{last}", 1], last: {"c": first}}, holes)
    assert value == {"a": "${x}-${x}", "b": ["${x}${y^}", 1], "${y^}": {"c": "${x}"}}
    assert places == {
        parse("a"): (HOLE,),
        parse("b[0]"): (HOLE, other),
        fields("${y^}"): (other,),
        fields("${y^}", "c"): (HOLE,),
    }
    assert with_unknown_values(value, places) == {
        "a": Unknown(MADE.reason, written="${x}-${x}"),
        "b": [Unknown(MADE.reason, written="${x}${y^}"), 1],
        "${y^}": Unknown(MADE.reason, written="{'c': '${x}'}"),
    }


def test_characters_that_only_look_like_a_token_stay() -> None:
    assert with_holes("\ue0007\ue001", [HOLE]) == ("\ue0007\ue001", {})
    assert with_holes("\ue0000\ue001", []) == ("\ue0000\ue001", {})


def test_a_key_and_its_value_may_both_have_holes() -> None:
    token = "\ue0000\ue001"
    _, places = with_holes({token: token}, [HOLE])

    assert places == {fields("${x}"): (HOLE, HOLE)}


def test_a_part_of_a_character_is_an_error() -> None:
    with pytest.raises(SubstitutionError, match="not valid UTF-8"):
        substitute_text("${x:0:1}", Variables({"x": "é"}))
    assert substitute_text("é ${x}", Variables({"x": "é"})) == ("é é", ())
