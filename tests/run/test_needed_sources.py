"""The charts that units need, in one revision and in both, and the hosts that the earlier revision names."""

import shutil
from pathlib import Path

import pytest

from kubectl_applylint.run.compare.against import Against, AgainstKind
from kubectl_applylint.run.needed_sources import NeededSources, needed_sources
from kubectl_applylint.run.request import Request
from kubectl_applylint.sources.render.packed_chart import archive
from kubectl_applylint.sources.render.remote_bases import RemoteReference
from kubectl_applylint.sources.store import store
from kubectl_applylint.sources.store.base_source import base_source
from kubectl_applylint.sources.store.offline_sources import use_offline_sources
from kubectl_applylint.sources.store.store_place import Store
from tests.sources.repositories import Repo, create

pytestmark = pytest.mark.skipif(not (shutil.which("kustomize") or shutil.which("kubectl")), reason="no kustomize here")
FLUX = "kustomize.toolkit.fluxcd.io/v1"


def source(version: str, host: str = "ghcr.io") -> str:
    return f"""\
apiVersion: source.toolkit.fluxcd.io/v1
kind: OCIRepository
metadata: {{name: web, namespace: apps}}
spec:
  url: oci://{host}/owner/web
  ref: {{tag: {version}}}
"""


RELEASE = """\
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: NAME, namespace: apps}
spec: {chartRef: {kind: OCIRepository, name: CHART}}
"""
KUSTOMIZATION = f"""\
apiVersion: {FLUX}
kind: Kustomization
metadata: {{name: apps, namespace: flux-system}}
spec: {{path: apps, prune: true, sourceRef: {{kind: GitRepository, name: flux-system}}}}
"""
FILES = {
    "clusters/prod/apps.yaml": KUSTOMIZATION,
    "apps/source.yaml": source("1.0.0"),
    "apps/web.yaml": RELEASE.replace("NAME", "web").replace("CHART", "web"),
}


@pytest.fixture(name="repo")
def _repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repo:
    monkeypatch.delenv("CI", raising=False)
    repo = create(tmp_path / "repo")
    monkeypatch.chdir(repo.folder)
    return repo


def texts(found: NeededSources) -> list[str]:
    return [f"{one.place} {one.source}" for one in found.known]


def test_the_charts_of_releases_are_found_with_their_places(repo: Repo) -> None:
    suspended = RELEASE.replace("NAME", "old").replace("CHART", "web").replace("spec: {", "spec: {suspend: true, ")
    absent = RELEASE.replace("NAME", "other").replace("CHART", "absent")
    repo.commit({**FILES, "apps/old.yaml": suspended, "apps/other.yaml": absent})
    found = needed_sources(Request(files=(".",)))

    assert texts(found) == ["apps/source.yaml:1 oci://ghcr.io/owner/web 1.0.0"]
    assert [(one.name, one.reason) for one in found.unknown] == [
        ("HelmRelease/apps/other", "OCIRepository apps/absent is not in the repository")
    ]
    assert found.earlier == ("oci://ghcr.io/owner/web",)


def test_the_charts_of_the_releases_of_a_resource_set_are_found(repo: Repo) -> None:
    release = RELEASE.replace("NAME", "<< inputs.name >>").replace("CHART", "web").replace("\n", "\n      ")
    resource_set = f"""\
apiVersion: fluxcd.controlplane.io/v1
kind: ResourceSet
metadata: {{name: apps, namespace: flux-system}}
spec:
  inputs: [{{name: a}}, {{name: b}}]
  resources:
    - {release}
"""
    repo.commit({**FILES, "apps/web.yaml": resource_set})

    found = needed_sources(Request(files=(".",)))

    assert (set(texts(found)), found.unknown) == ({"apps/source.yaml:1 oci://ghcr.io/owner/web 1.0.0"}, ())


def test_both_revisions_are_examined(repo: Repo) -> None:
    first = repo.commit(FILES)
    repo.commit({"apps/source.yaml": source("2.0.0", "evil.example")})
    found = needed_sources(Request(files=(".",), against=Against(AgainstKind.GIT, first)))

    assert sorted(str(one.source) for one in found.known) == [
        "oci://evil.example/owner/web 2.0.0",
        "oci://ghcr.io/owner/web 1.0.0",
    ]
    assert found.earlier == ("oci://ghcr.io/owner/web",)


ARGO_APPLICATION = (
    "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: web, namespace: argocd}\n"
    "spec: {source: {SOURCE, targetRevision: 1.0.0}, destination: {name: prod, namespace: web}}\n"
)


