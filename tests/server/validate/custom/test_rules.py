"""Rules that cost too much: kube-apiserver 1.36.3 stops at a million units a rule."""

import time
from collections.abc import Iterator
from itertools import islice

import pytest

from kubectl_applylint.core.outcome import FieldError
from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.server.validate.custom.rules import broken_rules
from kubectl_applylint.server.validate.field_context import FieldContext
from kubectl_applylint.server.validate.result import Open
from tests.cluster.cluster import Cluster

LOOP = {"rule": "self.all(x, self.all(y, x + y >= 0))", "message": "no negative sums"}


DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
LOOPS = "/apis/x.io/v1/loops"


def _schema(*rules: JsonObject) -> JsonObject:
    inner = {"type": "array", "items": {"type": "integer"}, "x-kubernetes-validations": list(rules)}
    return {"type": "object", "properties": {"l": inner, "n": {"type": "array", "items": inner}}}


def _faults_of(value: Json, schema: JsonObject) -> list[FieldError | Open]:
    return list(broken_rules(FieldContext(value), schema))


@pytest.mark.slow
def test_after_a_rule_that_costs_too_much_no_other_is_evaluated() -> None:
    found = _faults_of({"l": [*range(500)]}, _schema(LOOP, {"rule": "self.size() > 9000"}))

    assert found == [
        FieldError(
            "l",
            "FieldValueInvalid",
            "Invalid value: \"array\": 'operation cancelled: actual cost limit exceeded': no further validation rules "
            "will be run due to call cost exceeds limit for rule: no negative sums",
        )
    ]


@pytest.mark.slow
def test_many_rules_are_left_open_when_they_become_too_much_work() -> None:
    begin = time.process_time()
    found = _faults_of({"n": [[*range(300)]] * 20}, _schema(LOOP))

    assert {type(each) for each in found} == {Open}
    assert len(found) == 13
    assert time.process_time() - begin < 30


def test_rules_that_cost_little_are_all_evaluated() -> None:
    found = _faults_of({"n": [[*range(10)]] * 200}, _schema(LOOP, {"rule": "self.size() > 10"}))

    assert len(list(islice(found, 300))) == 200


def _definition(schema: JsonObject) -> JsonObject:
    versions = [{"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}}]
    names = {"kind": "Loop", "listKind": "LoopList", "plural": "loops", "singular": "loop"}
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "loops.x.io"},
        "spec": {"group": "x.io", "scope": "Cluster", "names": names, "versions": versions},
    }


@pytest.fixture(name="schema", scope="session")
def _served_schema(cluster: Cluster) -> Iterator[JsonObject]:
    """Return the schema of a kind that a real server serves."""
    inner = {"type": "array", "maxItems": 600, "items": {"type": "integer"}, "x-kubernetes-validations": [LOOP]}
    schema = {"type": "object", "properties": {"l": inner}}
    assert cluster.post(DEFINITIONS, _definition(schema)).ok
    while not cluster.get(LOOPS).ok:
        time.sleep(0.1)
    yield schema
    cluster.delete(f"{DEFINITIONS}/loops.x.io")


@pytest.mark.parametrize("count", [10, 300, 377, 378, 379, 500])
def test_the_server_ends_a_loop_at_the_same_count(cluster: Cluster, schema: JsonObject, count: int) -> None:
    body = {"apiVersion": "x.io/v1", "kind": "Loop", "metadata": {"name": "x"}, "l": [*range(count)]}
    reply = cluster.post(f"{LOOPS}?dryRun=All", body)
    causes = reply.json.get("details", {}).get("causes", []) if not reply.ok else []
    found = [each for each in _faults_of({"l": body["l"]}, schema) if isinstance(each, FieldError)]

    assert [(cause["field"], cause["message"]) for cause in causes] == [(each.field, each.message) for each in found]
