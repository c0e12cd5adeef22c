"""The objects of all units of a cluster after a change."""

from pathlib import Path

import pytest

from kubectl_applylint.core.state import Absent, Knowledge, ObjectRef, Present, Unknown
from kubectl_applylint.engine.cluster_diff import ClusterUnits
from tests.run.running import DIR, runs, write

FLUX = "kustomize.toolkit.fluxcd.io/v1"
KUSTOMIZATION = """\
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {{name: {name}, namespace: flux-system}}
spec: {{interval: 1h, path: ./{path}, prune: true, sourceRef: {{kind: GitRepository, name: flux-system}}}}
---
"""
SOURCE = """\
apiVersion: source.toolkit.fluxcd.io/v1
kind: GitRepository
metadata: {name: flux-system, namespace: flux-system}
spec: {url: "https://example.com/org/fleet"}
---
"""
ARTIFACT = """\
apiVersion: source.toolkit.fluxcd.io/v1
kind: OCIRepository
metadata: {name: flux-system, namespace: flux-system}
spec: {url: "oci://example.com/org/fleet", ref: {tag: "1"}}
---
"""
MAP = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web, namespace: shop}\ndata: {a: '%s'}\n"
RELEASE = """\
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: web, namespace: shop}
spec: {interval: 1h, chartRef: {kind: OCIRepository, name: web}}
"""
ROOT = {"clusters/one/root.yaml": SOURCE + KUSTOMIZATION.format(name="root", path="clusters/one")}
APPS = KUSTOMIZATION.format(name="apps", path="apps")


def units(folder: Path, monkeypatch: pytest.MonkeyPatch, files: dict[str, str]) -> ClusterUnits:
    """Return the units of the cluster whose ConfigMap ``web`` changes."""
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(folder.parent))
    monkeypatch.chdir(folder)
    every = {**ROOT, "clusters/one/web.yaml": MAP % 1, **files}
    write(folder, {f"before/{path}": text for path, text in every.items()})
    write(folder, {f"all/{path}": text for path, text in {**every, "clusters/one/web.yaml": MAP % 2}.items()})
    subjects = [subject for run in runs(against=DIR).each for subject in run.input.subjects]
    return next(one for one in subjects if one.ref.name == "web").cluster_diff.units()


def state(found: ClusterUnits, kind: str, name: str, namespace: str = "flux-system") -> type[Knowledge]:
    versions = {"Kustomization": FLUX, "HelmRelease": "helm.toolkit.fluxcd.io/v2"}
    return type(found.state(ObjectRef(versions.get(kind, "v1"), kind, namespace, name)))


def test_objects_of_other_units_are_present(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {"clusters/one/apps.yaml": APPS, "apps/config.yaml": MAP.replace("web", "config") % 1}

    found = units(tmp_path, monkeypatch, files)

    assert found.gap == ""
    assert state(found, "ConfigMap", "config", "shop") is Present
    assert state(found, "Kustomization", "apps") is Present
    assert state(found, "Kustomization", "root") is Present
    assert state(found, "Kustomization", "other") is Absent


def test_objects_of_suspended_units_may_exist(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    apps = APPS.replace("prune:", "suspend: true, prune:")

    found = units(tmp_path, monkeypatch, {"clusters/one/apps.yaml": apps, "apps/config.yaml": MAP % 1})

    assert state(found, "ConfigMap", "web", "shop") is Present


@pytest.mark.parametrize(
    "files",
    [
        {"clusters/one/apps.yaml": APPS},
        {"clusters/one/apps.yaml": APPS, "apps/kustomization.yaml": "resources: [https://example.com/base]"},
        {"clusters/one/apps.yaml": ARTIFACT + APPS.replace("GitRepository", "OCIRepository")},
        {"clusters/one/release.yaml": RELEASE},
        {"clusters/one/config.yaml": MAP.replace("web", '"${NAME}"') % 1},
    ],
    ids=["missing path", "remote base", "other source", "chart", "variable"],
)
def test_an_object_is_not_absent_if_a_part_was_not_rendered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, files: dict[str, str]
) -> None:
    found = units(tmp_path, monkeypatch, files)

    assert state(found, "ConfigMap", "other") is Unknown


def test_other_clusters_do_not_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = KUSTOMIZATION.format(name="root", path="clusters/two")
    files = {"clusters/two/root.yaml": SOURCE + other, "clusters/two/config.yaml": MAP.replace("web", "config") % 1}

    found = units(tmp_path, monkeypatch, files)

    assert state(found, "ConfigMap", "config", "shop") is Absent


def test_units_with_another_target_do_not_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    apps = APPS.replace("prune:", "kubeConfig: {secretRef: {name: other}}, prune:")
    files = {"clusters/one/apps.yaml": apps, "apps/config.yaml": MAP.replace("web", "config") % 1}

    found = units(tmp_path, monkeypatch, files)

    assert state(found, "ConfigMap", "config", "shop") is Absent


def test_units_of_the_layout_are_in_no_cluster(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    monkeypatch.chdir(tmp_path)
    write(tmp_path, {"before/web/web.yaml": MAP % 1, "all/web/web.yaml": MAP % 2})

    (subject,) = (subject for run in runs(against=DIR).each for subject in run.input.subjects)

    assert state(subject.cluster_diff.units(), "ConfigMap", "other") is Unknown