@pytest.mark.parametrize(
    ("source", "url"),
    [
        pytest.param(
            "repoURL: 'https://charts.example/x', chart: web", "https://charts.example/x", id="a flow mapping"
        ),
        pytest.param("chart: web, repoURL: charts.example", "oci://charts.example/web", id="without a protocol"),
    ],
)
def test_the_earlier_revision_names_a_source_in_any_form(repo: Repo, source: str, url: str) -> None:
    text = ARGO_APPLICATION.replace("SOURCE", source)
    first = repo.commit({"apps/web.yaml": text})
    repo.commit({"apps/web.yaml": text.replace("1.0.0", "1.0.1")})

    assert needed_sources(Request(files=(".",), against=Against(AgainstKind.GIT, first))).earlier == (url,)


def test_the_merge_base_with_the_default_branch_names_hosts(
    repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo.commit(FILES)
    clone = repo.clone(tmp_path / "clone")
    clone.git("switch", "-q", "-c", "change")
    clone.commit({"apps/source.yaml": source("2.0.0", "evil.example")})
    monkeypatch.chdir(clone.folder)

    assert needed_sources(Request(files=(".",))).earlier == ("oci://ghcr.io/owner/web",)
    clone.git("update-ref", "-d", "refs/remotes/origin/main")
    clone.git("symbolic-ref", "--delete", "refs/remotes/origin/HEAD")
    assert needed_sources(Request(files=(".",))).earlier == ()


def test_dependencies_of_charts_are_found_by_their_lock(repo: Repo) -> None:
    listed = "dependencies:\n- {name: db, repository: 'https://charts.example', version: ^1}\n"
    local = "- {name: lib, repository: 'file://../lib', version: 1.0.0}\n- {name: there, repository: 'oci://x.io/c'}\n"
    repo.commit(
        {
            "web/Chart.yaml": f"apiVersion: v2\nname: web\nversion: 1.0.0\n{listed}{local}",
            "web/Chart.lock": listed.replace("^1", "1.2.3") + local,
            "web/charts/there-1.0.0.tgz": "",
            "web/templates/a.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n",
            "lib/Chart.yaml": "apiVersion: v2\nname: lib\nversion: 1.0.0\n",
        }
    )

    assert texts(needed_sources(Request(files=(".",)))) == ["web/Chart.lock https://charts.example db 1.2.3"]


def test_charts_of_kustomizations_are_found(repo: Repo) -> None:
    charts = "helmCharts:\n- {name: db, repo: 'oci://x.io/charts', version: 1.2.3}\n- {name: own}\n"
    config = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n"
    repo.commit({"web/kustomization.yaml": f"resources: [a.yaml]\n{charts}", "web/a.yaml": config})

    assert texts(needed_sources(Request(files=(".",)))) == ["web/kustomization.yaml oci://x.io/charts/db 1.2.3"]
    repo.commit({"web/charts/db-1.2.3/db/Chart.yaml": "apiVersion: v2\nname: db\nversion: 1.2.3\n"})
    assert texts(needed_sources(Request(files=(".",)))) == []


def test_charts_of_generators_are_found(repo: Repo) -> None:
    generator = "{apiVersion: builtin, kind: HelmChartInflationGenerator, metadata: {name: g}, name: %s, %s}\n"
    repo.commit(
        {
            "web/kustomization.yaml": "generators: [g.yaml, own.yaml]\n",
            "web/g.yaml": generator % ("db", "repo: 'oci://x.io/charts', version: 1.2.3"),
            "web/own.yaml": generator % ("own", "repo: x, version: 1.0.0"),
            "web/charts/own-1.0.0/own/Chart.yaml": "apiVersion: v2\nname: own\nversion: 1.0.0\n",
        }
    )

    assert texts(needed_sources(Request(files=(".",)))) == ["web/g.yaml oci://x.io/charts/db 1.2.3"]


def test_charts_of_stored_bases_are_found(repo: Repo) -> None:
    repo.commit({"web/kustomization.yaml": "resources: ['https://x.io/base.git?ref=v1']\n"})
    chart = "helmCharts: [{name: far, repo: 'oci://x.io/charts', version: 2.0.0}]\n"
    files = {"kustomization.yaml": chart.encode()}
    with use_offline_sources(Store(str(repo.folder.parent / "store"))):
        store.add_files(base_source(RemoteReference("https://x.io/base.git", "", "v1")), archive(files), "1234")
        found = needed_sources(Request(files=(".",)))

    assert texts(found) == [
        "x.io/base.git@v1/kustomization.yaml oci://x.io/charts/far 2.0.0",
        "web/kustomization.yaml:1 https://x.io/base.git base.git v1",
    ]


def test_a_unit_that_cannot_be_rendered_is_named(repo: Repo) -> None:
    repo.commit({**FILES, "apps/web.yaml": "kind: [", "apps/kustomization.yaml": "resources: [web.yaml]\n"})
    found = needed_sources(Request(files=(".",)))

    assert [one.name for one in found.unknown] == ["apps"]
    assert found.unknown[0].reason.startswith("its charts are not known: ")
