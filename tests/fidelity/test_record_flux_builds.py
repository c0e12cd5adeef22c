"""Builds by applylint, compared with the libraries of Flux."""

import os
from pathlib import Path

import pytest

from tests.cluster.build import Unavailable
from tests.cluster.flux_build_program import answers, flux_build_program
from tests.fidelity.record_flux_builds import KINDS, kind_of, questions, recorded_pairs

NUMBERS = {"template": 400, "object": 200, "files": 200, "fields": 1}


@pytest.mark.parametrize("kind", NUMBERS)
def test_recorded_answers(kind: str) -> None:
    pairs = recorded_pairs(kind)

    assert [question for question, answer in pairs if not KINDS[kind](question, answer)] == []
    assert len(pairs) == NUMBERS[kind]


@pytest.fixture(name="path_with_kubectl")
def _path_with_kubectl(kubectl: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "kubectl").symlink_to(kubectl)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")


@pytest.mark.usefixtures("path_with_kubectl")
def test_recorded_builds() -> None:
    pairs = recorded_pairs("kustomization")

    assert [question for question, answer in pairs if not KINDS["kustomization"](question, answer)] == []
    assert len(pairs) == 40


@pytest.mark.usefixtures("path_with_kubectl")
def test_the_libraries_of_flux_agree() -> None:
    """``record_flux_builds`` asks more questions."""
    asked = list(questions("suite", 20))
    try:
        given = answers(flux_build_program(os.environ), asked)
    except Unavailable as reason:
        pytest.skip(str(reason))

    pairs = zip(asked, given, strict=True)
    assert [question for question, answer in pairs if not KINDS[kind_of(question)](question, answer)] == []
