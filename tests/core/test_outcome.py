"""Outcomes as words and as JSON."""

import pytest

from kubectl_applylint.core.outcome import (
    CERTAIN,
    Change,
    Confidence,
    Conflict,
    FieldError,
    Level,
    Outcome,
    Owner,
    OwnerChange,
    PredictionError,
    Provenance,
    Verdict,
    Why,
    Write,
    plain,
)
from kubectl_applylint.core.paths import fields
from kubectl_applylint.core.state import ObjectRef, Unknown
from kubectl_applylint.core.values import MISSING, Json, JsonObject

REF = ObjectRef("apps/v1", "Deployment", "shop", "web")
HPA = Owner("hpa", "Update", "scale")
KUBECTL = Owner("kubectl", "Apply")
STORED: JsonObject = {"metadata": {"managedFields": [{"manager": "ci"}]}}


@pytest.mark.parametrize(
    ("error", "message"),
    [
        pytest.param(PredictionError("too deep"), "cannot be predicted: too deep", id="a bound"),
        pytest.param(PredictionError("KeyError", is_fault=True), "not predicted: KeyError", id="a fault of ours"),
    ],
)
def test_a_limit_is_distinguished_from_a_fault(error: PredictionError, message: str) -> None:
    assert error.message == message


@pytest.mark.parametrize(
    ("owner", "text"),
    [
        pytest.param(KUBECTL, "kubectl", id="who applies"),
        pytest.param(Owner("kubectl", "Update"), "kubectl (update)", id="who updates"),
        pytest.param(HPA, "hpa (update of scale)", id="who updates a subresource"),
        pytest.param(Owner("a", "Apply", "status"), "a", id="who applies a subresource"),
    ],
)
def test_an_owner_is_named_by_manager_operation_and_subresource(owner: Owner, text: str) -> None:
    assert str(owner) == text


def test_a_cause_ends_with_its_detail_if_there_is_one() -> None:
    assert str(Provenance(Why.MERGED, "name")) == "merged by key name"
    assert str(Provenance(Why.SET)) == "set by the manifest"


@pytest.mark.parametrize(
    ("before", "after", "lost", "gained", "is_orphaned"),
    [
        pytest.param((HPA, KUBECTL), (KUBECTL,), (HPA,), (), False, id="one less"),
        pytest.param((), (KUBECTL,), (), (KUBECTL,), False, id="the first"),
        pytest.param((HPA,), (), (HPA,), (), True, id="none any more"),
        pytest.param((HPA,), (KUBECTL,), (HPA,), (KUBECTL,), False, id="another"),
    ],
)
def test_an_owner_change_has_lost_and_gained_owners(
    before: tuple[Owner, ...],
    after: tuple[Owner, ...],
    lost: tuple[Owner, ...],
    gained: tuple[Owner, ...],
    is_orphaned: bool,
) -> None:
    change = OwnerChange(fields("spec"), before, after)

    assert (change.lost, change.gained, change.is_orphaned) == (lost, gained, is_orphaned)


@pytest.mark.parametrize("verdict", Verdict)
def test_only_a_rejected_apply_has_an_intended_object(verdict: Verdict) -> None:
    outcome = Outcome(REF, verdict, result={"is": "stored"}, intended={"is": "meant"})
    is_refused = verdict in {Verdict.REJECTED, Verdict.CONFLICT}

    assert outcome.refused == is_refused
    assert outcome.after == ({"is": "meant"} if is_refused else {"is": "stored"})


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (Unknown("a time"), {"$unknown": "a time"}),
        ({"a": [Unknown("x"), {"b": Unknown("y")}]}, {"a": [{"$unknown": "x"}, {"b": {"$unknown": "y"}}]}),
        ({"a": None, "b": 1.5, "c": False, "d": []}, {"a": None, "b": 1.5, "c": False, "d": []}),
        (None, None),
    ],
    ids=["itself", "inside", "everything else stays", "null"],
)
def test_an_unknown_value_is_written_with_its_reason(value: Json, shown: Json) -> None:
    assert plain(value) == shown


def test_an_outcome_with_nothing_in_it_as_json() -> None:
    assert Outcome(REF, Verdict.UNCHANGED).to_json() == {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "namespace": "shop",
        "name": "web",
        "verdict": "unchanged",
        "status": None,
        "requests": [],
        "result": None,
        "intended": None,
        "changes": [],
        "owners": [],
        "causes": [],
        "conflicts": [],
        "ownerChanges": [],
        "error": None,
        "warnings": [],
        "restarts": None,
        "remedy": None,
        "renamedFrom": None,
        "confidence": {"level": "high", "reasons": []},
        "validated": True,
        "bundledDefinition": None,
        "possibleCauses": [],
    }


