"""Predictions of single objects as written by other programs than kubectl."""

from kubectl_applylint.appliers.request import Applier, ApplyRequest
from kubectl_applylint.core.outcome import Verdict
from kubectl_applylint.core.records import replace
from kubectl_applylint.core.state import Absent, State
from kubectl_applylint.engine.tool_predictions import prediction_as
from tests.stories import MANIFEST, SCHEMA


def test_a_prediction_uses_the_settings_of_its_program() -> None:
    seen: list[ApplyRequest] = []

    def complete_request(request: ApplyRequest) -> ApplyRequest:
        seen.append(request)
        return replace(request, field_manager="team")

    predict = prediction_as(Applier.KUBECTL_SERVER, SCHEMA, complete_request, disabled_admission=["ServiceAccount"])
    outcome = predict(MANIFEST, State(Absent()))

    assert outcome.verdict is Verdict.SERVERSIDE_APPLIED
    assert outcome.result is not None
    assert [entry["manager"] for entry in outcome.result["metadata"]["managedFields"]] == ["team"]
    assert seen[0].disabled_admission == frozenset({"ServiceAccount"})
