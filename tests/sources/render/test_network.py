"""Rendering reaches no network: a listener on the loopback device hears nothing, whatever a kustomization names."""

import os
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from shutil import which

import pytest

from kubectl_applylint.core.problem import Problem
from kubectl_applylint.run.compare.history import in_git
from kubectl_applylint.run.compare.live_source import source_of_base
from kubectl_applylint.run.load.run_input import input_of_files
from kubectl_applylint.sources.render.helm import Chart
from kubectl_applylint.sources.render.helm import render as helm_render
from kubectl_applylint.sources.render.hermetic_env import without_network
from kubectl_applylint.sources.render.kustomize import render
from kubectl_applylint.sources.system import subprocesses
from tests.sources.repositories import create

MANIFEST = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n"
PLUGIN = "apiVersion: builtin\nkind: PatchTransformer\nmetadata: {name: x}\ntarget: {kind: ConfigMap}\npath: "
FETCHING = {
    "resource": "resources: [a.yaml, 'URL']",
    "repository": "resources: [a.yaml, 'http://ADDRESS/some/where']",
    "component": "resources: [a.yaml]\ncomponents: ['http://ADDRESS/some/where']",
    "patch": "resources: [a.yaml]\npatches: [{path: 'URL', target: {kind: ConfigMap}}]",
    "JSON patch": "resources: [a.yaml]\npatchesJson6902: [{path: 'URL', target: {kind: ConfigMap, name: a}}]",
    "strategic patch": "resources: [a.yaml]\npatchesStrategicMerge: ['URL']",
    "transformer": "resources: [a.yaml]\ntransformers: ['URL']",
    "transformer in a file": "resources: [a.yaml]\ntransformers: [plugin.yaml]",
    "generator": "resources: [a.yaml]\ngenerators: ['URL']",
    "validator": "resources: [a.yaml]\nvalidators: ['URL']",
    "file of a ConfigMap": "configMapGenerator: [{name: a, files: ['k=URL']}]",
    "variables of a Secret": "secretGenerator: [{name: a, envs: ['URL']}]",
    "CRD": "resources: [a.yaml]\ncrds: ['URL']",
    "configuration": "resources: [a.yaml]\nconfigurations: ['URL']",
    "OpenAPI": "resources: [a.yaml]\nopenapi: {path: 'URL'}",
    "replacement": "resources: [a.yaml]\nreplacements: [{path: 'URL'}]",
    "another case": "Resources: [a.yaml, 'URL']",
    "base of a base": "resources: [inner]",
}


@dataclass(slots=True)
class Listener:
    """Accepts connections, counts them and hangs up."""

    socket: socket.socket
    heard: list[object] = field(default_factory=list)

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.socket.getsockname()[1]}"

    def listen(self) -> None:
        with suppress(OSError):
            while True:
                connection, peer = self.socket.accept()
                self.heard.append(peer)
                connection.close()


@pytest.fixture(name="listener")
def _listener() -> Iterator[Listener]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        listener = Listener(server)
        thread = threading.Thread(target=listener.listen)
        thread.start()
        yield listener
        server.shutdown(socket.SHUT_RDWR)
        thread.join()


def write(folder: Path, kustomization: str, address: str) -> None:
    url = f"http://{address}/far.yaml"
    (folder / "inner").mkdir(parents=True)
    (folder / "a.yaml").write_text(MANIFEST)
    (folder / "plugin.yaml").write_text(PLUGIN + url + "\n")
    (folder / "inner" / "kustomization.yaml").write_text(f"resources: ['{url}']\n")
    (folder / "kustomization.yaml").write_text(kustomization.replace("URL", url).replace("ADDRESS", address) + "\n")


@pytest.fixture(name="path")
def _path(tmp_path: Path, kubectl: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The real kubectl renders."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "kubectl").symlink_to(kubectl)
    (tmp_path / "bin" / "git").symlink_to(which("git") or "")
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))


