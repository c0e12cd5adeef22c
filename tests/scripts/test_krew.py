"""Files for krew: an archive that runs wherever it is unpacked, and a manifest that describes it."""

import hashlib
import os
import re
import subprocess
import sys
import tarfile
from pathlib import Path
from typing import Any

import pytest
import yaml

from kubectl_applylint import __version__
from tests.cluster.cluster import Cluster
from tests.tree import copy_tree

URL = "https://git.example/tools/kubectl-applylint"

pytestmark = pytest.mark.cluster  # Packing needs a package registry, which CI has.


@pytest.fixture(name="release", scope="module")
def _release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder with archive and manifest."""
    source, release = copy_tree(tmp_path_factory.mktemp("source")), tmp_path_factory.mktemp("release")
    subprocess.run([sys.executable, source / "scripts" / "krew.py", release, URL], check=True)
    return release


@pytest.fixture(name="manifest")
def _manifest(release: Path) -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((release / "applylint.yaml").read_text(encoding="utf-8"))
    return found


def unpack(release: Path, folder: Path, manifest: dict[str, Any]) -> Path:
    """Do as krew does: unpack all of the archive, and link the program into a folder of the PATH."""
    (platform,) = manifest["spec"]["platforms"]
    store, programs = folder / "store", folder / "bin"
    programs.mkdir()
    with tarfile.open(release / Path(platform["uri"]).name) as archive:
        archive.extractall(store, filter="data")
    (programs / f"kubectl-{manifest['metadata']['name']}").symlink_to(store / platform["bin"])
    return programs


def test_the_manifest_has_version_address_and_checksum_of_the_archive(release: Path, manifest: dict[str, Any]) -> None:
    (platform,) = manifest["spec"]["platforms"]

    assert manifest["spec"]["version"] == f"v{__version__}"
    assert platform["uri"] == f"{URL}/releases/download/v{__version__}/kubectl-applylint.tar.gz"
    assert platform["sha256"] == hashlib.sha256((release / "kubectl-applylint.tar.gz").read_bytes()).hexdigest()


def test_the_manifest_has_what_krew_asks_for(manifest: dict[str, Any]) -> None:
    spec = manifest["spec"]

    assert (manifest["apiVersion"], manifest["kind"]) == ("krew.googlecontainertools.github.com/v1alpha2", "Plugin")
    assert len(spec["shortDescription"]) <= 50
    assert not re.search(r"(^|\s)--?\w", spec["description"]), "krew wants no flags in there"


def test_the_archive_holds_the_licence_and_nothing_for_one_platform(release: Path) -> None:
    with tarfile.open(release / "kubectl-applylint.tar.gz") as archive:
        names = archive.getnames()

    assert {"LICENSE", "kubectl-applylint"} <= set(names)
    assert [name for name in names if name.endswith((".so", ".pyd", ".pyc"))] == []


def test_kubectl_runs_what_krew_has_unpacked(
    release: Path, manifest: dict[str, Any], reader: Cluster, namespace: str, tmp_path: Path
) -> None:
    programs = unpack(release, tmp_path, manifest)
    settings = tmp_path / "settings.yaml"
    settings.write_text("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings}\ndata: {a: b}\n")
    path = os.pathsep.join([str(programs), str(Path(sys.base_prefix) / "bin"), os.environ["PATH"]])
    flags = ["-n", namespace, f"--cache-dir={tmp_path}"]

    done = subprocess.run(
        [str(reader.kubectl), "applylint", "plan", "-f", str(settings), *flags],
        env={**os.environ, "PATH": path, "KUBECONFIG": str(reader.kubeconfig)},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )

    assert done.returncode == 0, done.stdout + done.stderr
    assert f"configmap/settings in {namespace}: created" in done.stdout
