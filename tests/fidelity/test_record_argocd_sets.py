"""Applications that applylint generates from ApplicationSets, compared with the controller of Argo CD."""

import os
from collections import Counter

import pytest

from tests.cluster.argocd_sets_program import argocd_sets_program, generate
from tests.cluster.build import Unavailable
from tests.fidelity.argocd_set_answers import Score, score
from tests.fidelity.argocd_sets import random_sets
from tests.fidelity.pairs import read_pairs
from tests.fidelity.record_argocd_sets import RECORDED


def test_recorded_sets() -> None:
    found = Counter(score(*pair) for pair in read_pairs(RECORDED))

    assert found[Score.DIFFERENT] == 0
    assert found[Score.EQUAL] >= 130


def test_the_controller_agrees() -> None:
    """``record_argocd_sets`` asks for more sets."""
    asked = [*random_sets("suite", 100)]
    try:
        given = generate(argocd_sets_program(os.environ), asked)
    except Unavailable as reason:
        pytest.skip(str(reason))

    assert [pair for pair in zip(asked, given, strict=True) if score(*pair) is Score.DIFFERENT] == []
