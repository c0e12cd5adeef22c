"""The engine against what a real kubectl and API server did: no figure may fall below its floor."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.fidelity.score import Floors, Scored, Selection, below, scored, shares

RECORDING = Path(__file__).parent / "recorded-1.36.jsonl.gz"
FLOORS: dict[tuple[str, ...], Floors] = {
    ("client", "create-client", "server-to-client"): {"patch": 0.999, "writes": 0.999, "result": 0.999},
    ("again", "revert"): {"patch": 0.999, "writes": 0.999, "result": 0.999},
}
"""The least share of right answers for each metric, by the modes that it is counted over."""


@pytest.fixture(scope="module")
def results() -> Sequence[Scored]:
    """All stories that any floor speaks of, foretold once."""
    return list(scored(RECORDING, Selection(frozenset(mode for modes in FLOORS for mode in modes))))


@pytest.mark.parametrize(("modes", "floors"), FLOORS.items(), ids=map(",".join, FLOORS))
def test_predictions_keep_their_floors(results: Sequence[Scored], modes: tuple[str, ...], floors: Floors) -> None:
    counted = [result for result in results if result.story.mode in modes]

    assert [result.crash for result in counted if result.crash] == []
    assert below(shares(counted), floors) == []
