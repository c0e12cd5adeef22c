from collections.abc import Iterator
from typing import Final

import pytest
from hypothesis import given

from kubectl_applylint.core.state import ObjectRef
from kubectl_applylint.core.values import Json
from kubectl_applylint.sources.store.chart_source import git_source
from kubectl_applylint.tools.flux.declarations import declarations
from kubectl_applylint.units.declared import Declared
from kubectl_applylint.units.model import Applied, Reason, SourceFilter
from tests.units.documents import document, documents, jsons

HERE: Final = "https://example.com/o/r"
GIT: Final = f"""\
apiVersion: source.toolkit.fluxcd.io/v1
kind: GitRepository
metadata: {{name: flux-system, namespace: flux-system}}
spec: {{url: {HERE}}}
---
"""
KUSTOMIZATION: Final = """\
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: apps, namespace: flux-system}
spec:
  sourceRef: {kind: GitRepository, name: flux-system}
"""
RELEASE: Final = """\
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: web, namespace: shop}
spec:
"""


def reference(kind: str, namespace: str, name: str) -> ObjectRef:
    group = {"Kustomization": "kustomize.toolkit.fluxcd.io/v1", "HelmRelease": "helm.toolkit.fluxcd.io/v2"}[kind]
    return ObjectRef(group, kind, namespace, name)


def declarations_in(text: str, file: str = "apps.yaml") -> list[Declared]:
    return list(declarations(documents(text, file)))


def test_a_kustomization_declares_a_path_with_its_settings() -> None:
    text = f"{GIT}{KUSTOMIZATION}  path: ./apps/prod\n  targetNamespace: shop\n  prune: true\n"

    why, ref = (
        Reason("Kustomization flux-system/apps", "apps.yaml", 11),
        reference("Kustomization", "flux-system", "apps"),
    )
    applied = Applied("flux", "shop", "", prune=True, reason=why, declared_by=ref)
    (declared,) = declarations_in(text)
    assert declared == Declared(
        *("apps/prod", applied),
        source=HERE,
        source_object="GitRepository/flux-system/flux-system",
        is_root_source=True,
        is_one_unit=True,
        is_built=True,
        fetched_source=git_source(HERE, "refs/heads/master"),
    )


@pytest.mark.parametrize(
    ("text", "doubts"),
    [
        (f"{GIT}{KUSTOMIZATION}  path: apps\n", ()),
        (
            f"{KUSTOMIZATION}  path: apps\n",
            ("Kustomization apps: GitRepository flux-system is not in the files, taken to be this repository",),
        ),
        (
            f"{KUSTOMIZATION}  path: apps\n".replace(", name: flux-system}", "}"),
            ("Kustomization apps: names no source, which is taken to be this repository",),
        ),
    ],
    ids=["known", "missing", "nameless"],
)
def test_a_missing_source_is_assumed_to_be_this_repository(text: str, doubts: tuple[str, ...]) -> None:
    (one,) = declarations_in(text)

    assert one.applied.doubts == doubts


def test_flux_applies_by_the_kustomization() -> None:
    (one,) = declarations_in(f"{GIT}{KUSTOMIZATION}  path: apps\n  force: true\n")

    assert one.applied.tool_object is not None
    assert one.applied.tool_object["spec"]["force"] is True


@pytest.mark.parametrize(
    ("line", "paths"),
    [
        ("path: apps", ["apps"]),
        ("path: ./", [""]),
        ("path: ''", [""]),
        ("path: a/../b/", ["b"]),
        ("prune: true", [""]),
        ("path: ../other", ["other"]),
        ("path: /etc", ["etc"]),
        ("path: [a]", []),
        ("path: null", []),
    ],
)
def test_a_path_is_one_of_the_repository(line: str, paths: list[str]) -> None:
    assert [one.path for one in declarations_in(f"{KUSTOMIZATION}  {line}\n")] == paths


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ("kubeConfig: {secretRef: {name: prod}}", "flux-system/prod"),
        ("kubeConfig: {configMapRef: {name: prod}}", "flux-system/prod"),
        ("kubeConfig: prod", ""),
        ("suspend: true", ""),
    ],
    ids=["secret", "config map", "ill-typed", "own cluster"],
)
def test_the_kubeconfig_names_the_target(lines: str, expected: str) -> None:
    assert [one.applied.target for one in declarations_in(f"{KUSTOMIZATION}  path: a\n  {lines}\n")] == [expected]


@pytest.mark.parametrize(
    ("reference", "sources"),
    [
        ("{kind: GitRepository, name: flux-system}", [(HERE, "")]),
        ("{kind: GitRepository, name: other}", [("", "")]),
        ("{kind: GitRepository, name: flux-system, namespace: other}", [("", "")]),
        ("{kind: OCIRepository, name: flux-system}", [("", "OCIRepository flux-system")]),
        ("{kind: Bucket, name: flux-system}", [("", "Bucket flux-system")]),
        ("[]", [("", "")]),
    ],
)
def test_a_source_is_a_git_repository(reference: str, sources: list[tuple[str, str]]) -> None:
    text = KUSTOMIZATION.replace("{kind: GitRepository, name: flux-system}", reference)

    assert [(one.source, one.other_source) for one in declarations_in(f"{GIT}{text}  path: a\n")] == sources


