"""The jobs of GitLab install the programs that render, with a curl that serves files of the test."""

import hashlib
import os
import subprocess
import tarfile
from pathlib import Path

import pytest
import yaml

from tests.tree import ROOT

JOBS = {"gitlab-ci": "applylint", "gitlab-ci-parallel": "applylint-part"}
CURL = '#!/bin/sh\nfor url; do :; done\necho "$url" >> "$FILES/urls"\nexec cp "$FILES/${url##*/}" .\n'
KUBECTL, HELM = "kubectl", "helm-v3.18.0-linux-amd64.tar.gz"
pytestmark = pytest.mark.slow


def before_script(name: str) -> str:
    """Return the lines that a runner runs before the check."""
    jobs = yaml.safe_load((ROOT / "hooks" / f"{name}.yml").read_text(encoding="utf-8"))
    return "\n".join(jobs[JOBS[name]]["before_script"])


@pytest.fixture(name="sites")
def _sites(tmp_path: Path) -> Path:
    """Return a directory with what the two sites serve, checksums in the form of each."""
    sites, programs, made = (tmp_path / name for name in ("sites", "programs", "linux-amd64"))
    for folder in (sites, programs, made, tmp_path / "checkout"):
        folder.mkdir()
    (programs / "curl").write_text(CURL)
    (programs / "curl").chmod(0o755)
    (sites / KUBECTL).write_text("#!/bin/sh\necho this is kubectl\n")
    (made / "helm").write_text("#!/bin/sh\necho this is helm\n")
    with tarfile.open(sites / HELM, "w:gz") as archive:
        archive.add(made, "linux-amd64")
    (sites / f"{KUBECTL}.sha256").write_text(checksum(sites / KUBECTL))
    (sites / f"{HELM}.sha256sum").write_text(f"{checksum(sites / HELM)}  {HELM}\n")
    return sites


def checksum(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


def run_before_script(name: str, sites: Path) -> "subprocess.CompletedProcess[str]":
    """Run the lines as a runner does, and then both programs."""
    root = sites.parent
    path = f"{root / 'programs'}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        ["bash", "-eo", "pipefail", "-c", f"{before_script(name)}\nkubectl; helm"],
        cwd=root / "checkout",
        env={"PATH": path, "TMPDIR": str(root), "FILES": str(sites), "CI_PROJECT_DIR": str(root / "checkout")},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


@pytest.mark.parametrize("name", JOBS)
def test_the_job_has_both_programs_on_its_path(name: str, sites: Path) -> None:
    done = run_before_script(name, sites)

    assert (done.returncode, done.stdout, done.stderr) == (0, "this is kubectl\nthis is helm\n", "")
    assert (sites / "urls").read_text().splitlines() == [
        "https://dl.k8s.io/release/v1.36.3/bin/linux/amd64/kubectl",
        "https://dl.k8s.io/release/v1.36.3/bin/linux/amd64/kubectl.sha256",
        f"https://get.helm.sh/{HELM}",
        f"https://get.helm.sh/{HELM}.sha256sum",
    ]
    assert list((sites.parent / "checkout").iterdir()) == []


@pytest.mark.parametrize("name", JOBS)
@pytest.mark.parametrize("file", [KUBECTL, HELM])
def test_a_wrong_checksum_fails_the_job(name: str, sites: Path, file: str) -> None:
    with (sites / file).open("ab") as program:
        program.write(b"#")
    done = run_before_script(name, sites)

    assert (done.returncode, "this is" in done.stdout) == (1, False)
    assert "did NOT match" in done.stderr
    assert list((sites.parent / "checkout.bin").iterdir()) == []


@pytest.mark.parametrize("name", JOBS)
@pytest.mark.parametrize("file", [KUBECTL, f"{KUBECTL}.sha256", HELM, f"{HELM}.sha256sum"])
def test_a_failed_download_fails_the_job(name: str, sites: Path, file: str) -> None:
    (sites / file).unlink()
    done = run_before_script(name, sites)

    assert (done.returncode, done.stdout) == (1, "")
    assert list((sites.parent / "checkout.bin").iterdir()) == []
