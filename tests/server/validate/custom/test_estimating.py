"""Estimated costs as apiextensions-apiserver 0.36.3 with cel-go 0.26.0 gave them (``estimates.jsonl``)."""

import json
from pathlib import Path
from typing import Any, Final

import pytest

from kubectl_applylint.server.validate.custom.decls import LARGEST_REQUEST, declared_type
from kubectl_applylint.server.validate.custom.estimating import estimate
from tests.server.validate.custom.test_computing import LINES

CASES: Final[list[Any]] = [
    json.loads(line) for line in Path(__file__).with_name("estimates.jsonl").read_text(encoding="utf-8").splitlines()
]
NOT_KNOWN: Final = ("optional.none()", "url('https://a.b:1/c') ==")


def _estimate(rule: str, schema: Any) -> int | None:
    decl = declared_type(schema)
    assert decl is not None
    return estimate(rule, decl, optional=False)


@pytest.mark.parametrize("case", [pytest.param(case, id=case["rule"][:60]) for case in CASES])
def test_an_expression_is_estimated_as_on_the_server(case: Any) -> None:
    decl = declared_type(case["schema"])

    assert decl is not None
    assert _estimate(case["rule"], case["schema"]) == case["cost"]
    assert LARGEST_REQUEST // (decl.least + 1) == case["count"]


@pytest.mark.parametrize(
    "case", [pytest.param(line, id=line["rule"]) for line in LINES[1:] if not line["rule"].startswith(NOT_KNOWN)]
)
def test_an_expression_about_bounded_values_is_estimated_as_on_the_server(case: Any) -> None:
    assert _estimate(case["rule"], LINES[0]["schema"]) == case["estimate"]


@pytest.mark.parametrize(
    "rule", ["self.unknown == 1", "foo(self)", "self.a.bar()", "nobody", "self.x + 1 == 2", "(", "self.n[0] == 1"]
)
def test_uncertain_rules_have_no_estimate(rule: str) -> None:
    assert _estimate(rule, LINES[0]["schema"]) is None
