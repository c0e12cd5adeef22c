import pytest

from kubectl_applylint.state import LAST_APPLIED, Absent, Knowledge, Present, Unknown, last_applied, present
from kubectl_applylint.values import MISSING, JsonObject


def live(text: str) -> Present:
    return Present({"metadata": {"annotations": {LAST_APPLIED: text}}})


@pytest.mark.parametrize(
    ("known", "kept"),
    [
        pytest.param(live('{"kind":"Pod"}\n'), Present({"kind": "Pod"}), id="annotation"),
        pytest.param(live(""), Absent(), id="empty annotation"),
        pytest.param(Present({"metadata": {}}), Absent(), id="no annotation"),
        pytest.param(Absent(), Absent(), id="no object"),
        pytest.param(Unknown("offline"), Unknown("offline"), id="unknown object"),
        pytest.param(live("null"), Present({}), id="null"),
        pytest.param(live("[]"), Unknown(f"the annotation {LAST_APPLIED} holds no object"), id="a list"),
        pytest.param(live("{"), Unknown(f"the annotation {LAST_APPLIED} of the live object is not JSON"), id="broken"),
    ],
)
def test_last_applied(known: Knowledge, kept: Knowledge) -> None:
    assert last_applied(known) == kept


@pytest.mark.parametrize(
    ("known", "there"),
    [(Present({"a": 1}), {"a": 1}), (Absent(), MISSING), (Unknown("offline"), MISSING)],
    ids=["present", "absent", "unknown"],
)
def test_present(known: Knowledge, there: JsonObject) -> None:
    assert present(known) == there
