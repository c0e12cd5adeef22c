"""The engine against what real kubectls and API servers did: no figure may fall below its floor.

Everywhere every third case is predicted, in CI every one.
"""

import os
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import pytest

from tests.fidelity.score import Floors, Scored, Selection, below, kinds_below, score_file, shares

pytestmark = pytest.mark.slow

HERE = Path(__file__).parent
MINORS = ("1.30", "1.33", "1.36", "1.37")
STRIDE = 1 if os.environ.get("CI") else 3
SEQUEL: Floors = {
    "accept": 0.995,
    "verdict": 0.995,
    "writes": 0.999,
    "patch": 0.999,
    "result": 0.999,
    "ownersclient": 0.99,
}
CLIENT: Floors = {**SEQUEL, "causes": 0.99}
SEQUEL_SERVER: Floors = {"accept": 0.99, "verdict": 0.99, "writes": 0.99, "result": 0.99, "owners": 0.99}
SERVER: Floors = {**SEQUEL_SERVER, "causes": 0.99}
FLOORS: dict[tuple[str, ...], Floors] = {
    ("client", "create-client", "server-to-client"): CLIENT,
    ("again", "revert"): SEQUEL,
    ("server", "create-server", "server-force", "client-to-server"): SERVER,
    ("again-server", "revert-server"): SEQUEL_SERVER,
}
"""The least share of right answers for each metric, by the modes that it is counted over."""
PAIRS: Floors = {**SERVER, "accept": 0.985, "verdict": 0.985, "owners": 0.975}
"""For what people really change (``pairs``): some definitions were changed before their server had taken them up."""
BY_KIND: Floors = {"result": 0.95}


@cache
def results(minor: str) -> Sequence[Scored]:
    """Return the stories of a recording, predicted once."""
    return list(score_file(HERE / f"recorded-{minor}.jsonl.gz", Selection(every=STRIDE)))


@pytest.mark.parametrize("minor", MINORS)
@pytest.mark.parametrize(("modes", "floors"), FLOORS.items(), ids=map(",".join, FLOORS))
def test_predictions_keep_their_floors(minor: str, modes: tuple[str, ...], floors: Floors) -> None:
    counted = [result for result in results(minor) if result.story.mode in modes]

    assert [result.crash for result in counted if result.crash] == []
    assert below(shares(counted), floors) == []


@pytest.mark.parametrize("minor", MINORS)
def test_every_common_kind_keeps_its_floor(minor: str) -> None:
    assert kinds_below(shares(results(minor)), BY_KIND) == []


@pytest.mark.parametrize("minor", MINORS)
def test_every_mode_has_a_floor(minor: str) -> None:
    assert {result.story.mode for result in results(minor)} == {mode for modes in FLOORS for mode in modes}


def test_typical_changes_keep_their_floors() -> None:
    counted = list(score_file(HERE / "pairs-1.36.jsonl.gz", Selection(every=STRIDE)))

    assert [result.crash for result in counted if result.crash] == []
    assert below(shares(counted), PAIRS) == []
