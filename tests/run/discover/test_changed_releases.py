"""Releases that a change touches."""

from pathlib import Path

import pytest

from kubectl_applylint.run.discover.changed_releases import reached_pairs
from kubectl_applylint.run.discover.changed_units import revisions_of
from kubectl_applylint.run.request import Request
from kubectl_applylint.units.model import Form
from tests.run.running import DIR, runs, write

RELEASE = """\
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: web, namespace: shop}
spec: {interval: 1h, chartRef: {kind: OCIRepository, name: web}, values: {a: 1}}
---
apiVersion: source.toolkit.fluxcd.io/v1
kind: OCIRepository
metadata: {name: web, namespace: shop}
spec: {url: "oci://example.com/web", ref: {tag: 1.0.0}}
"""


@pytest.mark.parametrize(
    ("was", "now", "is_changed"),
    [
        ("a: 1", "a: 2", True),
        ("tag: 1.0.0", "tag: 1.1.0", True),
        ("interval: 1h", "interval: 2h", False),
        ("interval: 1h", "suspend: true", False),
    ],
    ids=["values", "version", "interval", "suspended"],
)
def test_a_changed_release_is_a_unit_that_is_not_compared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, was: str, now: str, is_changed: bool
) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    monkeypatch.chdir(tmp_path)
    write(tmp_path, {"before/dev/web.yaml": RELEASE, "all/dev/web.yaml": RELEASE.replace(was, now)})

    found = runs(against=DIR)
    units = {run.unit.root: run.input.problems for run in found.each if run.unit}
    assert bool(units["HelmRelease/shop/web"]) is is_changed


def test_releases_of_a_repository_are_units(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    monkeypatch.chdir(tmp_path)
    suspended = RELEASE.replace("name: web", "name: paused").replace("{interval", "{suspend: true, interval")
    write(tmp_path, {"all/dev/web.yaml": RELEASE, "all/dev/off.yaml": suspended})

    releases = {run.unit.root: run for run in runs().each if run.unit and run.unit.form is Form.RELEASE}
    assert {root: bool(run.input.problems) for root, run in releases.items()} == {
        "HelmRelease/shop/paused": False,
        "HelmRelease/shop/web": True,
    }


VALUES = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings, namespace: shop}\ndata: {values.yaml: 'a: %s'}\n"
READER = """\
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: web, namespace: shop}
spec:
  chart: {spec: {chart: web, version: 1.0.0, sourceRef: {kind: HelmRepository, name: charts}}}
  valuesFrom: [{kind: ConfigMap, name: settings}]
"""
CHARTS = """\
apiVersion: source.toolkit.fluxcd.io/v1
kind: HelmRepository
metadata: {name: charts, namespace: shop}
spec: {url: "https://%s/charts"}
"""


@pytest.mark.parametrize(
    ("file", "text"),
    [("shared/values.yaml", VALUES % "2"), ("shared/charts.yaml", CHARTS % "other.example.com")],
    ids=["values", "source"],
)
def test_a_changed_input_in_another_unit_is_a_change_of_the_release(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, file: str, text: str
) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    monkeypatch.chdir(tmp_path)
    files = {"dev/web.yaml": READER, "shared/values.yaml": VALUES % "1", "shared/charts.yaml": CHARTS % "example.com"}
    for side in ("before", "all"):
        write(tmp_path, {f"{side}/{path}": content for path, content in files.items()})
    write(tmp_path, {f"all/{file}": text})

    found = {run.unit.root: run.input.problems for run in runs(against=DIR).each if run.unit}
    assert found.keys() == {"shared", "HelmRelease/shop/web"}
    assert not found["shared"]
    assert found["HelmRelease/shop/web"]


@pytest.mark.parametrize(
    ("was", "now", "reached"),
    [
        ("", "", [["dev"]]),
        ("valuesFrom: [{kind: ConfigMap, name: settings}]", "values: {volume: settings}", []),
        ("HelmRelease", "HelmChart", []),
    ],
    ids=["reads", "has the name", "no release"],
)
def test_only_units_that_may_read_a_changed_object_are_compared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, was: str, now: str, reached: list[list[str]]
) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    monkeypatch.chdir(tmp_path)
    for side in ("before", "all"):
        write(tmp_path, {f"{side}/dev/web.yaml": READER.replace(was, now) if was else READER})
        write(tmp_path, {f"{side}/shared/values.yaml": VALUES % side})

    revisions, _ = revisions_of(Request(files=("all",), against=DIR))
    assert [[unit.root for unit in pair if unit][:1] for pair in reached_pairs(revisions, ())] == reached


BUCKET = """\
apiVersion: source.toolkit.fluxcd.io/v1
kind: Bucket
metadata: {name: files, namespace: shop}
spec: {interval: 1h, endpoint: x.io, bucketName: one}
"""
IN_BUCKET = """\
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: web, namespace: shop}
spec: {chart: {spec: {chart: web, sourceRef: {kind: Bucket, name: files}}}}
"""
APPLIED = """\
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: apps, namespace: shop}
spec: {path: ./apps, sourceRef: {kind: Bucket, name: files}}
"""


@pytest.mark.parametrize(
    ("was", "now", "is_changed"),
    [("bucketName: one", "bucketName: other", True), ("interval: 1h", "interval: 2h", False)],
)
def test_a_changed_bucket_is_a_change_of_all_that_is_applied_from_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, was: str, now: str, is_changed: bool
) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    monkeypatch.chdir(tmp_path)
    for side, bucket in (("before", BUCKET), ("all", BUCKET.replace(was, now))):
        files = {"dev/web.yaml": IN_BUCKET, "flux/apps.yaml": APPLIED, "flux/bucket.yaml": bucket}
        write(tmp_path, {f"{side}/{path}": text for path, text in files.items()})

    found = {run.unit.root: run.input.problems for run in runs(against=DIR).each if run.unit}
    problems = {root for root, each in found.items() if each}
    assert problems == ({"HelmRelease/shop/web", "Kustomization/shop/apps"} if is_changed else set())
