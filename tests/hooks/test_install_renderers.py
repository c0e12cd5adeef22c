"""The script that installs kubectl, helm, kustomize and jsonnet, with a program that stands for curl."""

import hashlib
import os
import subprocess
import tarfile
from pathlib import Path

import pytest

from tests.hooks.test_ci_renderers import CURL
from tests.tree import ROOT

SCRIPT = ROOT / "hooks" / "install-renderers.sh"
HELM, KUSTOMIZE = "helm-v3.18.0-linux-amd64.tar.gz", "kustomize_v5.7.1_linux_amd64.tar.gz"
JSONNET = "go-jsonnet_0.20.0_Linux_x86_64.tar.gz"
VERSIONS = {
    "KUBECTL_VERSION": "1.36.3",
    "HELM_VERSION": "3.18.0",
    "KUSTOMIZE_VERSION": "5.7.1",
    "JSONNET_VERSION": "0.20.0",
}
PACKED = {HELM: "linux-amd64/helm", KUSTOMIZE: "kustomize", JSONNET: "jsonnet"}
UNAME = '#!/bin/sh\ncase "$1" in -s) echo Linux ;; *) echo x86_64 ;; esac\n'


@pytest.fixture(name="sites")
def _sites(tmp_path: Path) -> Path:
    """Return a directory with what the sites serve."""
    sites, programs = tmp_path / "sites", tmp_path / "programs"
    sites.mkdir()
    programs.mkdir()
    for name, text in {"curl": CURL, "uname": UNAME}.items():
        (programs / name).write_text(text, encoding="utf-8")
        (programs / name).chmod(0o755)
    for name in ("kubectl", "helm", "kustomize", "jsonnet"):
        (sites / name).write_text(f"#!/bin/sh\necho {name}\n", encoding="utf-8")
    for archive, inside in PACKED.items():
        with tarfile.open(sites / archive, "w:gz") as tar:
            tar.add(sites / Path(inside).name, inside)
    sums = {name: hashlib.sha256((sites / name).read_bytes()).hexdigest() for name in ("kubectl", *PACKED)}
    (sites / "kubectl.sha256").write_text(sums["kubectl"], encoding="utf-8")
    (sites / f"{HELM}.sha256sum").write_text(f"{sums[HELM]}  {HELM}\n", encoding="utf-8")
    lines = (f"{sums[name]}  {name}\n" for name in (KUSTOMIZE, JSONNET))
    (sites / "checksums.txt").write_text(f"{'0' * 64}  other\n{''.join(lines)}", encoding="utf-8")
    return sites


def install(sites: Path, **versions: str) -> "subprocess.CompletedProcess[str]":
    root = sites.parent
    path = f"{root / 'programs'}{os.pathsep}{os.environ['PATH']}"
    env = {"PATH": path, "TMPDIR": str(root), "FILES": str(sites), **versions}
    command = ["sh", str(SCRIPT), "bin"]
    return subprocess.run(command, cwd=root, env=env, capture_output=True, encoding="utf-8", check=False)


def installed_programs(sites: Path) -> list[str]:
    return sorted(path.name for path in (sites.parent / "bin").glob("*") if os.access(path, os.X_OK))


def test_programs_are_installed_from_the_sites_of_their_projects(sites: Path) -> None:
    done = install(sites, **VERSIONS)

    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert installed_programs(sites) == ["helm", "jsonnet", "kubectl", "kustomize"]
    assert (sites / "urls").read_text(encoding="utf-8").splitlines() == [
        "https://dl.k8s.io/release/v1.36.3/bin/linux/amd64/kubectl",
        "https://dl.k8s.io/release/v1.36.3/bin/linux/amd64/kubectl.sha256",
        f"https://get.helm.sh/{HELM}",
        f"https://get.helm.sh/{HELM}.sha256sum",
        f"https://github.com/kubernetes-sigs/kustomize/releases/download/kustomize%2Fv5.7.1/{KUSTOMIZE}",
        "https://github.com/kubernetes-sigs/kustomize/releases/download/kustomize%2Fv5.7.1/checksums.txt",
        f"https://github.com/google/go-jsonnet/releases/download/v0.20.0/{JSONNET}",
        "https://github.com/google/go-jsonnet/releases/download/v0.20.0/checksums.txt",
    ]


def test_only_programs_with_a_version_are_installed(sites: Path) -> None:
    assert install(sites, HELM_VERSION="3.18.0", KUSTOMIZE_VERSION="").returncode == 0
    assert installed_programs(sites) == ["helm"]


@pytest.mark.parametrize("file", ["kubectl", *PACKED])
def test_a_wrong_checksum_fails(sites: Path, file: str) -> None:
    with (sites / file).open("ab") as stream:
        stream.write(b"x")

    assert install(sites, **VERSIONS).returncode != 0


@pytest.mark.parametrize("file", ["kubectl.sha256", f"{HELM}.sha256sum", "checksums.txt"])
def test_a_failed_download_fails(sites: Path, file: str) -> None:
    (sites / file).unlink()

    assert install(sites, **VERSIONS).returncode != 0


def test_a_version_is_a_number(sites: Path) -> None:
    done = install(sites, HELM_VERSION="3/../x")

    assert (done.returncode, done.stderr) == (2, "The version of helm must be like 1.2.3, not 3/../x\n")
