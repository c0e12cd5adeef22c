"""Charts and Kustomizations of other git repositories, with a real git server on the loopback device."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.sources.repositories import create
from tests.sources.store.git_server import GitServer, serving_git

Run = Callable[..., tuple[int, str, str]]
SOURCE = """\
apiVersion: source.toolkit.fluxcd.io/v1
kind: GitRepository
metadata: {name: other, namespace: apps}
spec: {url: 'ssh://git@github.com/org/other', ref: {branch: main}}
"""
RELEASE = """\
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: web, namespace: apps}
spec:
  chart:
    spec:
      chart: ./charts/web
      sourceRef: {kind: GitRepository, name: other}
      valuesFiles: [charts/web/values.yaml, prod.yaml]
"""
MANIFEST = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: from-chart}\n"
CHART = {
    "charts/web/Chart.yaml": "apiVersion: v2\nname: web\nversion: 1.0.0\n",
    "charts/web/values.yaml": "a: default\n",
    "charts/web/templates/a.yaml": MANIFEST + "data: {a: {{ .Values.a }}}\n",
    "prod.yaml": "a: production\n",
}


@pytest.fixture
def server(folder: Path, kubectl: Path, helm: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[GitServer]:
    repo = create(folder)
    repo.git("remote", "add", "origin", "https://github.com/org/fleet")
    monkeypatch.setenv("PATH", f"{helm.parent}:{kubectl.parent}", prepend=":")
    monkeypatch.setenv("APPLYLINT_CACHE_DIR", str(folder / "cache"))
    with serving_git(folder.parent / "served") as found:
        (folder / "trusted.yaml").write_text(f"mirrors: {{github.com: 'http://127.0.0.1:{found.port}'}}\n")
        (folder / ".gitignore").write_text("cache\n")
        yield found


@pytest.mark.cluster
def test_a_chart_of_another_repository_is_fetched_and_rendered(run: Run, folder: Path, server: GitServer) -> None:
    (folder / "source.yaml").write_text(SOURCE)
    (folder / "release.yaml").write_text(RELEASE)
    server.repository("org/other", CHART)
    missing = run("plan", ".")
    fetched = run("fetch", "--config", "trusted.yaml")
    code, out, err = run("render", ".")

    assert "https://github.com/org/other" in "".join(missing[1:])
    assert fetched[0] == 0, fetched
    assert (code, "from-chart" in out, "production" in out) == (0, True, True), (out, err)


KUSTOMIZATION = """\
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: infra, namespace: apps}
spec: {path: ./infra, prune: true, sourceRef: {kind: GitRepository, name: other}, postBuild: {substitute: {a: value}}}
"""


@pytest.mark.cluster
def test_a_kustomization_of_another_repository_is_fetched_and_built(run: Run, folder: Path, server: GitServer) -> None:
    (folder / "source.yaml").write_text(SOURCE)
    (folder / "infra.yaml").write_text(KUSTOMIZATION)
    other = server.repository("org/other", {"infra/a.yaml": MANIFEST + "data: {a: '${a}'}\n", "b.yaml": "x"})
    create(folder).commit({})
    missing = run("plan", ".")
    fetched = run("fetch", "--config", "trusted.yaml")
    code, out, err = run("render", ".")

    assert "its source is" in "".join(missing[1:])
    assert fetched[0] == 0, fetched
    assert (code, "from-chart" in out, "value" in out) == (0, True, True), (out, err)

    tagged = SOURCE.replace("branch: main", "tag: v2")
    other.commit({"infra/a.yaml": MANIFEST + "data: {a: later}\n"})
    other.git("tag", "v2")
    (folder / "source.yaml").write_text(tagged)
    unknown = run("plan", "--against", "HEAD")
    run("fetch", "--against", "HEAD", "--config", "trusted.yaml")
    code, out, err = run("plan", "--against", "HEAD")

    assert unknown[0] == 3
    assert (code, "from-chart" in out) == (0, True), (out, err)


FLEET = """\
apiVersion: source.toolkit.fluxcd.io/v1
kind: GitRepository
metadata: {name: fleet, namespace: apps}
spec:
  url: https://github.com/org/fleet
  include: [{repository: {name: other}, fromPath: infra, toPath: vendor/other}]
"""
OVERLAY = "namespace: web\nresources: [../vendor/other]\n"


@pytest.mark.cluster
@pytest.mark.parametrize("path", ["overlay", "vendor/other"])
def test_a_repository_that_a_source_includes_is_fetched_and_built(
    run: Run, folder: Path, server: GitServer, path: str
) -> None:
    name = path.replace("/", "-")
    source = SOURCE.replace("org/other", f"org/{name}")
    infra = KUSTOMIZATION.replace("./infra", f"./{path}").replace("name: other", "name: fleet")
    overlay = {"overlay/kustomization.yaml": OVERLAY} if path == "overlay" else {}
    files = {"flux/a.yaml": source, "flux/b.yaml": FLEET, "flux/c.yaml": infra, **overlay}
    included = {"infra/a.yaml": MANIFEST + "data: {a: '${a}'}\n", "infra/kustomization.yaml": "resources: [a.yaml]\n"}
    other = server.repository(f"org/{name}", included)
    create(folder).commit(files)
    missing = run("render", ".")
    fetched = run("fetch", "--config", "trusted.yaml")
    code, out, err = run("render", ".")

    assert (missing[0], "refs/heads/main is not in the store" in "".join(missing[1:])) == (3, True)
    assert fetched[0] == 0, fetched
    assert (code, "from-chart" in out, "a: value" in out) == (0, True, True), (out, err)

    other.commit({"infra/a.yaml": MANIFEST + "data: {a: later}\n"})
    other.git("tag", "v2")
    (folder / "flux/a.yaml").write_text(source.replace("branch: main", "tag: v2"))
    unknown = run("plan", "--against", "HEAD")
    run("fetch", "--against", "HEAD", "--config", "trusted.yaml")
    code, out, err = run("plan", "--against", "HEAD")

    assert (unknown[0], f"org/{name}" in "".join(unknown[1:])) == (3, True)
    assert (code, "from-chart" in out, "later" in out) == (0, True, True), (out, err)
