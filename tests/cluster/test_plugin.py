"""A real kubectl runs the plugin and completes its command line."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from kubectl_applylint import __version__
from tests.cluster.cluster import Cluster

PROGRAMS = Path(sys.executable).parent


def run(kubectl: Path, *arguments: str, kubeconfig: Path | str = "") -> subprocess.CompletedProcess[str]:
    """Run kubectl where the plugin is on the PATH."""
    path = os.pathsep.join([str(PROGRAMS), os.environ["PATH"]])
    return subprocess.run(
        [str(kubectl), *arguments],
        env={**os.environ, "PATH": path, "KUBECONFIG": str(kubeconfig)},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


def test_kubectl_finds_the_plugin(kubectl: Path) -> None:
    listed = run(kubectl, "plugin", "list", "--name-only")
    version = run(kubectl, "applylint", "--version")

    assert "kubectl-applylint" in listed.stdout.splitlines()
    assert version.stdout == f"kubectl applylint {__version__}\n"


@pytest.mark.parametrize("command", ["check", "plan"])
def test_kubectl_runs_the_plugin_against_the_cluster_of_its_kubeconfig(
    command: str, reader: Cluster, namespace: str, tmp_path: Path
) -> None:
    manifest = tmp_path / "settings.yaml"
    manifest.write_text("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings}\ndata: {a: b}\n")
    flags = ("-n", namespace, f"--cache-dir={tmp_path}")

    done = run(reader.kubectl, "applylint", command, "-f", str(manifest), *flags, kubeconfig=reader.kubeconfig)

    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stderr == f"kubectl applylint: compared with cluster test ({reader.version})\n"


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        (["pl"], ["plan\tpredict what the apply does to each object", ":4"]),
        (["check", "--color", "al"], ["always", ":4"]),
        (["explain", "selector-change-r"], ["selector-change-rejected", ":4"]),
        (["check", ""], ["yaml", "yml", "json", ":8"]),
        (["check", "--context="], ["test", ":4"]),
    ],
    ids=["commands", "values", "rules", "files", "contexts"],
)
def test_kubectl_completes_the_command_line(words: list[str], wanted: list[str], reader: Cluster) -> None:
    lines = run(reader.kubectl, "__complete", "applylint", *words, kubeconfig=reader.kubeconfig).stdout.splitlines()

    described = [line.partition("\t")[0] if line.startswith("selector") else line for line in lines]
    assert described == wanted


def test_kubectl_completes_namespaces(reader: Cluster, namespace: str) -> None:
    done = run(reader.kubectl, "__complete", "applylint", "plan", "-n", namespace[:-1], kubeconfig=reader.kubeconfig)

    assert namespace in done.stdout.splitlines()
