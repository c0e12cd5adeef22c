"""A real kubectl runs the plugin and completes its command line."""

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

import pytest

from kubectl_applylint import __version__
from tests.cluster.cluster import Cluster

PROGRAMS = Path(sys.executable).parent
PLUGIN = PROGRAMS / "kubectl-applylint"


def run(
    kubectl: Path,
    *arguments: str,
    kubeconfig: Path | str = "",
    environment: Mapping[str, str] = MappingProxyType({}),
) -> subprocess.CompletedProcess[str]:
    """Run kubectl where the plugin is on the PATH."""
    path = os.pathsep.join([str(PROGRAMS), os.environ["PATH"]])
    return subprocess.run(
        [str(kubectl), *arguments],
        env={**os.environ, "PATH": path, "KUBECONFIG": str(kubeconfig), **environment},
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


_PREFERENCE = "apiVersion: kubectl.config.k8s.io/v1beta1\nkind: Preference\n"
_DEFAULTS = 'defaults: [{command: apply, options: [{name: server-side, default: "true"}]}]\n'


@pytest.mark.parametrize(
    ("text", "words", "is_server_side"),
    [
        (_PREFERENCE + _DEFAULTS, (), True),
        (_PREFERENCE + _DEFAULTS, ("--server-side=false",), False),
        (_PREFERENCE + _DEFAULTS.replace("apply", "apply view-last-applied"), (), False),
        (f"kind: Preference\n---\n{_PREFERENCE}{_DEFAULTS}more: 1\n", (), True),
        (
            _PREFERENCE.replace("v1beta1", "v1alpha1")
            + _DEFAULTS.replace("defaults", "overrides").replace("options", "flags"),
            (),
            True,
        ),
        (_PREFERENCE + _DEFAULTS.replace('"true"', "true"), (), None),
        (_PREFERENCE + _DEFAULTS.replace("server-side", "nope"), (), None),
        (_PREFERENCE + _DEFAULTS.replace("server-side", "--server-side"), (), None),
        ("{a: [", (), None),
    ],
)
def test_the_plugin_reads_a_kuberc_as_kubectl_does(
    text: str, words: tuple[str, ...], is_server_side: bool | None, kubectl: Path, tmp_path: Path
) -> None:
    """A server-side dry run on the client is an error of kubectl; ``None`` means that kubectl rejects the kuberc.

    The plugin is started without kubectl, which would reject such a kuberc before it starts a plugin.
    """
    manifest, kuberc = tmp_path / "settings.yaml", tmp_path / "kuberc"
    manifest.write_text("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings}\n")
    kuberc.write_text(text)
    flags = ("-f", str(manifest), f"--kuberc={kuberc}", "--dry-run=client", *words)

    environment = {"KUBERC": "", "KUBECONFIG": os.devnull}
    applied, planned = (
        run(program, *command, *flags, environment=environment)
        for program, command in ((kubectl, ("apply",)), (PLUGIN, ("plan", "--against", "none")))
    )

    refused = "--dry-run=client doesn't work with --server-side"
    assert ("applying preferences" in applied.stderr) == (is_server_side is None)
    assert (refused in applied.stderr, refused in planned.stderr) == (is_server_side is True,) * 2
    assert planned.returncode == (0 if is_server_side is False else 2), planned.stderr
