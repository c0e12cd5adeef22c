import pytest

from kubectl_applylint.core.outcome import FieldError
from kubectl_applylint.core.state import Unknown
from kubectl_applylint.core.values import MISSING, Json, Missing
from kubectl_applylint.server.validate.field_context import FieldContext, Occasion

SOMETHING = Unknown("only the server knows")
FIELD = FieldContext(
    {"spec": {"ports": [{"port": 80}, {"port": 81}], "map": {"b": 2, "a": 1}, "empty": "", "none": None, "on": True}},
    {"spec": {"ports": [{"port": 8}], "none": None, "on": True}},
    occasion=Occasion(creating=False),
)
SPEC = FIELD.child("spec")


def test_places_are_spelled_like_the_servers() -> None:
    spelled = FIELD.at("spec", "x", "y").with_step("[z]")
    places = [FIELD, *SPEC.child("ports").items(), *SPEC.child("map").entries(), spelled]

    assert [str(place) for place in places] == [
        "",
        "spec.ports[0]",
        "spec.ports[1]",
        "spec.map[a]",
        "spec.map[b]",
        "spec.x[z]",
    ]


def test_fields_have_their_stored_value() -> None:
    assert [(item.value, item.old) for item in SPEC.child("ports").items()] == [
        ({"port": 80}, {"port": 8}),
        ({"port": 81}, MISSING),
    ]
    assert SPEC.before().size("ports") == 1
    assert [SPEC.child(name).unchanged for name in ("on", "none", "nothing", "ports")] == [True, True, True, False]
    assert not FIELD._replace(occasion=Occasion()).unchanged


def test_questions_have_answers_where_nothing_stands() -> None:
    nothing = SPEC.child("nothing")

    assert (nothing.value, nothing.text(), nothing.number(), nothing.size()) == (MISSING, "", 0, 0)
    assert (list(nothing.items()), list(nothing.entries()), nothing.given(["a"])) == ([], [], [])
    assert (nothing.there, nothing.empty, nothing.flag(), nothing.has("x"), nothing.sets("x")) == (
        *(False, True),
        *(False, False, False),
    )


def test_empty_is_not_absent() -> None:
    assert (SPEC.child("empty").there, SPEC.has("empty"), SPEC.sets("empty")) == (True, False, True)
    assert (SPEC.child("none").there, SPEC.sets("none")) == (False, False)
    assert SPEC.given(("empty", "none", "on")) == ["empty", "on"]


def test_places_know_what_is_around_them() -> None:
    port = SPEC.child("ports").items()[0].child("port")

    assert (str(port.nearest(".spec")), str(port.nearest(".metadata")), port.root) == ("spec", "", FIELD)


PLACE = FieldContext({"f": "x"}).child("f")


@pytest.mark.parametrize(
    ("refusal", "expected"),
    [
        (PLACE.required(), "FieldValueRequired: Required value"),
        (PLACE.required("why"), "FieldValueRequired: Required value: why"),
        (PLACE.invalid(""), 'FieldValueInvalid: Invalid value: "x"'),
        (PLACE.invalid("why"), 'FieldValueInvalid: Invalid value: "x": why'),
        (PLACE.forbidden("why"), "FieldValueForbidden: Forbidden: why"),
        (PLACE.not_supported(("a", "b")), 'FieldValueNotSupported: Unsupported value: "x": supported values: "a", "b"'),
        (PLACE.duplicate(), 'FieldValueDuplicate: Duplicate value: "x"'),
        (PLACE.duplicate(5), "FieldValueDuplicate: Duplicate value: 5"),
        (PLACE.not_found(), 'FieldValueNotFound: Not found: "x"'),
        (PLACE.not_found("why"), 'FieldValueNotFound: Not found: "x": why'),
        (PLACE.too_long(5), "FieldValueTooLong: Too long: may not be more than 5 bytes"),
        (PLACE.too_many(5), "FieldValueTooMany: Too many: 0: must have at most 5 items"),
        (PLACE.with_value([1, 2]).too_many(1), "FieldValueTooMany: Too many: 2: must have at most 1 items"),
        (PLACE.immutable(), 'FieldValueInvalid: Invalid value: "x": field is immutable'),
    ],
)
def test_objections_have_the_servers_words(refusal: FieldError, expected: str) -> None:
    assert (refusal.field, f"{refusal.reason}: {refusal.message}") == ("f", expected)


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (MISSING, "null"),
        ("", '""'),
        ('a "b" <ä>', '"a \\"b\\" <ä>"'),
        (5, "5"),
        (True, "true"),
        ({"b": [1], "a": {}}, '{"a":{},"b":[1]}'),
    ],
)
def test_values_are_shown_like_the_servers(value: Json | Missing, shown: str) -> None:
    assert PLACE.with_value(value).immutable().message == f"Invalid value: {shown}: field is immutable"


def test_around_the_whole_object_is_nothing() -> None:
    whole = FieldContext({"a": {"b": 1}})

    assert whole.at("a", "b").parent == whole.child("a")
    assert not whole.parent.there
    assert not whole.parent.parent.sets("a")
