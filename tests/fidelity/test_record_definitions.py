"""The recorder of usual changes: a seed stands for the same cases, and each kind is drawn."""

from itertools import islice

from tests.fidelity.record_definitions import usual_draws
from tests.fidelity.test_usual_edits import CRD, PUMP

DEFINITION = {**CRD, "spec": {**CRD["spec"], "names": {"kind": "Pump"}}}


def test_a_seed_stands_for_the_same_changes() -> None:
    first, second = (list(islice(usual_draws("s", [PUMP], [DEFINITION]), 20)) for _ in range(2))

    assert [(draw.id, draw.base, draw.head) for draw in first] == [(draw.id, draw.base, draw.head) for draw in second]
    assert [draw.id for draw in first[:2]] == ["s-1", "s-2"]
    assert any(draw.head != PUMP for draw in first)
