"""Refusals for what other objects of a set are."""

from dataclasses import replace
from typing import Literal

import pytest

from kubectl_applylint.core.outcome import Outcome, Verdict, Write
from kubectl_applylint.core.state import Absent, Present, State, Unknown, ref_of
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.engine.set_refusals import (
    is_lost,
    known_object,
    no_kind,
    no_namespace,
    not_reached,
    rejected_outcome,
)
from tests.engine.test_set_apply import config

LIVE = config("a", a="1")
WRITTEN = Outcome(ref_of(LIVE), Verdict.CONFIGURED, (Write("PATCH", "", {}),), result=config("a", a="2"))


@pytest.mark.parametrize(("status", "requests"), [(404, WRITTEN.requests), (None, ())])
def test_a_rejected_object_stays_as_it_is_and_nothing_is_sent_without_a_status(
    status: int | None, requests: tuple[Write, ...]
) -> None:
    cause = no_namespace("shop")

    assert rejected_outcome(WRITTEN, State(Present(LIVE)), cause, status=status, remedy="r") == replace(
        WRITTEN,
        verdict=Verdict.REJECTED,
        requests=requests,
        result=LIVE,
        intended=WRITTEN.after,
        errors=(cause,),
        status=status,
        remedy="r",
    )


@pytest.mark.parametrize(("known", "found"), [(Present(LIVE), LIVE), (Absent(), None), (Unknown("why"), None)])
def test_only_what_is_known_to_be_there_is_an_object(
    known: Present | Absent | Unknown, found: JsonObject | None
) -> None:
    assert known_object(known) == found


def test_each_cause_names_what_it_is_about() -> None:
    assert [
        cause.reason for cause in (no_kind(WRITTEN.ref), no_namespace("shop"), not_reached(WRITTEN.ref, "Helm"))
    ] == [
        "NoKindMatch",
        "NotFound",
        "NotReached",
    ]
    assert no_namespace("shop").message == 'namespaces "shop" not found'
    assert no_kind(WRITTEN.ref).message.startswith('no matches for kind "ConfigMap" in version "v1"')


@pytest.mark.parametrize(
    ("method", "verdict"), [("DELETE", Verdict.REJECTED), ("PATCH", Verdict.REJECTED), ("DELETE", Verdict.CREATED)]
)
def test_an_object_is_lost_where_its_creation_fails_after_its_deletion(
    method: Literal["DELETE", "PATCH"], verdict: Verdict
) -> None:
    found = Outcome(WRITTEN.ref, verdict, (Write(method, "", {}),))

    assert is_lost(found) == (method == "DELETE" and verdict is Verdict.REJECTED)
    assert not is_lost(replace(found, result=LIVE))
