"""Every case of ``cases/``, with Helm on the PATH: the exit code, the message, and nothing else."""

from dataclasses import replace
from pathlib import Path

import pytest

from tests.hostile.scene import CASES, Case, cases, missing_words, play

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("case", [case for file in sorted(CASES.glob("*.yaml")) for case in cases(file)], ids=str)
def test_hostile_input_is_reported_and_has_no_effect(case: Case, tmp_path: Path, helm: Path) -> None:
    ending = play(replace(case, path=(helm.parent,)), tmp_path)

    assert ending.damage == (), ending.text[-2000:]
    assert ending.code in case.exit, ending.text[-2000:]
    assert missing_words(case, ending.text) == [], ending.text[-2000:]
