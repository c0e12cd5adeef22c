"""Changes with an object that no server accepts: the gate never passes."""

import os
from pathlib import Path

import pytest

from tests.hostile.planted import DISGUISES, Planted, outcome, plant

pytestmark = pytest.mark.slow  # git runs in every test


@pytest.mark.parametrize("case", [*plant("sample", 80)], ids=lambda case: case.name)
def test_a_change_with_an_invalid_object_never_passes(case: Planted, tmp_path: Path, kubectl: str, helm: str) -> None:
    programs = os.pathsep.join([*(str(Path(one).parent) for one in (kubectl, helm)), os.environ["PATH"]])
    code, printed = outcome(case, tmp_path / "repo", programs)

    assert code in (1, 3), printed


def test_the_same_seed_plants_the_same_objects() -> None:
    assert [*plant("a", 20)] == [*plant("a", 20)]


def test_every_disguise_is_used() -> None:
    names = {word for case in plant("sample", 80) for word in case.name.split("-")}

    assert {one.__name__ for one in DISGUISES} <= names
