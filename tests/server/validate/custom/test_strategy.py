"""Custom resources, as kube-apiserver 1.36.3 answered dry runs on 2026-11-21."""

import pytest

from kubectl_applylint.core.outcome import Write
from kubectl_applylint.server.write import JSON_BODY, MERGE_PATCH, Answer, Refused, Server, Stored, answer
from tests.server.validate.custom.recorded import BAD_REQUEST, Case, cases, kind


def answer_of(case: Case) -> Answer:
    created = answer(Write("POST", JSON_BODY, case.manifest), None, Server(kind(), "1.36"))
    if case.then is None:
        return created
    assert isinstance(created, Stored), created
    return answer(Write("PATCH", MERGE_PATCH, {"spec": case.then}), created.object, Server(kind(), "1.36"))


@pytest.mark.parametrize("case", cases())
def test_a_resource_is_rejected_as_by_the_server(case: Case) -> None:
    given = answer_of(case)
    status, found = (given.status, given.causes) if isinstance(given, Refused) else (0, ())
    causes = sorted((cause.field, cause.reason, cause.message) for cause in found)

    assert status == case.status
    assert status == BAD_REQUEST or tuple(causes) == case.causes


@pytest.mark.parametrize("case", [each for each in cases() if not each.values[0].status])  # type: ignore[union-attr]  # always a Case
def test_every_rule_of_an_accepted_resource_was_evaluated(case: Case) -> None:
    given = answer_of(case)

    assert isinstance(given, Stored)
    assert given.confidence.open == ()
