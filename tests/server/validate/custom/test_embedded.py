"""Objects in custom resources, in the words of kube-apiserver 1.36."""

import pytest

from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.server.validate.custom.embedded import embedded_faults
from kubectl_applylint.server.validate.field_context import FieldContext

EMBEDDED: JsonObject = {"type": "object", "x-kubernetes-embedded-resource": True}
TYPED: JsonObject = {"apiVersion": "v1", "kind": "Pod"}


def faults_of(value: Json, schema: JsonObject = EMBEDDED) -> list[str]:
    return [f"{each.field}: {each.message}" for each in embedded_faults(FieldContext(value, step="spec"), schema)]


@pytest.mark.parametrize(
    ("value", "errors"),
    [
        pytest.param(TYPED, [], id="good"),
        pytest.param(
            {"apiVersion": "example.com/v1", "kind": "MyKind", "metadata": {"name": "A b"}}, [], id="path segment"
        ),
        pytest.param({}, ["spec.apiVersion: Required value", "spec.kind: Required value"], id="neither"),
        pytest.param(
            {"apiVersion": "", "kind": ""},
            [
                'spec.apiVersion: Invalid value: "": must not be empty',
                'spec.kind: Invalid value: "": must not be empty',
            ],
            id="empty",
        ),
        pytest.param(
            {**TYPED, "apiVersion": "a/b/c"},
            ['spec.apiVersion: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c'],
            id="no version",
        ),
        pytest.param({**TYPED, "apiVersion": 1}, [], id="another type is refused elsewhere"),
        pytest.param({**TYPED, "metadata": {"generateName": "a-"}}, [], id="no name"),
        pytest.param(None, [], id="null"),
    ],
)
def test_errors_of_an_embedded_object_are_named(value: Json, errors: list[str]) -> None:
    assert faults_of(value) == errors


def test_a_kind_is_a_label_in_any_case() -> None:
    (error,) = faults_of({**TYPED, "kind": "My_Kind"})

    assert error.startswith(
        'spec.kind: Invalid value: "My_Kind": may have mixed case, but should otherwise match: a DNS-1035 label must'
    )


def test_metadata_are_those_of_an_object() -> None:
    (error,) = faults_of({**TYPED, "metadata": {"name": "a/b", "labels": {"x": "1"}}})

    assert error.startswith('spec.metadata.name: Invalid value: "a/b"')
    assert [each.partition(":")[0] for each in faults_of({**TYPED, "metadata": {"labels": {"a b": ""}}})] == [
        "spec.metadata.labels"
    ]


def test_objects_are_found_inside_of_others() -> None:
    schema = {
        "properties": {"l": {"items": EMBEDDED}, "plain": {"type": "object"}},
        "additionalProperties": {"properties": {"o": EMBEDDED}},
    }
    value: JsonObject = {"l": [TYPED, {"kind": "Pod"}], "plain": {}, "k": {"o": {"apiVersion": "v1"}}}

    assert faults_of(value, schema) == ["spec.l[1].apiVersion: Required value", "spec[k].o.kind: Required value"]
