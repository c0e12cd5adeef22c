"""Renderings of Applications by applylint, compared with the repository server of Argo CD."""

import os

import pytest

from tests.cluster.argocd_repository_program import argocd_repository_program, rendered_sources
from tests.cluster.build import Unavailable
from tests.fidelity.argocd_renders import difference
from tests.fidelity.argocd_sources import questions
from tests.fidelity.pairs import read_pairs
from tests.fidelity.record_argocd_sources import RECORDED


@pytest.mark.usefixtures("programs")
def test_recorded_applications() -> None:
    pairs = read_pairs(RECORDED)

    assert [found for question, answer in pairs if (found := difference(question, answer))] == []
    assert len(pairs) == 30


@pytest.mark.usefixtures("programs")
def test_the_repository_server_agrees() -> None:
    """``record_argocd_sources`` asks more questions."""
    asked = [*questions("suite", 12)]
    try:
        given = rendered_sources(argocd_repository_program(os.environ), asked)
    except Unavailable as reason:
        pytest.skip(str(reason))

    assert [found for pair in zip(asked, given, strict=True) if (found := difference(*pair))] == []
