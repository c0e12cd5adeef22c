"""Fixtures of recorders."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import pytest

from tests.cluster.api import Resource, Resources
from tests.fidelity.charts import Stock
from tests.fidelity.edits import donors
from tests.fidelity.manifests import BASES, load_all

EVERYWHERE: Final = {"ClusterRole", "ClusterRoleBinding", "CustomResourceDefinition", "PriorityClass"}


@pytest.fixture(name="stock", scope="session")
def _stock() -> Stock:
    """The manifests that recorders draw from."""
    bases = load_all([BASES])
    resources: Resources = {
        (item["apiVersion"], item["kind"]): Resource("", "", item["kind"] not in EVERYWHERE) for item in bases
    }
    return Stock(resources, bases, donors(bases))


@pytest.fixture(name="programs")
def _programs(
    helm_programs: Mapping[str, Path], kubectl: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The real Helm 4 and kubectl."""
    (tmp_path / "helm").symlink_to(helm_programs["helm4"])
    (tmp_path / "kubectl").symlink_to(kubectl)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