def test_the_nearest_source_of_a_name_counts() -> None:
    far = documents(GIT.replace(HERE, "https://example.com/far"), "clusters/a/flux-system/sync.yaml")
    near = documents(GIT, "clusters/b/flux-system/sync.yaml")
    kustomization = documents(f"{KUSTOMIZATION}  path: a\n", "clusters/b/apps.yaml")

    assert [one.source for one in declarations((*far, *near, *kustomization))] == [HERE]


def test_a_patch_of_a_kustomization_names_no_path() -> None:
    text = KUSTOMIZATION.replace("sourceRef: {kind: GitRepository, name: flux-system}", "prune: false")

    assert declarations_in(text) == []


def test_another_kustomization_is_none() -> None:
    assert declarations_in(KUSTOMIZATION.replace("kustomize.toolkit.fluxcd.io", "example.com")) == []


def test_a_release_names_a_chart_of_a_repository() -> None:
    home = "{kind: GitRepository, name: flux-system, namespace: flux-system}"
    chart = f"{{spec: {{chart: ./charts/web, valuesFiles: [prod.yaml], sourceRef: {home}}}}}"

    (declared,) = declarations_in(f"{GIT}{RELEASE}  chart: {chart}\n")
    applied = declared.applied
    assert (declared.path, declared.source, declared.is_root_source) == ("charts/web", HERE, True)
    assert (declared.root, declared.folders) == ("HelmRelease/shop/web", ("charts/web",))
    assert declared.read_files == ("prod.yaml",)
    assert (applied.declared_by, applied.program) == (reference("HelmRelease", "shop", "web"), "helm-controller")
    (other,) = declarations_in(f"{GIT}{RELEASE}  chart: {chart.replace(', namespace: flux-system', '')}\n")
    assert other.source == ""
    limited = GIT.replace(f"{{url: {HERE}}}", f"{{url: {HERE}, sparseCheckout: [apps]}}")
    (sparse,) = declarations_in(f"{limited}{RELEASE}  chart: {chart}\n")
    assert (applied.source_filter, sparse.applied.source_filter) == (SourceFilter(), SourceFilter(sparse=("apps",)))


def test_a_release_names_a_chart_by_an_object() -> None:
    text = """\
apiVersion: source.toolkit.fluxcd.io/v1
kind: HelmChart
metadata: {name: web, namespace: flux-system}
spec: {chart: charts/web, valuesFiles: [prod.yaml], sourceRef: {kind: GitRepository, name: flux-system}}
---
"""
    release = f"{RELEASE}  chartRef: {{kind: HelmChart, name: web, namespace: flux-system}}\n"

    (declared,) = declarations_in(f"{GIT}{text}{release}")
    assert (declared.path, declared.source) == ("charts/web", HERE)
    assert declared.applied.release.values_files.names == declared.read_files == ("prod.yaml",)
    assert declarations_in(f"{GIT}{release}") == []


@pytest.mark.parametrize(
    ("spec", "namespaces"),
    [
        ("{sourceRef: {kind: HelmRepository, name: x}, chart: web}", []),
        ("{chart: ./charts/web}", []),
        ("{sourceRef: {kind: GitRepository, name: x}}", []),
        ("{sourceRef: {kind: GitRepository, name: x}, chart: ../web}", []),
        ("{sourceRef: {kind: GitRepository, name: x}, chart: charts/web}", ["other"]),
    ],
    ids=["helm repository", "patch", "no chart", "way out", "target namespace"],
)
def test_a_release_of_anything_else_names_none(spec: str, namespaces: list[str]) -> None:
    text = f"{RELEASE}  targetNamespace: other\n  chart: {{spec: {spec}}}\n"

    assert [one.applied.namespace for one in declarations_in(text)] == namespaces


KEYS: Final = ("spec", "path", "sourceRef", "kind", "name", "namespace", "chart", "kubeConfig", "secretRef")


@given(jsons(*KEYS), jsons(*KEYS), jsons(*KEYS))
def test_nothing_in_an_object_makes_it_fail(one: Json, other: Json, metadata: Json) -> None:
    def objects() -> Iterator[Json]:
        for group, kind in (
            ("kustomize.toolkit.fluxcd.io", "Kustomization"),
            ("helm.toolkit.fluxcd.io", "HelmRelease"),
        ):
            yield {"apiVersion": f"{group}/v1", "kind": kind, "metadata": metadata, "spec": one}
        yield {"apiVersion": "source.toolkit.fluxcd.io/v1", "kind": "GitRepository", "metadata": {}, "spec": other}

    assert all(not path.path.startswith(("/", "..")) for path in declarations(map(document, objects())))


ARTIFACT: Final = """\
apiVersion: source.extensions.fluxcd.io/v1beta1
kind: ArtifactGenerator
metadata: {name: split, namespace: flux-system}
spec:
  sources: [{alias: repo, kind: GitRepository, name: flux-system}]
  artifacts:
    - name: apps
      copy: [{from: "@repo/apps/**", to: "@artifact/"}]
---
"""


def test_a_kustomization_takes_a_folder_of_the_repository_out_of_an_artifact() -> None:
    source = KUSTOMIZATION.replace("{kind: GitRepository, name: flux-system}", "{kind: ExternalArtifact, name: apps}")
    taken = f"{source}  path: ./prod\n"

    (one,) = declarations_in(f"{GIT}{ARTIFACT}{taken}")
    assert (one.path, one.source, one.applied.doubts) == ("apps/prod", HERE, ())
    assert [one.other_source for one in declarations_in(f"{GIT}{taken}")] == ["ExternalArtifact apps"]
