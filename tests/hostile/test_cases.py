"""Every case of ``cases/``: the exit code, the message, and nothing else."""

from pathlib import Path

import pytest

from tests.hostile.scene import CASES, Case, cases, missing_words, play

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("case", [case for file in sorted(CASES.glob("*.yaml")) for case in cases(file)], ids=str)
def test_hostile_input_is_reported_and_has_no_effect(case: Case, tmp_path: Path) -> None:
    ending = play(case, tmp_path)

    assert ending.damage == (), ending.text[-2000:]
    assert ending.code in case.exit, ending.text[-2000:]
    assert missing_words(case, ending.text) == [], ending.text[-2000:]
