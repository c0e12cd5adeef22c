"""The chart of a HelmRelease, for each kind of source."""

from collections.abc import Mapping

import pytest
import yaml

from kubectl_applylint.core.documents import Document
from kubectl_applylint.sources.store.chart_source import ChartSource, SourceKind
from kubectl_applylint.sources.text.manifests import read_text
from kubectl_applylint.tools.flux.chart_sources import release_chart, repository_source, source_doubts
from kubectl_applylint.units.model import ValuesFiles

OCI, HELM, GIT, ARTIFACT = SourceKind.OCI, SourceKind.HELM, SourceKind.GIT, SourceKind.ARTIFACT
SOURCES = {
    "OCIRepository a/tag": "{url: oci://x.io/web, ref: {tag: v1.2}}",
    "OCIRepository a/none": "{url: oci://x.io/web}",
    "OCIRepository a/semver": "{url: oci://x.io/web, ref: {tag: x, semver: 1.x, semverFilter: rc}}",
    "OCIRepository a/digest": "{url: oci://x.io/web, ref: {semver: 1.x, digest: 'sha256:0'}}",
    "OCIRepository b/other": "{url: oci://x.io/other}",
    "OCIRepository a/insecure": "{url: oci://x.io/web, insecure: true}",
    "OCIRepository a/cert": "{url: oci://x.io/web, certSecretRef: {name: x}}",
    "OCIRepository a/variable": "{url: 'oci://${HOST}/web'}",
    "HelmRepository a/index": "{url: 'https://x.io/charts'}",
    "HelmRepository a/registry": "{type: oci, url: 'oci://x.io/charts'}",
    "HelmRepository /loose": "{url: 'https://x.io/loose'}",
    "GitRepository a/git": "{url: 'https://x.io/git', ref: {branch: main, tag: v1}}",
    "GitRepository a/includes": "{url: 'https://x.io/git', include: [{repository: {name: git}}], verify: {mode: HEAD}}",
    "GitRepository a/sparse": "{url: 'https://x.io/git', sparseCheckout: [apps]}",
    "Bucket a/bucket": "{endpoint: x.io}",
    "HelmChart a/chart": "{chart: web, version: 1.x, sourceRef: {kind: HelmRepository, name: index}}",
    "HelmChart a/files": """{chart: web, sourceRef: {kind: HelmRepository, name: index}, valuesFiles: [a.yaml],
        ignoreMissingValuesFiles: true}""",
}


def documents(specs: Mapping[str, str], group: str) -> list[Document]:
    objects = [
        {
            "apiVersion": f"{group}.toolkit.fluxcd.io/v1",
            "kind": name.split()[0],
            "metadata": dict(zip(("namespace", "name"), name.split()[1].split("/"), strict=True)),
            "spec": yaml.safe_load(spec),
        }
        for name, spec in specs.items()
    ]
    return [*read_text(yaml.safe_dump_all(objects).encode(), "a.yaml").documents]


EVERY = documents(SOURCES, "source")


def release(spec: str) -> Document:
    return documents({"HelmRelease a/web": spec}, "helm")[0]


def by_ref(kind: str, name: str, more: str = "") -> Document:
    return release(f"{{chartRef: {{kind: {kind}, name: {name}{more}}}}}")


def by_chart(kind: str, name: str, more: str = "") -> Document:
    return release(f"{{chart: {{spec: {{chart: web{more}, sourceRef: {{kind: {kind}, name: {name}}}}}}}}}")


@pytest.mark.parametrize(
    ("document", "source"),
    [
        (by_ref("OCIRepository", "tag"), ChartSource(OCI, "oci://x.io/web", version="v1.2", is_tag=True)),
        (by_ref("OCIRepository", "none"), ChartSource(OCI, "oci://x.io/web", version="latest", is_tag=True)),
        (by_ref("OCIRepository", "semver"), ChartSource(OCI, "oci://x.io/web", version="1.x", filter="rc")),
        (by_ref("OCIRepository", "digest"), ChartSource(OCI, "oci://x.io/web", version="sha256:0")),
        (
            by_ref("OCIRepository", "other", ", namespace: b"),
            ChartSource(OCI, "oci://x.io/other", version="latest", is_tag=True),
        ),
        (by_ref("HelmChart", "chart"), ChartSource(HELM, "https://x.io/charts", "web", "1.x")),
        (by_chart("HelmRepository", "index"), ChartSource(HELM, "https://x.io/charts", "web")),
        (by_chart("HelmRepository", "loose"), ChartSource(HELM, "https://x.io/loose", "web")),
        (
            by_chart("HelmRepository", "registry", ", version: 1.2.3"),
            ChartSource(OCI, "oci://x.io/charts/web", version="1.2.3"),
        ),
        (by_chart("GitRepository", "git"), ChartSource(GIT, "https://x.io/git", "web", "v1", is_tag=True)),
    ],
)
def test_the_source_of_a_chart(document: Document, source: ChartSource) -> None:
    assert release_chart(document, EVERY).source == source


