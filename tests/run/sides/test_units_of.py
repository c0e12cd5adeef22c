"""The units of two sides; the second is read only where it differs."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest

from kubectl_applylint.run.sides import sides
from kubectl_applylint.run.sides.side import Side
from kubectl_applylint.run.sides.units_of import declarations, units_of
from kubectl_applylint.sources.text.manifests import Input, read_text
from kubectl_applylint.units.model import Form, Unit
from kubectl_applylint.units.remotes import Checkout
from tests.run.running import write

APPLICATION = """\
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: web, namespace: argocd}
spec: {source: {repoURL: https://example.com/repo, path: web}, destination: {namespace: shop}}
"""
CONFIG = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n"


def side(folder: Path, application: str = APPLICATION) -> Side:
    (folder / "web").mkdir(parents=True)
    (folder / "apps.yaml").write_text(application)
    (folder / "web" / "a.yaml").write_text(CONFIG)
    (folder / "notes.yaml").write_text("see: argoproj.io\n")
    return sides.of_folder(str(folder))


def refusing(found: Side) -> Side:
    def read(paths: Sequence[str]) -> Input:
        raise AssertionError(paths)

    return replace(found, read=read)


def test_files_that_are_equal_on_both_sides_are_read_once(tmp_path: Path) -> None:
    before, after = side(tmp_path / "before"), side(tmp_path / "after")
    known = declarations(before)
    again = declarations(refusing(after), known)

    assert known.keys() == again.keys() == {"apps.yaml", "notes.yaml"}
    assert [one.root for one in units_of(after, declared=again).units] == [one.root for one in units_of(after).units]
    assert again["apps.yaml"][0].file == after.label("apps.yaml")


def test_files_that_differ_are_read(tmp_path: Path) -> None:
    before, after = side(tmp_path / "before"), side(tmp_path / "after", APPLICATION.replace("shop", "other"))
    same = {path: found for path, found in declarations(before).items() if path != "apps.yaml"}

    (unit,) = (one for one in units_of(after, declared=declarations(after, same)).units if one.root == "web")
    assert unit.applied.namespace == "other"


SOURCE = """\
apiVersion: source.toolkit.fluxcd.io/v1
kind: GitRepository
metadata: {name: podinfo}
spec: {url: https://example.com/podinfo}
"""
KUSTOMIZATION = """\
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: web}
spec: {path: web, sourceRef: {kind: GitRepository, name: podinfo}}
"""
RELEASE = """\
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: shop}
spec: {chart: {spec: {chart: chart, sourceRef: {kind: GitRepository, name: here}}}, values: {a: 1}}
"""


def test_sources_and_releases_are_found_in_files_of_their_own(tmp_path: Path) -> None:
    side(tmp_path / "all", KUSTOMIZATION)
    (tmp_path / "all" / "source.yaml").write_text(SOURCE)
    (tmp_path / "all" / "release.yaml").write_text(RELEASE)
    (tmp_path / "all" / "chart").mkdir()
    (tmp_path / "all" / "chart" / "Chart.yaml").write_text("apiVersion: v2\nname: shop\nversion: 1.0.0\n")
    found = sides.of_folder(str(tmp_path / "all"))

    units = units_of(found, checkout=Checkout(frozenset(("https://example.com/all",))))
    assert {one.root: one.applied.tool for one in units.units} == {
        "": "kubectl",
        "web": "kubectl",
        "HelmRelease/shop": "flux",
        "Kustomization/web": "flux",
    }
    assert [why for _, why in units.elsewhere] == ["its source is https://example.com/podinfo"]


SYSTEM: Final = """\
apiVersion: source.toolkit.fluxcd.io/v1
kind: GitRepository
metadata: {name: flux-system, namespace: flux-system}
spec: {url: https://example.com/cluster.git, ref: {branch: main}}
---
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: apps, namespace: flux-system}
spec: {path: apps, targetNamespace: shop, sourceRef: {kind: GitRepository, name: flux-system}}
"""
HOME: Final = "{kind: GitRepository, name: flux-system, namespace: flux-system}"
OWN_CHART: Final = f"""\
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {{name: web, namespace: shop}}
spec:
  chart: {{spec: {{chart: ./charts/web, valuesFiles: [charts/prod.yaml], sourceRef: {HOME}}}}}
  valuesFrom: [{{kind: ConfigMap, name: settings}}]
"""
SETTINGS: Final = (
    "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings, namespace: shop}\ndata: {values.yaml: 'a: %s'}\n"
)
OWN_FILES: Final = {
    "cluster/flux.yaml": SYSTEM,
    "apps/settings.yaml": SETTINGS % 1,
    "charts/web/Chart.yaml": "apiVersion: v2\nname: web\nversion: 1.0.0\n",
    "charts/prod.yaml": "a: 2\n",
}


@pytest.mark.parametrize("remote", ["", "https://example.com/cluster", "https://example.com/renamed"])
@pytest.mark.parametrize(("file", "cluster"), [("apps/web.yaml", "cluster"), ("elsewhere/web.yaml", "")])
def test_the_chart_of_a_release_is_in_the_repository(tmp_path: Path, remote: str, file: str, cluster: str) -> None:
    write(tmp_path, {**OWN_FILES, file: OWN_CHART})

    every = units_of(sides.of_folder(str(tmp_path)), checkout=Checkout(frozenset(filter(None, [remote])))).units
    (unit,) = (one for one in every if one.form is Form.RELEASE)
    assert (unit.root, unit.applied.cluster, unit.applied.gap) == ("HelmRelease/shop/web", cluster, "")
    assert unit.files == {file, "charts/prod.yaml", "charts/web/Chart.yaml"}
    assert unit.applied.release.folder == "charts/web"
    assert unit.applied.release.values == (("ConfigMap", "shop", "settings", (("values.yaml", "a: 1"),)),)
    assert not [one for one in every if one.root == "charts/web"]


@pytest.mark.parametrize("place", ["apps", "elsewhere", "other"])
def test_an_object_names_the_chart_of_the_repository(tmp_path: Path, place: str) -> None:
    chart = f"""\
apiVersion: source.toolkit.fluxcd.io/v1
kind: HelmChart
metadata: {{name: web, namespace: shop}}
spec: {{chart: charts/web, sourceRef: {HOME}}}
"""
    head, _, _ = OWN_CHART.partition("  chart:")
    second = SYSTEM.partition("---")[2].replace("name: apps", "name: other").replace("path: apps", "path: other")
    files = {"apps/web.yaml": f"{head}  chartRef: {{kind: HelmChart, name: web}}\n", f"{place}/chart.yaml": chart}
    write(tmp_path, {**OWN_FILES, **files, "cluster/flux.yaml": f"{SYSTEM}---{second}"})

    remotes = frozenset(["https://example.com/cluster"])
    every = units_of(sides.of_folder(str(tmp_path)), checkout=Checkout(remotes)).units
    assert [one.applied.release.folder for one in every if one.form is Form.RELEASE] == ["charts/web"]


@pytest.mark.parametrize(
    ("remote", "roots"),
    [("", []), ("https://example.com/other", []), ("https://example.com/charts", ["HelmRelease/shop/web"])],
)
def test_a_release_without_the_folder_of_its_chart(tmp_path: Path, remote: str, roots: list[str]) -> None:
    source = SYSTEM.split("---")[0].replace("name: flux-system", "name: charts").replace("cluster.git", "charts.git")
    release = OWN_CHART.replace("name: flux-system", "name: charts")
    write(tmp_path, {"cluster/flux.yaml": source, "cluster/web.yaml": release})

    every = units_of(sides.of_folder(str(tmp_path)), checkout=Checkout(frozenset(filter(None, [remote])))).units
    assert [one.root for one in every if one.form is Form.RELEASE] == roots


@pytest.mark.parametrize(
    ("kind", "spec", "gap"),
    [
        (
            "GitRepository",
            "{url: https://example.com/x, insecure: true, include: [{repository: {name: y}}]}",
            "its source is https://example.com/x; GitRepository flux-system/other sets insecure, which is not followed",
        ),
        (
            "Bucket",
            "{endpoint: s3.example.com, bucketName: x}",
            "its source is Bucket other (s3.example.com/x); Bucket flux-system/other is a bucket, which is not fetched",
        ),
    ],
)
def test_a_source_that_is_not_fetched_is_named(tmp_path: Path, kind: str, spec: str, gap: str) -> None:
    text = f"""\
apiVersion: source.toolkit.fluxcd.io/v1
kind: {kind}
metadata: {{name: other, namespace: flux-system}}
spec: {spec}
---
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {{name: apps, namespace: flux-system}}
spec: {{path: apps, sourceRef: {{kind: {kind}, name: other}}}}
"""
    write(tmp_path, {"cluster/flux.yaml": text})

    every = units_of(sides.of_folder(str(tmp_path)), checkout=Checkout(frozenset(["https://example.com/own"]))).units
    assert [one.applied.gap for one in every if one.applied.gap] == [gap]


@pytest.mark.parametrize("mark", ["", "# +argocd:skip-file-rendering\n"])
def test_an_application_skips_marked_files(tmp_path: Path, mark: str) -> None:
    side(tmp_path)
    write(tmp_path, {"web/b.yaml": f"{CONFIG}{mark}"})
    units = {unit.root: unit.files for unit in units_of(sides.of_folder(str(tmp_path))).units}

    assert units["web"] == {"web/a.yaml", *(["web/b.yaml"] if not mark else [])}


def test_an_application_that_another_one_renders_is_the_unit_of_its_path(tmp_path: Path) -> None:
    root = APPLICATION.replace("name: web", "name: root").replace("path: web", "path: root, directory: {include: x}")
    write(tmp_path, {"root/x": "", "root/app.yaml": "apiVersion: argoproj.io/v1alpha1\nkind: {{ kind }}\n"})
    (document,) = read_text(APPLICATION, "root/app.yaml").documents
    made = Input((replace(document, is_templated=True),))
    rendered: list[str] = []

    def releases(unit: Unit) -> Input:
        rendered.append(unit.root)
        return made

    found = units_of(replace(side(tmp_path, root), releases=releases)).units

    assert {one.root: sorted(one.files & {"web/a.yaml"}) for one in found} == {
        "": [],
        "Application/argocd/root": [],
        "Application/argocd/web": ["web/a.yaml"],
    }
    assert set(rendered) == {"Application/argocd/root"}