@pytest.mark.usefixtures("path")
@pytest.mark.parametrize("kustomization", FETCHING.values(), ids=FETCHING)
def test_nothing_is_fetched(
    tmp_path: Path, listener: Listener, kustomization: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo = create(tmp_path / "repo")
    repo.commit({"app/kustomization.yaml": "resources: [a.yaml]\n", "app/a.yaml": MANIFEST})
    monkeypatch.chdir(repo.folder)
    subprocess.run([*["rm", "-r", "app"]], check=True, env={"PATH": "/usr/bin:/bin"})
    write(repo.folder / "app", kustomization, listener.address)
    named = render("app/kustomization.yaml")
    repo.commit({})
    for text, names in (("HEAD~1", ["app"]), ("HEAD~1..HEAD", ["app"]), ("HEAD~1..HEAD", []), ("HEAD:app", ["app"])):
        base = in_git(text, names, recursive=False)
        assert not isinstance(base, Problem)
        input_of_files(names, recursive=False, stdin=bytes, source=source_of_base(base))

    assert listener.heard == []
    messages = (*(one.message for one in named.problems), *(one.what for one in named.holes))
    assert "and nothing is fetched" in messages[0] or "it is not in the store" in messages[0]


@pytest.mark.parametrize(
    ("file", "text"),
    [
        pytest.param("values.schema.json", '{"$ref": "URL"}', id="schema"),
        pytest.param("charts/inner/values.schema.json", '{"$schema": "URL"}', id="schema of a schema"),
        pytest.param("templates/b.yaml", 'a: {{ getHostByName "ADDRESS" }}\n' + MANIFEST, id="name of a host"),
        pytest.param("requirements.yaml", "dependencies: [{name: inner, repository: 'URL'}]", id="dependency"),
    ],
)
def test_a_chart_fetches_nothing(
    tmp_path: Path, helm: Path, listener: Listener, monkeypatch: pytest.MonkeyPatch, file: str, text: str
) -> None:
    chart = "apiVersion: v1\nname: NAME\nversion: 0.1.0\n"
    inner = {"charts/inner/Chart.yaml": chart.replace("NAME", "inner"), "templates/a.yaml": MANIFEST}
    url = f"http://{listener.address}/far"
    asked = {file: text.replace("URL", url).replace("ADDRESS", listener.address)}
    create(tmp_path / "shop").write({"Chart.yaml": chart.replace("NAME", "shop"), **inner, **asked})
    monkeypatch.setenv("PATH", str(helm.parent))
    found = helm_render(Chart(str(tmp_path / "shop")))

    assert (found.problems, {one.ref.name for one in found.documents}) == ((), {"a"})
    assert listener.heard == []


def test_the_environment_of_programs_has_no_network(tmp_path: Path, listener: Listener) -> None:
    """The second line: what is run by mistake is a git that allows no protocol and clients with a dead proxy."""
    environment = without_network({**os.environ, "GIT_ALLOW_PROTOCOL": "http", "no_proxy": "*"}, str(tmp_path))
    script = "import urllib.request; urllib.request.urlopen('http://example.invalid/')"
    done = subprocesses.run([sys.executable, "-c", script], timeout=30, env=environment)
    cloned = subprocesses.run(["git", "ls-remote", f"http://{listener.address}/x"], timeout=30, env=environment)

    assert listener.heard == []
    assert b"Connection refused" in done.stderr
    assert b"transport 'http' not allowed" in cloned.stderr
    assert not {"no_proxy", "GIT_DIR"} & environment.keys()
    assert environment["HELM_PLUGINS"].startswith(str(tmp_path))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
@pytest.mark.skipif(not which("strace"), reason="no strace here")
@pytest.mark.usefixtures("path")
def test_no_connection_is_even_tried(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folders = [tmp_path / "all" / str(number) for number in range(len(FETCHING))]
    for folder, kustomization in zip(folders, FETCHING.values(), strict=True):
        write(folder, kustomization, "127.0.0.1:9")
    write(tmp_path / "all" / "local", "resources: [a.yaml]", "127.0.0.1:9")
    monkeypatch.chdir(tmp_path)
    program = [sys.executable, "-m", "kubectl_applylint", "check", *map(str, folders), "all/local"]
    traced = [
        which("strace", path="/usr/local/bin:/usr/bin:/bin") or "strace",
        "-f",
        "-e",
        "trace=connect",
        "-o",
        "log",
    ]
    done = subprocess.run([*traced, *program], capture_output=True, text=True, check=False)
    if "ptrace" in done.stderr or not (tmp_path / "log").exists():
        pytest.skip("tracing is not allowed here")
    log = (tmp_path / "log").read_text()

    assert done.returncode == 3
    assert "units are not rendered: " in done.stdout
    assert "units have resources that were not rendered" in done.stderr
    assert [line for line in log.splitlines() if "AF_INET" in line] == []
