"""Nothing is rejected because of a bundled definition alone."""

from dataclasses import replace
from functools import partial

import pytest

from kubectl_applylint.appliers.request import Applier, ApplyRequest
from kubectl_applylint.core.outcome import Confidence, Level, Outcome, Verdict
from kubectl_applylint.core.paths import render
from kubectl_applylint.core.state import Absent, Present, State
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.engine.bundled_definitions import sparing_bundled_definitions
from kubectl_applylint.engine.predict import predict
from kubectl_applylint.schema.load import load
from kubectl_applylint.schema.types import Schema

LAMP = {"apiVersion": "x.io/v1", "kind": "Lamp", "metadata": {"name": "a", "namespace": "x"}}
SPEC = {
    "type": "object",
    "required": ["color"],
    "properties": {
        "color": {"type": "string"},
        "watts": {"type": "integer", "minimum": 1, "maximum": 9, "default": 5},
        "parts": {"type": "array", "items": {"type": "string"}, "minItems": 2, "maxItems": 3},
    },
    "x-kubernetes-preserve-unknown-fields": True,
}
CRD: JsonObject = {
    "apiVersion": "apiextensions.k8s.io/v1",
    "kind": "CustomResourceDefinition",
    "metadata": {"name": "lamps.x.io"},
    "spec": {
        "group": "x.io",
        "scope": "Namespaced",
        "names": {"kind": "Lamp", "plural": "lamps"},
        "versions": [
            {
                "name": "v1",
                "served": True,
                "storage": True,
                "schema": {"openAPIV3Schema": {"type": "object", "properties": {"spec": SPEC}}},
            }
        ],
    },
}
SCHEMA = load("1.36", bundled=[("lamp v1.2.3", CRD)])


def _outcome(
    manifest: JsonObject,
    live: JsonObject | None = None,
    *,
    applier: Applier = Applier.KUBECTL_CLIENT,
    schema: Schema = SCHEMA,
) -> Outcome:
    def by(schema: Schema, manifest: JsonObject, state: State) -> Outcome:
        return predict(ApplyRequest(manifest=manifest, state=state, schema=schema, applier=applier))

    predicting = sparing_bundled_definitions(partial(by, schema), partial(by, schema.without_bundled()), schema)
    return predicting(manifest, State(Absent() if live is None else Present(live)))


def test_an_accepted_object_has_the_defaults_and_names_the_definition() -> None:
    found = _outcome({**LAMP, "spec": {"color": "red", "later": 1}})

    assert (found.verdict, found.bundled_definition, found.possible_errors) == (Verdict.CREATED, "lamp v1.2.3", ())
    assert found.confidence == Confidence()
    assert found.result is not None
    assert found.result["spec"] == {"color": "red", "watts": 5, "later": 1}


@pytest.mark.parametrize(
    ("spec", "errors"),
    [
        ({}, ["spec.color: Required value"]),
        ({"color": 1}, ["spec.color: Invalid value"]),
        ({"color": "red", "watts": 20, "parts": []}, ["should be less than or equal to 9", "at least 2 items"]),
        ({"watts": 20, "parts": []}, ["spec.color: Required value", "; 1 more error ("]),
        ({"watts": True, "parts": [1]}, ["; 2 more errors ("]),
    ],
    ids=["required", "type", "bounds", "three errors", "four errors"],
)
def test_an_object_that_the_definition_rejects_may_be_rejected(spec: JsonObject, errors: list[str]) -> None:
    found = _outcome({**LAMP, "spec": spec})

    assert (found.verdict, found.refused, found.errors, found.status) == (Verdict.CREATED, False, (), None)
    assert found.causes == found.possible_errors != ()
    assert found.result is not None
    assert found.result["spec"] == {"watts": 5, **spec}
    assert found.confidence.level is Level.LOW
    assert all(words in found.confidence.reasons[0] for words in errors)
    assert found.confidence.reasons[0].endswith("(bundled definition of lamp v1.2.3)")


def test_a_change_that_the_definition_rejects_is_shown_as_if_it_were_accepted() -> None:
    live = _outcome({**LAMP, "spec": {"color": "red"}}).result
    found = _outcome({**LAMP, "spec": {"color": "red", "watts": 20}}, live)

    assert found.verdict is Verdict.CONFIGURED
    assert [(render(change.path), change.after) for change in found.changes if "spec" in render(change.path)] == [
        ("spec.watts", 20)
    ]


def test_a_type_that_server_side_apply_rejects_may_be_rejected() -> None:
    found = _outcome({**LAMP, "spec": {"color": "red", "parts": {"a": 1}}}, applier=Applier.KUBECTL_SERVER)

    assert (found.verdict, found.validated) == (Verdict.SERVERSIDE_APPLIED, True)
    assert "failed to create typed patch object" in found.possible_errors[0].message
    assert found.result is not None


def test_errors_that_need_no_definition_reject_the_object() -> None:
    found = _outcome({**LAMP, "metadata": {"name": "A", "namespace": "x"}, "spec": {}})

    assert (found.verdict, found.bundled_definition) == (Verdict.REJECTED, "lamp v1.2.3")
    assert [cause.field for cause in found.errors] == ["metadata.name"]
    assert found.possible_errors == ()


def test_a_rule_that_cannot_be_evaluated_lowers_no_confidence() -> None:
    """The rules of the cluster's definition are not known either."""
    reason = "not evaluated: the rule"
    doubts = [
        Confidence(Level.MEDIUM, (reason,), (reason,)),
        Confidence(Level.LOW, ("other", reason), (reason,)),
        Confidence(Level.MEDIUM, ("other", reason), (reason,)),
    ]
    manifest: JsonObject = {**LAMP, "spec": {"color": "red"}}
    accepted = _outcome(manifest)

    def predict_with_doubt(manifest: JsonObject, state: State) -> Outcome:
        return replace(accepted, confidence=remaining.pop(0))

    remaining = list(doubts)
    predicting = sparing_bundled_definitions(predict_with_doubt, _never, SCHEMA)
    found = [predicting(manifest, State(Absent())).confidence for _ in doubts]

    assert found == [Confidence(), Confidence(Level.LOW, ("other",)), Confidence(Level.MEDIUM, ("other",))]


def _never(manifest: JsonObject, state: State) -> Outcome:
    raise AssertionError("an accepted object was predicted without its definition")


def test_other_kinds_are_predicted_as_before() -> None:
    found = _outcome({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "A", "namespace": "x"}})

    assert (found.verdict, found.bundled_definition) == (Verdict.REJECTED, "")
