"""The sources that objects name, and which of their answers count."""

import pytest
import yaml

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.paths import render
from kubectl_applylint.core.records import replace
from kubectl_applylint.run.sides.named_sources import absences, named_sources
from kubectl_applylint.sources.store.absence import Absence
from kubectl_applylint.sources.store.chart_source import ChartSource, SourceKind
from kubectl_applylint.sources.text.manifests import read_text

REPOSITORY = """\
apiVersion: source.toolkit.fluxcd.io/v1
kind: HelmRepository
metadata: {name: stable, namespace: shop}
spec: {url: 'https://charts.example/stable'}
"""
SOURCE = "sourceRef: {kind: HelmRepository, name: stable}"
RELEASE = "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: web, namespace: shop}\nspec: "
FLUX = "apiVersion: source.toolkit.fluxcd.io/v1\nkind: %s\nmetadata: {name: web, namespace: shop}\nspec: "
ARGO = "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: web}\nspec: "
HELM_CHART = f"{FLUX % 'HelmChart'}{{chart: web, version: 1.x, {SOURCE}}}"
URL = "https://charts.example/stable"


def document(text: str) -> Document:
    (found,) = read_text(yaml.safe_dump(yaml.safe_load(text)), "a.yaml").documents
    return found


def source_rows(text: str) -> list[tuple[str, str, str, str]]:
    found = named_sources(document(text), [document(REPOSITORY)])
    return [(one.source.kind, str(one.source), render(one.version), render(one.name)) for one in found]


@pytest.mark.parametrize(
    ("text", "sources"),
    [
        (
            f"{RELEASE}{{chart: {{spec: {{chart: web, version: 1.x, {SOURCE}}}}}}}",
            [("helm", f"{URL} web 1.x", "spec.chart.spec.version", "spec.chart.spec.chart")],
        ),
        (HELM_CHART, [("helm", f"{URL} web 1.x", "spec.version", "spec.chart")]),
        (f"{RELEASE}{{chartRef: {{kind: OCIRepository, name: web}}}}", []),
        (f"{RELEASE}{{chart: {{spec: {{chart: ./web, sourceRef: {{kind: GitRepository, name: no}}}}}}}}", []),
        (
            f"{FLUX % 'OCIRepository'}{{url: 'oci://ghcr.io/o/web', ref: {{semver: 1.x, tag: a}}}}",
            [
                ("artifact", "oci://ghcr.io/o/web 1.x", "spec.ref.semver", "spec.url"),
                ("oci", "oci://ghcr.io/o/web 1.x", "spec.ref.semver", "spec.url"),
            ],
        ),
        (f"{FLUX % 'OCIRepository'}{{url: 'oci://ghcr.io/o/web', ref: {{tag: '${{V}}'}}}}", []),
        (
            f"{FLUX % 'GitRepository'}{{url: 'https://git.example/o/web', ref: {{tag: v1}}}}",
            [("git", "https://git.example/o/web web v1", "spec.ref.tag", "spec.url")],
        ),
        (
            f"{ARGO}{{source: {{repoURL: ghcr.io/o, chart: web, targetRevision: 1.x}}}}",
            [("oci", "oci://ghcr.io/o/web 1.x", "spec.source.targetRevision", "spec.source.chart")],
        ),
        (
            f"{ARGO}{{sources: [{{repoURL: '{URL}', chart: web, targetRevision: 1.x}}]}}",
            [("helm", f"{URL} web 1.x", "spec.sources[0].targetRevision", "spec.sources[0].chart")],
        ),
        (f"{ARGO}{{source: {{repoURL: '{URL}', chart: web, targetRevision: '{{{{ v }}}}'}}}}", []),
        (f"{ARGO}{{sourceHydrator: {{drySource: {{repoURL: '{URL}', path: a}}}}}}", []),
    ],
)
def test_the_sources_that_an_object_names(text: str, sources: list[tuple[str, str, str, str]]) -> None:
    assert source_rows(text) == sources


ANSWER = Absence(asked="2026-11-27", hint="its newest version is 1.4.0")


def paths(text: str, answer: Absence, repository: str = REPOSITORY) -> list[str]:
    found = absences(document(text), [document(repository)], lambda source: answer)
    return [render(one.path) for one in found]


def test_an_answer_is_at_the_field_that_names_it() -> None:
    other = FLUX % "OCIRepository" + "{url: 'oci://ghcr.io/o/web'}"
    (found,) = absences(document(HELM_CHART), [document(REPOSITORY)], {chart("1.x"): ANSWER}.get)

    assert (found.source, found.wanted) == (URL, "a version in the range '1.x' of the chart web")
    assert (found.asked, found.hint, render(found.path)) == (ANSWER.asked, ANSWER.hint, "spec.version")
    assert [*absences(document(HELM_CHART), [document(REPOSITORY)], {chart("2.x"): ANSWER}.get)] == []
    assert paths(HELM_CHART, replace(ANSWER, is_whole=True)) == ["spec.chart"]
    assert paths(other, ANSWER) == ["spec.url"]


def chart(version: str) -> ChartSource:
    return ChartSource(SourceKind.HELM, URL, "web", version)


@pytest.mark.parametrize("field", ["secretRef: {name: login}", "provider: aws"])
def test_without_a_login_an_answer_says_nothing_of_what_one_shows(field: str) -> None:
    private = REPOSITORY.replace("spec: {", f"spec: {{{field}, ")

    assert paths(HELM_CHART, ANSWER, private) == []
    assert paths(HELM_CHART, replace(ANSWER, is_private=True), private) == ["spec.version"]
    assert paths(HELM_CHART, ANSWER, REPOSITORY.replace("spec: {", "spec: {provider: generic, ")) == ["spec.version"]


def test_a_registry_may_hide_a_repository_that_argo_cd_sees() -> None:
    application = f"{ARGO}{{source: {{repoURL: ghcr.io/o, chart: web, targetRevision: 1.x}}}}"

    assert paths(application, ANSWER) == ["spec.source.targetRevision"]
    assert paths(application, replace(ANSWER, is_whole=True)) == []


def test_each_source_of_an_object_has_its_answer() -> None:
    sources = f"[{{repoURL: '{URL}', chart: web}}, {{repoURL: '{URL}', chart: db, targetRevision: 1.x}}]"
    artifact = f"{FLUX % 'OCIRepository'}{{url: 'oci://ghcr.io/o/web', ref: {{tag: v1}}}}"
    including = f"{FLUX % 'GitRepository'}{{url: 'https://git.example/o/a', include: [{{repository: {{name: b}}}}]}}"

    assert paths(f"{ARGO}{{sources: {sources}}}", ANSWER) == ["spec.sources[0].chart", "spec.sources[1].targetRevision"]
    assert paths(artifact, ANSWER) == ["spec.ref.tag"]
    assert paths(including, ANSWER) == ["spec.url"]
