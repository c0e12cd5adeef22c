"""A run imports the program that it is about, and no other one."""

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import pytest

from tests.run.compare.test_history import settings

OWN: Final[Mapping[str, frozenset[str]]] = {
    "helm": frozenset(("tools.helm.program", "tools.helm.write", "run.helm_units", "sources.cluster.helm_releases")),
    "flux": frozenset(("tools.flux.program", "tools.flux.write", "run.flux_units")),
    "argocd": frozenset(("tools.argocd.program", "tools.argocd.write", "run.argocd_units")),
    "kapp": frozenset(("tools.kapp.program", "tools.kapp.write", "run.kapp_units")),
    "metacontroller": frozenset(("tools.metacontroller.rolling", "tools.metacontroller.sync")),
}
"""Modules that only runs of one program need."""
RARE: Final = frozenset(("celpy", "multiprocessing.pool", "server.validate.definitions.costs"))
"""Modules that few runs need, or none."""
RUN: Final = """
import sys
from kubectl_applylint.cli.main import main
try:
    main("applylint", sys.argv[1:])
finally:
    print(*(name.removeprefix("kubectl_applylint.") for name in sys.modules), sep="\\n", file=sys.stderr)
"""


def imported_modules(folder: Path, *arguments: str) -> set[str]:
    """Return the modules that a fresh interpreter imports for a command."""
    done = subprocess.run(
        [sys.executable, "-c", RUN, *arguments], cwd=folder, capture_output=True, text=True, check=False, timeout=60
    )
    assert done.stdout
    names = set(done.stderr.splitlines())
    assert "run.pipeline" in names
    return names


def imported_programs(folder: Path, *arguments: str) -> set[str]:
    """Return the programs from which a fresh interpreter imports modules for a command."""
    names = imported_modules(folder, *arguments)
    return {program for program, modules in OWN.items() if names & modules}


@pytest.fixture(name="folder")
def _folder(tmp_path: Path) -> Path:
    """Two revisions of a directory that each program can apply, as objects of the tools say of the later one."""
    application = "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: a}\n"
    kustomization = "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: f}\n"
    for side, value in (("before", "b"), ("after", "c")):
        for name in ("plain", "shop", "web"):
            (tmp_path / side / name).mkdir(parents=True)
            (tmp_path / side / name / "one.yaml").write_text(settings(f"{name}-one", value))
        (tmp_path / side / "tools").mkdir()
        (tmp_path / side / "tools/argocd.yaml").write_text(f"{application}spec: {{source: {{path: shop}}}}\n")
        (tmp_path / side / "tools/flux.yaml").write_text(f"{kustomization}spec: {{path: web}}\n")
    return tmp_path


@pytest.mark.slow
@pytest.mark.parametrize("arguments", [("check", "after"), ("plan", "after", "--against", "dir:before")], ids=" ".join)
@pytest.mark.parametrize(
    ("more", "programs"),
    [(("--applier", "kubectl"), set()), ((), {"argocd", "flux"})],
    ids=["by kubectl", "by the program of each unit"],
)
def test_a_run_imports_the_programs_of_its_units(
    folder: Path, arguments: tuple[str, ...], more: tuple[str, ...], programs: set[str]
) -> None:
    assert imported_programs(folder, *arguments, *more) == programs


@pytest.mark.slow
def test_a_run_of_plain_manifests_imports_no_other_program(folder: Path) -> None:
    assert imported_programs(folder, "check", "after/plain") == set()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("applier", "program"),
    [("helm3", "helm"), ("helm4", "helm"), ("flux", "flux"), ("argocd", "argocd"), ("kapp", "kapp")],
)
def test_a_plan_by_a_program_imports_no_other_one(folder: Path, applier: str, program: str) -> None:
    assert imported_programs(folder, "plan", "after", "--applier", applier, "--against", "dir:before") == {program}


@pytest.mark.slow
def test_a_plan_imports_no_module_that_few_runs_need(folder: Path) -> None:
    assert imported_modules(folder, "plan", "after", "--against", "dir:before") & RARE == set()
