"""Renderings of HelmReleases by applylint, compared with the libraries of the helm-controller."""

import os

import pytest

from tests.cluster.build import Unavailable
from tests.cluster.flux_build_program import answers
from tests.cluster.flux_release_program import flux_release_program
from tests.fidelity.pairs import read_pairs
from tests.fidelity.record_flux_releases import RECORDED, all_questions, fault


def test_recorded_values() -> None:
    pairs = [(question, answer) for question, answer in read_pairs(RECORDED) if "chart" not in question]

    assert [question for question, answer in pairs if fault(question, answer)] == []
    assert len(pairs) == 400


@pytest.mark.usefixtures("programs")
def test_recorded_releases() -> None:
    pairs = [(question, answer) for question, answer in read_pairs(RECORDED) if "chart" in question]

    assert [found for question, answer in pairs if (found := fault(question, answer))] == []
    assert len(pairs) == 40


@pytest.mark.usefixtures("programs")
def test_the_libraries_of_the_controller_agree() -> None:
    """``record_flux_releases`` asks more questions."""
    asked = list(all_questions("suite", 20))
    try:
        given = answers(flux_release_program(os.environ), asked)
    except Unavailable as reason:
        pytest.skip(str(reason))

    pairs = zip(asked, given, strict=True)
    assert [found for question, answer in pairs if (found := fault(question, answer))] == []
