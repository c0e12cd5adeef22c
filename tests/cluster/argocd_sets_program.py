"""Generates with the ApplicationSet controller of Argo CD, the program of ``tests/appliers_go/argocd_sets``."""

import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from kubectl_applylint.core.values import JsonObject
from tests.cluster.build import applier
from tests.cluster.flux_build_program import answers
from tests.fidelity.argocd_sets import CLUSTERS, FILES
from tests.run.running import write

NAME = "argocd_sets"


def argocd_sets_program(environment: Mapping[str, str]) -> Path:
    """Return the program, built on first use; raise ``Unavailable`` without Go or when the build fails."""
    return applier(NAME, environment)


def generate(program: Path, sets: Sequence[JsonObject]) -> list[JsonObject]:
    """Return what the program generates from each set, in the repository and with the clusters of ``argocd_sets``."""
    with TemporaryDirectory() as folder:
        write(Path(folder), FILES)
        for words in (["init", "-q"], ["add", "-A"]):
            subprocess.run(["git", "-C", folder, *words], check=True)
        return answers(program, [{"set": one, "folder": folder, "secrets": CLUSTERS} for one in sets])
