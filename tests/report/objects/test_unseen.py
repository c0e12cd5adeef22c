import pytest

from kubectl_applylint.core.outcome import Change, Outcome, Verdict, Why, Write
from kubectl_applylint.core.paths import Field, fields
from kubectl_applylint.core.state import LAST_APPLIED
from kubectl_applylint.core.values import MISSING, Json
from kubectl_applylint.report.context import Context
from kubectl_applylint.report.objects.unseen import hidden_changes_reason
from tests.report.samples import WEB, change

NOTED = change((*fields("metadata", "annotations"), Field(LAST_APPLIED)), "{}", "{...}", Why.ANNOTATED)
REMOVED = change((*fields("metadata", "annotations"), Field(LAST_APPLIED)), "{}", MISSING, Why.RELEASED)
DEFAULTS = tuple(change(fields("spec", name), MISSING, 1, Why.DEFAULTED) for name in "abcd")


@pytest.mark.parametrize(
    ("changes", "body", "reason"),
    [
        pytest.param((NOTED,), None, "only the annotation changes that kubectl compares with", id="annotation"),
        pytest.param((REMOVED,), None, "only the annotation changes that kubectl compares with", id="removed"),
        pytest.param(
            (NOTED, *DEFAULTS), None, "only server defaults change: spec.a, spec.b, spec.c …", id="server defaults"
        ),
        pytest.param(
            (),
            {"spec": {"x": 1}, "metadata": {"annotations": {LAST_APPLIED: "{}"}}},
            "no stored value changes; kubectl sends spec.x each time",
            id="sent again",
        ),
        pytest.param((), None, "no field changes", id="nothing"),
    ],
)
def test_an_invisible_change_has_a_reason(changes: tuple[Change, ...], body: Json, reason: str) -> None:
    outcome = Outcome(WEB, Verdict.CONFIGURED, changes=changes, requests=(Write("PATCH", "", body),))

    assert hidden_changes_reason(outcome, Context()) == reason