def test_an_outcome_as_json() -> None:
    path = fields("spec", "replicas")
    outcome = Outcome(
        REF,
        Verdict.CONFLICT,
        requests=(Write("PATCH", "application/json", {"t": Unknown("now")}, (("force", "true"),)),),
        result=STORED,
        intended={"a": Unknown("uid")},
        changes=(Change(path, 1, Unknown("by the server"), Provenance(Why.SHARED, "x", ("hpa",))),),
        errors=(FieldError("spec", "FieldValueInvalid", "bad"),),
        status=409,
        conflicts=(Conflict(path, HPA, "conflict with hpa"),),
        owner_changes=(OwnerChange(path, (HPA,), (KUBECTL,)),),
        error="error: x",
        warnings=("w",),
        restarts=False,
        remedy="wait",
        renamed_from=ObjectRef("apps/v1", "Deployment", "shop", "old"),
        confidence=Confidence(Level.LOW, ("r",)),
    ).to_json()
    hpa = {"manager": "hpa", "operation": "Update", "subresource": "scale"}
    kubectl = {"manager": "kubectl", "operation": "Apply", "subresource": ""}

    assert outcome["requests"] == [
        {"method": "PATCH", "contentType": "application/json", "body": {"t": {"$unknown": "now"}}}
    ]
    assert (outcome["owners"], outcome["intended"]) == ([{"manager": "ci"}], {"a": {"$unknown": "uid"}})
    assert outcome["changes"] == [
        {
            "path": "spec.replicas",
            "before": 1,
            "after": {"$unknown": "by the server"},
            "cause": {"why": "kept because it is shared", "detail": "x", "managers": ["hpa"]},
        }
    ]
    assert outcome["causes"] == [{"field": "spec", "reason": "FieldValueInvalid", "message": "bad"}]
    assert outcome["conflicts"] == [{"path": "spec.replicas", **hpa, "message": "conflict with hpa"}]
    assert outcome["ownerChanges"] == [{"path": "spec.replicas", "before": [hpa], "after": [kubectl]}]
    assert {key: outcome[key] for key in ("status", "error", "warnings", "restarts", "remedy", "renamedFrom")} == {
        "status": 409,
        "error": "error: x",
        "warnings": ["w"],
        "restarts": False,
        "remedy": "wait",
        "renamedFrom": "deployment.apps/old",
    }
    assert outcome["confidence"] == {"level": "low", "reasons": ["r"]}


@pytest.mark.parametrize(
    ("change", "sides"),
    [
        pytest.param((MISSING, None), {"after": None}, id="null is a value"),
        pytest.param(({}, MISSING), {"before": {}}, id="an empty map is one"),
    ],
)
def test_a_change_as_json_leaves_out_what_is_absent(change: tuple[Json, Json], sides: JsonObject) -> None:
    outcome = Outcome(REF, Verdict.CONFIGURED, changes=(Change(fields("a"), *change, Provenance(Why.SET)),))
    (found,) = outcome.to_json()["changes"]

    assert {key: found[key] for key in found if key not in ("path", "cause")} == sides


@pytest.mark.parametrize(
    ("before", "after", "why", "marked"),
    [
        pytest.param(3, 1, Why.DEFAULTED, [True], id="falls to it"),
        pytest.param(MISSING, 1, Why.DEFAULTED, [], id="added"),
        pytest.param(3, 1, Why.SET, [], id="set"),
    ],
)
def test_json_marks_a_value_that_falls_to_its_default(before: Json, after: Json, why: Why, marked: list[bool]) -> None:
    outcome = Outcome(REF, Verdict.CONFIGURED, changes=(Change(fields("a"), before, after, Provenance(why)),))
    (found,) = outcome.to_json()["changes"]

    assert [found[key] for key in found if key == "toDefault"] == marked


def test_doubts_lower_a_high_confidence() -> None:
    low = Confidence(Level.LOW, ("a",), open=("a",))

    assert CERTAIN.with_doubts("x", "y") == Confidence(Level.MEDIUM, ("x", "y"))
    assert low.with_doubts("x") == Confidence(Level.LOW, ("a", "x"), open=("a",))
    assert CERTAIN.with_doubts() is CERTAIN
