"""Every command there is: those that ask a cluster send nothing but GET and need no more than the role of a reader."""

import json
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from pathlib import Path

import pytest

from kubectl_applylint.cli import kubectl_applylint
from kubectl_applylint.cli.parsing.arguments import commands, flags_of
from kubectl_applylint.cli.parsing.names import PLUGIN
from tests.cluster.cluster import Cluster
from tests.cluster.proxy import Recording

MANIFEST = """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 3
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers: [{name: web, image: "web:1"}]
"""
ON_FILES, ON_FIELD = ("-f", "web.yaml"), ("deploy/web", "spec.replicas", "-f", "web.yaml")
ARGUMENTS: Mapping[str, Sequence[str]] = {
    "check": ON_FILES,
    "plan": ON_FILES,
    "compare": (".", "--against", "dir:."),
    "again": ON_FILES,
    "revert": (*ON_FILES, "--against", "file:web.yaml"),
    "baseline": ("create", *ON_FILES),
    "owners": ("deploy/web",),
    "why": ON_FIELD,
    "adopt": ("deploy/web",),
    "migrate": ON_FILES,
    "handover": (*ON_FIELD, "--to", "kube-controller-manager"),
    "defaults": ON_FILES,
    "diagnose": ('The Service "web" is invalid: spec.ports[0].name: Required value',),
    "config": ("show",),
    "init": (),
    "explain": ("replicas-set-back",),
    "rules": (),
    "units": ("web.yaml",),
    "render": ("web.yaml",),
    "definitions": ("web.yaml",),
    "fetch": ("web.yaml",),
    "comment": ("plan.json",),
    "merge": ("part.json",),
    "completion": ("bash",),
}
"""All commands but that of editors, which waits for what they say (``tests.cli.editor``)."""
EMPTY = {"command": "plan", "summary": "", "compared": [], "time": "", "version": "", "units": [], "notes": []}
REFUSED = (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN)


def options(command: str) -> set[str]:
    return {spelling for flag in flags_of(PLUGIN, command) for spelling in flag.spellings}


def test_every_command_is_tried() -> None:
    assert ARGUMENTS.keys() == commands().keys() - {"lsp"}


@pytest.mark.parametrize("command", ARGUMENTS)
def test_a_command_asks_by_get_and_only_where_it_takes_a_kubeconfig(
    command: str,
    cluster: Cluster,
    reading: tuple[Cluster, Recording],
    namespace: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    reader, proxy = reading
    monkeypatch.setenv("KUBECONFIG", str(reader.kubeconfig))
    monkeypatch.setenv("KUBECACHEDIR", str(tmp_path))
    monkeypatch.setenv("APPLYLINT_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    Path("web.yaml").write_text(MANIFEST)
    Path("plan.json").write_text(json.dumps({"review": EMPTY}))
    assert kubectl_applylint(["check", "web.yaml", "--against", "none", "-o", "part=part.json"]) == 0
    assert cluster.run("apply", "-n", namespace, "-f", str(tmp_path / "web.yaml")).code == 0
    proxy.take()

    place = ("-n", namespace) if "--namespace" in options(command) else ()
    code = kubectl_applylint([command, *ARGUMENTS[command], *place])

    sent = proxy.take()
    assert code in (0, 1)
    assert {exchange.method for exchange in sent} == ({"GET"} if "--kubeconfig" in options(command) else set())
    assert [exchange.path for exchange in sent if exchange.status in REFUSED or exchange.body] == []