@pytest.mark.parametrize(
    ("document", "files"),
    [
        (by_ref("HelmChart", "chart"), ValuesFiles()),
        (by_ref("HelmChart", "files"), ValuesFiles(("a.yaml",), ignores_missing=True)),
        (by_chart("HelmRepository", "index", ", valuesFiles: [b.yaml, c.yaml]"), ValuesFiles(("b.yaml", "c.yaml"))),
    ],
)
def test_the_values_files_of_a_chart(document: Document, files: ValuesFiles) -> None:
    assert release_chart(document, EVERY).values_files == files


@pytest.mark.parametrize(
    ("document", "reason"),
    [
        (by_ref("OCIRepository", "absent"), "OCIRepository a/absent is not in the repository"),
        (release("{values: {}}"), "it names no chart; the Kustomization that applies it may add one"),
        (by_ref("OCIRepository", "other"), "OCIRepository a/other is not in the repository"),
        (by_chart("HelmRepository", "absent"), "HelmRepository a/absent is not in the repository"),
        (by_chart("Bucket", "bucket"), "Bucket a/bucket is a bucket, which is not fetched"),
        (
            by_chart("GitRepository", "includes"),
            "GitRepository a/includes includes other repositories, which is not followed",
        ),
        (by_chart("GitRepository", "sparse"), "GitRepository a/sparse leaves out web by its sparseCheckout"),
        (by_ref("OCIRepository", "insecure"), "OCIRepository a/insecure sets insecure, which is not followed"),
        (by_ref("OCIRepository", "cert"), "OCIRepository a/cert sets certSecretRef, which is not followed"),
        (
            by_ref("OCIRepository", "variable"),
            "OCIRepository a/variable contains a variable whose value is not known",
        ),
    ],
)
def test_a_chart_without_a_known_source_has_a_reason(document: Document, reason: str) -> None:
    found = release_chart(document, EVERY)

    assert (found.source, found.reason) == (None, reason)


@pytest.mark.parametrize(
    ("more", "is_same"), [("", True), (", interval: 1h", True), (", bucketName: x", False), (", insecure: true", False)]
)
def test_a_source_that_is_not_followed_has_an_identity(more: str, is_same: bool) -> None:
    every = documents({"Bucket a/bucket": f"{{endpoint: x.io{more}}}"}, "source")
    was, now = (release_chart(by_chart("Bucket", "bucket"), each).identity for each in (EVERY, every))

    assert (was == now) is is_same
    assert release_chart(by_chart("GitRepository", "git"), EVERY).identity == ""


def test_settings_of_a_source_that_are_not_followed_have_a_line() -> None:
    found = {one.ref.name: [*source_doubts(one)] for one in EVERY}

    assert found["includes"] == [
        "GitRepository a/includes: its signature (verify) is not checked; it is taken to be valid",
    ]
    assert found["git"] == []


@pytest.mark.parametrize(
    ("name", "source"),
    [
        ("OCIRepository a/tag", ChartSource(ARTIFACT, "oci://x.io/web", version="v1.2", is_tag=True)),
        ("OCIRepository a/none", ChartSource(ARTIFACT, "oci://x.io/web", version="latest", is_tag=True)),
        ("OCIRepository a/semver", ChartSource(ARTIFACT, "oci://x.io/web", version="1.x", filter="rc")),
        (
            "OCIRepository a/layer",
            ChartSource(ARTIFACT, "oci://x.io/web", version="latest", is_tag=True, layer="text/b"),
        ),
        ("OCIRepository a/insecure", None),
        ("GitRepository a/git", ChartSource(GIT, "https://x.io/git", version="v1", is_tag=True)),
        ("GitRepository a/include", None),
        ("Bucket a/bucket", None),
    ],
)
def test_the_source_of_all_files(name: str, source: ChartSource | None) -> None:
    specs = {
        **SOURCES,
        "OCIRepository a/layer": "{url: oci://x.io/web, layerSelector: {mediaType: text/b, operation: extract}}",
        "GitRepository a/include": "{url: 'https://x.io/git', include: [{repository: {name: other}}]}",
    }
    (document,) = documents({name: specs[name]}, "source")

    assert repository_source(document).source == source
