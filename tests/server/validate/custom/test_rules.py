"""Rules that cost too much: kube-apiserver 1.36.3 stops at a million units a rule."""

import time
from itertools import islice

from kubectl_applylint.outcome import Refusal
from kubectl_applylint.server.validate.custom.rules import broken_rules
from kubectl_applylint.server.validate.judgement import Open
from kubectl_applylint.server.validate.spots import Spot
from kubectl_applylint.values import Json, JsonObject

LOOP = {"rule": "self.all(x, self.all(y, x + y >= 0))", "message": "no negative sums"}


def _schema(*rules: JsonObject) -> JsonObject:
    inner = {"type": "array", "items": {"type": "integer"}, "x-kubernetes-validations": list(rules)}
    return {"type": "object", "properties": {"l": inner, "n": {"type": "array", "items": inner}}}


def _found(value: Json, schema: JsonObject) -> list[Refusal | Open]:
    return list(broken_rules(Spot(value), schema))


def test_after_a_rule_that_costs_too_much_no_other_is_evaluated() -> None:
    found = _found({"l": [*range(500)]}, _schema(LOOP, {"rule": "self.size() > 9000"}))

    assert found == [
        Refusal(
            "l",
            "FieldValueInvalid",
            "Invalid value: \"array\": 'operation cancelled: actual cost limit exceeded': no further validation rules "
            "will be run due to call cost exceeds limit for rule: no negative sums",
        )
    ]


def test_many_rules_are_left_open_when_they_become_too_much_work() -> None:
    begin = time.process_time()
    found = _found({"n": [[*range(300)]] * 20}, _schema(LOOP))

    assert {type(each) for each in found} == {Open}
    assert len(found) == 13
    assert time.process_time() - begin < 30


def test_rules_that_cost_little_are_all_evaluated() -> None:
    found = _found({"n": [[*range(10)]] * 200}, _schema(LOOP, {"rule": "self.size() > 10"}))

    assert len(list(islice(found, 300))) == 200
