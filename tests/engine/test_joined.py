"""Several applies of one object, combined into one outcome."""

from kubectl_applylint.core.outcome import (
    CERTAIN,
    Change,
    Confidence,
    Level,
    Outcome,
    Owner,
    OwnerChange,
    Provenance,
    Verdict,
    Why,
    Write,
)
from kubectl_applylint.core.paths import fields
from kubectl_applylint.core.state import ObjectRef
from kubectl_applylint.core.values import MISSING, Json, Missing
from kubectl_applylint.engine.joined import join_outcomes

REF = ObjectRef("v1", "ConfigMap", "shop", "a")
PUT, POST, DELETE = Write("PUT", "", {}), Write("POST", "", {}), Write("DELETE", "", {})
CAUSE = Provenance(Why.NOTED)


def change(name: str, before: Json | Missing, after: Json | Missing) -> Change:
    return Change(fields("data", name), before, after, CAUSE)


def test_one_outcome_stays_as_it_is() -> None:
    same = Outcome(REF, Verdict.UNCHANGED)

    assert join_outcomes([same], None) is same
    assert join_outcomes([same, same], None) is same


def test_changes_are_from_before_the_first_to_after_the_last() -> None:
    first = Outcome(
        REF,
        Verdict.CONFIGURED,
        (PUT,),
        {},
        changes=(change("a", "1", "2"), change("b", "1", "2"), change("c", "1", "2")),
    )
    last = Outcome(
        REF,
        Verdict.CONFIGURED,
        (PUT,),
        {},
        changes=(change("a", "2", "3"), change("b", "2", "1"), change("d", MISSING, "1")),
    )
    whole = join_outcomes([first, last], {})

    assert [*whole.changes] == [change("a", "1", "3"), change("c", "1", "2"), change("d", MISSING, "1")]
    assert (whole.verdict, whole.requests) == (Verdict.CONFIGURED, (PUT, PUT))


def test_a_field_that_is_added_and_removed_again_is_no_change() -> None:
    first = Outcome(REF, Verdict.CONFIGURED, (PUT,), {}, changes=(change("a", MISSING, "2"),))
    last = Outcome(REF, Verdict.CONFIGURED, (PUT,), {}, changes=(change("a", "2", MISSING),))

    assert [*join_outcomes([first, last], {}).changes] == []


def test_owners_are_those_of_before_the_first_and_after_the_last() -> None:
    a, b = Owner("a", "Update"), Owner("b", "Update")
    path = fields("data", "a")
    first = Outcome(REF, Verdict.CREATED, (POST,), {}, owner_changes=(OwnerChange(path, (a,), (b,)),))
    last = Outcome(REF, Verdict.CONFIGURED, (PUT,), {}, owner_changes=(OwnerChange(path, (b,), (a, b)),))
    whole = join_outcomes([first, last], {})

    assert (whole.verdict, whole.owner_changes) == (Verdict.CREATED, (OwnerChange(path, (a,), (a, b)),))


def test_a_write_that_is_rejected_again_and_again_counts_once() -> None:
    rejected = Outcome(REF, Verdict.REJECTED, (PUT,), {})

    assert join_outcomes([rejected, rejected], {}).requests == (PUT,)


def test_a_deletion_remains_reported_if_the_creation_is_rejected_again() -> None:
    lost = Outcome(REF, Verdict.REJECTED, (DELETE, POST))
    again = Outcome(REF, Verdict.REJECTED, (POST,))
    whole = join_outcomes([lost, again], {})

    assert (whole.verdict, whole.requests, whole.result) == (Verdict.REJECTED, (DELETE, POST, POST), None)


def test_a_combined_outcome_has_the_properties_of_each() -> None:
    doubt = Confidence(Level.LOW, ("old",))
    first = Outcome(REF, Verdict.CONFIGURED, (PUT,), {}, warnings=("w", "x"), restarts=True, confidence=doubt)
    last = Outcome(REF, Verdict.CONFIGURED, (PUT,), {}, warnings=("w",), restarts=False, confidence=CERTAIN)
    whole = join_outcomes([first, last], {})

    assert (whole.warnings, whole.restarts, whole.confidence) == (("w", "x"), True, doubt)
    assert (
        join_outcomes(
            [Outcome(REF, Verdict.CREATED, (POST,), {}), Outcome(REF, Verdict.CONFIGURED, (PUT,), {})], None
        ).restarts
        is None
    )


def test_a_write_before_a_rejection_counts() -> None:
    """A parent releases a child, and then cannot create it."""
    released = Outcome(REF, Verdict.REJECTED, (PUT,), {"metadata": {}})
    again = Outcome(REF, Verdict.REJECTED, (POST,), {"metadata": {}})

    assert join_outcomes([released, again, again], {"metadata": {"ownerReferences": []}}).requests == (PUT, POST)
