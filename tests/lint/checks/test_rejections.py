"""Places and facts of refusals that the cases of the rules do not show."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from kubectl_applylint.appliers.flags import Flags
from kubectl_applylint.core.paths import render
from kubectl_applylint.core.state import Present
from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.engine.errors import ErrorText
from kubectl_applylint.lint.checks.rejections import check
from kubectl_applylint.lint.model import Hit, Scenario, Subject
from tests.rules.stories import subject

LABELS = {"app": "db"}
PORTS = ["spec.ports[port=0].targetPort", "spec.ports[port=0].port"]


def stateful_set(**spec: Json) -> JsonObject:
    template = {"metadata": {"labels": LABELS}, "spec": {"containers": [{"name": "db", "image": "db:1"}]}}
    whole = {"selector": {"matchLabels": LABELS}, "serviceName": "db", "template": template, **spec}
    metadata = {"name": "db", "namespace": "default"}
    return {"apiVersion": "apps/v1", "kind": "StatefulSet", "metadata": metadata, "spec": whole}


def change_subject(**spec: Json) -> Subject:
    """Return the subject of a change on a server that names the whole spec, and not the fields."""
    stored = subject(stateful_set(), version="1.36").predict(Scenario.APPLY).result
    return subject(stateful_set(**spec), live=Present(stored or {}), version="1.36")


def hits(examined: Subject, errors: Sequence[ErrorText] = (), **params: Json) -> list[Hit]:
    return list(check(examined, params={"errors": errors, **params}))


def test_without_texts_every_cause_is_reported() -> None:
    found = hits(change_subject(serviceName="other", minReadySeconds=-1))

    assert [render(hit.path) for hit in found] == ["spec.minReadySeconds", "spec"]
    assert found[0].facts["said"] == "spec.minReadySeconds: Invalid value: -1: must be greater than or equal to 0"
    assert (found[0].facts["before"], found[0].facts["after"]) == ("nothing", "-1")


def test_the_place_is_the_field_that_changes_where_the_rule_asks_for_it() -> None:
    examined = change_subject(serviceName="other", podManagementPolicy="Parallel", replicas=3)

    (hit,) = hits(examined, at="changed", but=["spec.replicas"])

    assert render(hit.path) == "spec.serviceName"
    assert hit.facts["changed"] == "spec.serviceName, spec.podManagementPolicy"
    assert (hit.facts["before"], hit.facts["after"]) == ("db", "other")


def test_a_cause_that_another_rule_explains_is_left_out() -> None:
    examined = change_subject(serviceName="other")
    causes = examined.predict(Scenario.APPLY).errors

    assert hits(replace(examined, explained=causes)) == []


@pytest.mark.parametrize(
    ("name", "is_found"), [("db-", False), ("-db", False), ("DB", True)], ids=["no last part", "no first part", "whole"]
)
def test_names_that_own_values_of_a_chart_leave_empty_are_no_findings(name: str, is_found: bool) -> None:
    whole = stateful_set()
    examined = subject({**whole, "metadata": {"name": name, "namespace": "default"}}, version="1.36")

    assert bool(hits(examined))
    assert bool(hits(replace(examined, flags=Flags(has_own_values_only=True)))) is is_found


def test_null_that_own_values_of_a_chart_leave_is_no_finding() -> None:
    fields = {
        "type": "object",
        "properties": {"colors": {"type": "array", "items": {"type": "string"}}, "size": {"type": "integer"}},
    }
    schema = {"openAPIV3Schema": {"type": "object", "properties": {"spec": fields}}}
    version = {"name": "v1", "served": True, "storage": True, "schema": schema}
    names = {"kind": "Lamp", "listKind": "LampList", "plural": "lamps", "singular": "lamp"}
    spec = {"group": "x.io", "scope": "Namespaced", "names": names, "versions": [version]}
    definition = {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "lamps.x.io"},
        "spec": spec,
    }
    lamp: JsonObject = {"apiVersion": "x.io/v1", "kind": "Lamp", "metadata": {"name": "a"}, "spec": {"colors": [None]}}
    of_chart = Flags(has_own_values_only=True)
    examined = replace(subject(lamp, crds=[definition]), flags=of_chart)
    also_wrong = replace(subject({**lamp, "spec": {"colors": [None], "size": "x"}}, crds=[definition]), flags=of_chart)

    assert [render(hit.path) for hit in hits(replace(examined, flags=Flags()))][:1] == ["spec.colors[0]"]
    assert hits(examined) == []
    assert [render(hit.path) for hit in hits(also_wrong)][:1] == ["spec.size"]


def test_an_error_that_follows_from_another_is_no_finding_of_its_own() -> None:
    errors = (ErrorText(message="must be greater"), ErrorText(message="updates to statefulset", follows=True))

    assert len(hits(change_subject(serviceName="other"), errors)) == 0
    assert len(hits(change_subject(serviceName="other", minReadySeconds=-1), errors)) == 1


def test_an_accepted_apply_has_no_causes() -> None:
    assert hits(change_subject(replicas=3)) == []


def test_each_unknown_field_of_an_object_is_a_hit() -> None:
    misspelled = subject(stateful_set(replica=3, serviceNames="db"), version="1.36")
    errors = (ErrorText(message="of another kind"), ErrorText(message='unknown field "{field}"'))

    found = hits(misspelled, errors)

    assert [render(hit.path) for hit in found] == ["spec.replica", "spec.serviceNames"]
    assert hits(misspelled, errors[:1]) == []
