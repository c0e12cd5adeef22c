"""Rules that cost too much by the estimate of kube-apiserver 1.36.3, which is asked again where there is one."""

from typing import Any, Final

import pytest

from kubectl_applylint.core.outcome import Write
from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.merge import json_merge
from kubectl_applylint.schema.load import load
from kubectl_applylint.server.write import JSON_BODY, MERGE_PATCH, Server, Stored, answer
from tests.cluster.cluster import Cluster
from tests.server.validate import objects
from tests.server.validate.custom.test_estimating import CASES as ESTIMATES
from tests.server.validate.objects import LAMPS, lamps

DEFINITIONS: Final = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions?dryRun=All"
ADVICE: Final = (
    "(try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are "
    "declared)"
)
PLACE: Final = "spec.validation.openAPIV3Schema.properties[spec]"
LOOP: Final = "self.all(x, self.all(y, x + y >= 0))"


def _list(rule: str, items: JsonObject | None = None, **more: Json) -> JsonObject:
    rules: list[Json] = [{"rule": rule, "message": "wrong"}]
    return lamps({"type": "array", "items": items or {"type": "integer"}, "x-kubernetes-validations": rules, **more})


def _said(factor: str, place: str = f"{PLACE}.x-kubernetes-validations[0].rule") -> str:
    return f"{place}: Forbidden: estimated rule cost exceeds budget by factor of {factor} {ADVICE}"


def _in_all(factor: str) -> list[str]:
    return [
        f"{PLACE}.x-kubernetes-validations[0].rule: Forbidden: contributed to estimated rule cost total exceeding cost "
        "limit for entire OpenAPIv3 schema",
        "spec.validation.openAPIV3Schema: Forbidden: x-kubernetes-validations estimated rule cost total for entire "
        f"OpenAPIv3 schema exceeds budget by factor of {factor} {ADVICE}",
    ]


CASES: Final = [
    pytest.param(_list(LOOP), [_said("more than 100x"), *_in_all("more than 100x")], id="loop in a loop"),
    pytest.param(_list(LOOP, maxItems=100), [], id="bounded loop in a loop"),
    pytest.param(_list(LOOP, maxItems=1300), [_said("1.183650x")], id="a little too much"),
    pytest.param(_list(LOOP, maxItems=3000), [_said("6.3x")], id="several times too much"),
    pytest.param(_list("self.all(x, x > 0)"), [], id="loop"),
    pytest.param(
        _list("self.all(x, x.matches('^[a-z]+$'))", {"type": "string"}),
        [_said("more than 100x"), *_in_all("more than 100x")],
        id="pattern on unbounded texts",
    ),
    pytest.param(_list("self.all(x, x.unknown())"), [], id="what is not estimated"),
]


@pytest.mark.parametrize(("patch", "errors"), CASES)
def test_a_definition_with_expensive_rules_is_rejected(patch: JsonObject, errors: list[str]) -> None:
    assert sorted(objects.rejection_messages(LAMPS, patch)) == sorted(errors)


@pytest.mark.parametrize(("patch", "errors"), [case for case in CASES if case.id != "what is not estimated"])
def test_the_server_has_the_recorded_errors(cluster: Cluster, patch: JsonObject, errors: list[str]) -> None:
    reply = cluster.post(DEFINITIONS, json_merge.merge(LAMPS, patch))
    causes = reply.json.get("details", {}).get("causes", []) if not reply.ok else []

    assert sorted(f"{cause['field']}: {cause['message']}" for cause in causes) == sorted(errors)


@pytest.mark.parametrize("case", [pytest.param(case, id=case["rule"][:60]) for case in ESTIMATES])
def test_the_server_takes_what_is_predicted(cluster: Cluster, case: Any) -> None:
    schema = {**case["schema"], "x-kubernetes-validations": [{"rule": case["rule"]}]}
    reply = cluster.post(DEFINITIONS, json_merge.merge(LAMPS, lamps(schema)))
    causes = reply.json.get("details", {}).get("causes", []) if not reply.ok else []

    assert sorted(f"{cause['field']}: {cause['message']}" for cause in causes) == objects.rejection_messages(
        LAMPS, lamps(schema)
    )


def test_a_schema_that_does_not_change_may_cost_too_much() -> None:
    dear = json_merge.merge(LAMPS, _list(LOOP))
    found = load("1.36").kind("apiextensions.k8s.io/v1", "CustomResourceDefinition")
    assert found is not None
    given = answer(Write("PATCH", MERGE_PATCH, {"metadata": {"labels": {"a": "b"}}}), dear, Server(found, "1.36"))

    assert isinstance(given, Stored), given


@pytest.mark.parametrize(("rule", "doubts"), [("self.all(x, x.unknown())", 1), ("self.all(x, x > 0)", 0)])
def test_a_rule_whose_cost_is_not_known_lowers_the_confidence(rule: str, doubts: int) -> None:
    found = load("1.36").kind("apiextensions.k8s.io/v1", "CustomResourceDefinition")
    assert found is not None
    given = answer(Write("POST", JSON_BODY, json_merge.merge(LAMPS, _list(rule))), None, Server(found, "1.36"))

    assert isinstance(given, Stored), given
    assert len([reason for reason in given.confidence.reasons if rule in reason]) == doubts
