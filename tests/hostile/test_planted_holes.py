"""Changes in parts that are not rendered: the gate never passes."""

import os
from pathlib import Path

import pytest

from tests.hostile.planted import Planted, outcome
from tests.hostile.planted_holes import HOLES, plant

pytestmark = pytest.mark.slow  # git runs in every test


@pytest.mark.parametrize("case", [*plant("sample", len(HOLES))], ids=lambda case: case.name)
def test_a_change_of_a_hole_never_passes(case: Planted, tmp_path: Path, kubectl: Path) -> None:
    code, printed = outcome(case, tmp_path / "repo", os.pathsep.join([str(kubectl.parent), os.environ["PATH"]]))

    assert code in (1, 3), printed


def test_the_same_seed_plants_the_same_objects() -> None:
    assert [*plant("a", 20)] == [*plant("a", 20)]
