import pytest

from kubectl_applylint.core.outcome import FieldError
from kubectl_applylint.core.paths import render
from kubectl_applylint.core.values import Json
from kubectl_applylint.engine.errors import (
    ErrorText,
    error_text,
    explained_errors,
    first_line,
    path_of_error,
    places_of_decode_error,
)

ENV = FieldError("spec.containers[0].env[1].valueFrom", "FieldValueInvalid", 'Invalid value: "": may not be specified')


@pytest.mark.parametrize(
    ("error", "facts"),
    [
        (ErrorText(field="spec.containers[0].env[1].valueFrom"), {}),
        (ErrorText(field="spec.*.valueFrom"), {}),
        (ErrorText(field="*.env[{index}].{member}"), {"index": "1", "member": "valueFrom"}),
        (ErrorText(field="spec.containers"), None),
        (ErrorText(message="may not"), {}),
        (ErrorText(message='value: "{value}": may {rest}'), {"value": "", "rest": "not be specified"}),
        (ErrorText(message="may*"), None),
        (ErrorText(field="spec.*", message="is required"), None),
        (ErrorText(message="may not", kinds=("Pod", "Job")), {}),
        (ErrorText(message="may not", kinds=("Job",)), None),
    ],
    ids=[
        "the whole field",
        "any text between",
        "names in a field",
        "a part of the field",
        "a part of the message",
        "names in a message",
        "an asterisk of the message is one",
        "another message",
        "the kind",
        "another kind",
    ],
)
def test_a_text_describes_a_cause_by_field_message_and_kind(error: ErrorText, facts: dict[str, str] | None) -> None:
    assert error.facts("Pod", ENV) == facts


def test_braces_of_a_message_are_doubled() -> None:
    cause = FieldError("spec.selector", "FieldValueInvalid", "Invalid value: {}: field is immutable")

    assert ErrorText(message="value: {{}}: field").facts("Deployment", cause) == {}


def test_the_first_text_that_describes_a_cause_gives_the_facts() -> None:
    other = FieldError("spec", "", "else")
    errors = (ErrorText(field="*[{one}].valueFrom"), ErrorText(message="may {two} be"))

    assert explained_errors(errors, "Pod", [ENV, other]) == {ENV: {"one": "1"}}


WRITTEN: Json = {
    "metadata": {"labels": {"a.b/c": "x"}},
    "data": {"tls.crt": ""},
    "spec": {"loadBalancerSourceRanges": ["x"], "volumeMode": "Block", "ports": [{"port": 1}]},
}


@pytest.mark.parametrize(
    ("field", "path"),
    [
        ("spec.ports[0].port", "spec.ports[0].port"),
        ("spec.ports[0].name", "spec.ports[0].name"),
        ("spec.selector.matchLabels", "spec.selector"),
        ("spec.LoadBalancerSourceRanges[0]", "spec.loadBalancerSourceRanges[0]"),
        ("volumeMode", "spec.volumeMode"),
        ("data[tls.crt]", 'data["tls.crt"]'),
        ("data[.dockerconfigjson]", 'data[".dockerconfigjson"]'),
        (".spec.ports", "spec.ports"),
        ("<nil>", ""),
        ("", ""),
    ],
)
def test_the_path_of_an_error_ends_with_the_known_fields(field: str, path: str) -> None:
    assert render(path_of_error(field, WRITTEN)) == path


DEFINITION: Json = {
    "spec": {"scope": "Cluster", "versions": [{"schema": {"openAPIV3Schema": {}}, "subresources": {"scale": {}}}]}
}


@pytest.mark.parametrize(
    ("field", "path"),
    [
        ("spec.validation.openAPIV3Schema.type", "spec.versions[0].schema.openAPIV3Schema.type"),
        ("spec.subresources.scale.specReplicasPath", "spec.versions[0].subresources.scale.specReplicasPath"),
        ("spec.selectableFields[0].jsonPath", "spec.selectableFields"),
        ("spec.scope", "spec.scope"),
        ("spec", "spec"),
    ],
)
def test_a_field_of_all_versions_is_found_in_the_first(field: str, path: str) -> None:
    assert render(path_of_error(field, DEFINITION)) == path


LONG = '{"Spec":"' + "x" * 300 + '"}'


@pytest.mark.parametrize(
    ("message", "text"),
    [
        ("Required value", "Required value"),
        ("Forbidden: not this\n@@ -1 +1 @@\n-a", "Forbidden: not this"),
        (f"Invalid value: {LONG}: field is immutable", "Invalid value: …: field is immutable"),
        (f"Duplicate value: {LONG}", "Duplicate value: …"),
        ("Forbidden: " + "y" * 300, "Forbidden: " + "y" * 228 + "…"),
        ("failed: errors:\n  .a: not declared\n  .b: not declared", "failed: .a: not declared (and 1 more)"),
        ("failed: errors:", "failed: errors:"),
    ],
    ids=["short", "the first line", "a long value", "nothing but a value", "long words", "several", "none"],
)
def test_long_values_are_left_out(message: str, text: str) -> None:
    assert first_line(message) == text


def test_an_error_text_begins_with_its_field() -> None:
    assert error_text(FieldError("spec.x", "", "Required value")) == "spec.x: Required value"
    assert error_text(FieldError("", "", "invalid JSON document")) == "invalid JSON document"
    assert error_text(FieldError("data", "", "Forbidden: a\nb")) == "data: Forbidden: a"
    assert error_text(FieldError("data", "", "Forbidden: a\nb"), whole=True) == "data: Forbidden: a\nb"


@pytest.mark.parametrize(
    ("type_", "field", "written", "places"),
    [
        ("string", "S.spec.replicas", {"spec": {"replicas": "3"}}, ["spec.replicas"]),
        ("number", "C.data", {"data": {"a": "x", "b": 1, "c": True}}, ["data.b"]),
        ("bool", "C.data", {"data": {"a": "x", "b": 1, "c": True}}, ["data.c"]),
        ("number", "E.env.value", {"env": [{"value": "x"}, {"value": 1}, {"name": "y"}]}, ["env[1].value"]),
        ("number", "E.args", {"args": ["x", 1]}, ["args[1]"]),
        ("array", "E.args", {"args": ["x", 1]}, ["args"]),
        ("object", "S.spec", {"spec": {"a": 1}}, ["spec"]),
        ("number", "S.status", {"spec": {"a": 1}}, []),
    ],
)
def test_a_decode_error_has_the_places_of_its_values(type_: str, field: str, written: Json, places: list[str]) -> None:
    message = f"json: cannot unmarshal {type_} into Go struct field {field} of type string"

    assert [*map(render, places_of_decode_error(message, written))] == places


def test_other_messages_have_no_places() -> None:
    assert [*places_of_decode_error("illegal base64 data at input byte 3", {"data": {}})] == []
