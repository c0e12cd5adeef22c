import json
import time
from collections.abc import Mapping
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubectl_applylint.core.values import Json
from kubectl_applylint.units.declared import Declared
from kubectl_applylint.units.finder import NO_CLUSTER, find
from kubectl_applylint.units.model import Applied, Form, HelmOptions, Reason, Unit
from kubectl_applylint.units.remotes import Checkout
from kubectl_applylint.units.tree import tree
from tests.units.documents import cluster_documents, document, jsons

HERE: Final = "https://example.com/o/r"
FILES: Final[Mapping[str, bytes]] = {
    "apps/web/kustomization.yaml": b"resources: [web.yaml]",
    "apps/web/web.yaml": b"",
    "apps/db/db.yaml": b"",
    "apps/db/jobs/job.yaml": b"",
    "base/kustomization.yaml": b"resources: [base.yaml]",
    "base/base.yaml": b"",
    "prod/kustomization.yaml": b"resources: [../base]",
    "charts/cache/Chart.yaml": b"name: cache",
    "charts/cache/templates/cache.yaml": b"",
}
WHY: Final = Reason("because", "x.yaml", 1)


def flux(name: str, path: str, more: str = "") -> str:
    return f"""\
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {{name: {name}}}
spec: {{sourceRef: {{kind: GitRepository, name: here}}, path: {path}{more}}}
---
"""


def argo(name: str, path: str, cluster: str = "", url: str = HERE) -> str:
    return f"""\
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {{name: {name}}}
spec: {{source: {{path: {path}, repoURL: {url}}}, destination: {{name: '{cluster}', namespace: shop}}}}
---
"""


def read(path: str) -> bytes:
    return FILES[path]


def find_units(text: str = "", *configured: Declared, remotes: tuple[str, ...] = (HERE,)) -> list[Unit]:
    return list(
        find(tree(FILES, read), read, cluster_documents(text), configured, checkout=Checkout(frozenset(remotes))).units
    )


def tools(units: list[Unit]) -> dict[str, str]:
    return {unit.shown: unit.applied.tool for unit in units}


def declared_path(path: str, *, is_recursive: bool = False, tool: str = "kubectl", namespace: str = "") -> Declared:
    return Declared(path, Applied(tool, namespace, reason=WHY), is_recursive)


def test_without_declarations_the_layout_says_all() -> None:
    assert [(unit.root, unit.form, unit.applied.tool) for unit in find_units()] == [
        ("apps/db", Form.FOLDER, "kubectl"),
        ("apps/db/jobs", Form.FOLDER, "kubectl"),
        ("apps/web", Form.KUSTOMIZATION, "kubectl"),
        ("charts/cache", Form.CHART, "helm"),
        ("prod", Form.KUSTOMIZATION, "kubectl"),
    ]


@pytest.mark.parametrize(
    ("text", "changed"),
    [
        (argo("a", "apps/web"), {"apps/web": "argocd"}),
        (argo("a", "apps/db"), {"apps/db": "argocd"}),
        (argo("a", "charts/cache"), {"charts/cache": "argocd"}),
        (argo("a", "base"), {"base": "argocd"}),
        (argo("a", "apps"), {}),
        (argo("a", "no/such"), {"Application/a": "argocd"}),
        (argo("a", "apps/db/db.yaml"), {}),
        (argo("a", "apps/db", url="https://example.com/o/other"), {"Application/a": "argocd"}),
        (flux("a", "apps/web"), {"apps/web": "flux"}),
        (flux("a", "apps/db"), {"apps/db": "flux", "apps/db/jobs": ""}),
        (flux("a", "apps"), {"apps": "flux", "apps/db": "", "apps/db/jobs": "", "apps/web": ""}),
        (
            flux("a", "apps") + argo("b", "apps/db"),
            {"apps": "flux", "apps/db": "argocd", "apps/db/jobs": "", "apps/web": ""},
        ),
    ],
    ids=[
        "kustomization",
        "folder",
        "chart",
        "base",
        "folder of folders",
        "no path",
        "file",
        "other repository",
        "kustomization, recursive",
        "folder and subfolders",
        "folder of folders",
        "two tools",
    ],
)
def test_a_declaration_says_who_applies_a_root(text: str, changed: dict[str, str]) -> None:
    expected = tools(find_units()) | changed
    assert tools(find_units(text)) == {root: tool for root, tool in expected.items() if tool}


def test_subfolders_end_at_a_kustomization() -> None:
    files = {**FILES, "apps/web/unused/kustomization.yaml": b"", "apps/web/more/x.yaml": b"", "apps/more/x.yaml": b""}

    units = list(find(tree(files, files.__getitem__), files.__getitem__, cluster_documents(flux("a", "apps"))).units)
    (unit,) = (unit for unit in units if unit.applied.tool == "flux")
    assert (unit.root, unit.form) == ("apps", Form.KUSTOMIZATION)
    assert unit.files == {
        "apps/db/db.yaml",
        "apps/db/jobs/job.yaml",
        "apps/more/x.yaml",
        "apps/web/kustomization.yaml",
        "apps/web/web.yaml",
    }


def test_files_that_declare_are_read() -> None:
    files = {
        "web/fleet.yaml": b"defaultNamespace: shop",
        "web/web.yaml": b"",
        "app/skaffold.yaml": b"{apiVersion: skaffold/v3, kind: Config, manifests: {rawYaml: [k8s/*]}}",
        "app/k8s/app.yaml": b"",
    }

    units = list(find(tree(files, files.__getitem__), files.__getitem__).units)
    assert tools(units) == {"web": "fleet", "app": "kubectl", "app/k8s": "skaffold"}


def test_namespaces_make_units_and_targets_do_not() -> None:
    one = argo("a", "apps/web", "prod") + argo("b", "apps/web", "east") + argo("c", "apps/web", "prod")
    other = argo("d", "apps/web", "prod").replace("shop", "test")

    units = [unit for unit in find_units(one + other) if unit.root == "apps/web"]
    assert [(unit.applied.namespace, unit.applied.target) for unit in units] == [
        ("shop", "east, prod"),
        ("test", "prod"),
    ]
    assert units[0].applied.reason.line == 4


@pytest.mark.parametrize(
    ("asked", "files"),
    [
        (
            [declared_path("apps/db", tool="helm")],
            {"apps/db": ["apps/db/db.yaml"], "apps/db/jobs": ["apps/db/jobs/job.yaml"]},
        ),
        (
            [declared_path("apps", is_recursive=True)],
            {"apps": ["apps/db/db.yaml", "apps/db/jobs/job.yaml"]},
        ),
        (
            [declared_path("apps", is_recursive=True), declared_path("apps/db/jobs")],
            {"apps": ["apps/db/db.yaml"], "apps/db/jobs": ["apps/db/jobs/job.yaml"]},
        ),
        (
            [declared_path("apps/db/db.yaml")],
            {"apps/db/db.yaml": ["apps/db/db.yaml"], "apps/db/jobs": ["apps/db/jobs/job.yaml"]},
        ),
        ([declared_path("no")], {"apps/db": ["apps/db/db.yaml"], "apps/db/jobs": ["apps/db/jobs/job.yaml"]}),
        (
            [declared_path("no", is_recursive=True)],
            {"apps/db": ["apps/db/db.yaml"], "apps/db/jobs": ["apps/db/jobs/job.yaml"]},
        ),
    ],
    ids=["folder", "subfolders", "nearest", "file", "no path", "no folder"],
)
def test_the_configuration_takes_files_from_all_others(asked: list[Declared], files: dict[str, list[str]]) -> None:
    units = find_units("", *asked)

    plain = {unit.root: sorted(unit.files) for unit in units if unit.form in (Form.FOLDER, Form.FILE)}
    assert plain == files


def test_the_configuration_holds_instead_of_declarations() -> None:
    asked = (declared_path("apps/web", namespace="a"), declared_path("apps/web", namespace="b"))
    units = [unit for unit in find_units(argo("a", "apps/web"), *asked) if unit.root == "apps/web"]

    assert [(unit.applied.tool, unit.applied.namespace) for unit in units] == [("kubectl", "a"), ("kubectl", "b")]


def test_a_kustomization_stays_one_in_a_configured_folder() -> None:
    assert tools(find_units("", declared_path("apps", is_recursive=True, tool="helm"))) == {
        "apps": "helm",
        "apps/web": "kubectl",
        "charts/cache": "helm",
        "prod": "kubectl",
    }


KEYS: Final = ("spec", "source", "path", "sourceRef", "generators", "list", "elements", "template", "manifests")


@given(jsons(*KEYS), jsons(*KEYS), st.lists(st.sampled_from(["", "apps", "no", "../x", "base"]), max_size=3))
def test_every_file_has_a_unit_with_any_declarations(spec: Json, other: Json, asked: list[str]) -> None:
    kinds = {
        "Kustomization": "kustomize.toolkit.fluxcd.io",
        "Application": "argoproj.io",
        "ApplicationSet": "argoproj.io",
    }
    objects = [document({"apiVersion": f"{group}/v1", "kind": kind, "spec": spec}) for kind, group in kinds.items()]
    files = {**FILES, "skaffold.yaml": json.dumps(other).encode(), "apps/fleet.yaml": json.dumps(spec).encode()}
    entries = [declared_path(path, is_recursive=len(asked) > 1) for path in asked]

    units = find(tree(files, files.__getitem__), files.__getitem__, {NO_CLUSTER: objects}, entries).units
    assert {file for unit in units for file in unit.files} == files.keys()
    assert find(tree(files, files.__getitem__), files.__getitem__, {NO_CLUSTER: objects[::-1]}, entries).units == units


@pytest.mark.slow
def test_ten_thousand_names_take_a_moment() -> None:
    """It takes 25 ms of CPU time on the machine where it was written."""
    paths = [f"team{number % 300}/app{number % 1500}/{number}.yaml" for number in range(10_000)]
    start = time.process_time()

    assert len(find(tree(paths, read), read).units) == 1500
    assert time.process_time() - start < 0.5


def test_a_chart_is_one_unit_for_each_way_in_which_objects_render_it() -> None:
    files = {**FILES, "charts/cache/values-prod.yaml": b"", "envs/prod.yaml": b"", "charts/cache/values-dev.yaml": b""}
    helm = HelmOptions(("envs/prod.yaml", "missing.yaml"), release="cache")
    ways = [Declared("charts/cache", Applied("argocd", target="prod", reason=WHY, helm=helm))]
    units = [
        one
        for one in find(tree(files, files.__getitem__), files.__getitem__, configured=ways).units
        if one.root == "charts/cache"
    ]

    assert [(one.shown, one.applied.tool) for one in units] == [("charts/cache (prod.yaml)", "argocd")]
    assert "envs/prod.yaml" in units[0].files
    assert "charts/cache/values-prod.yaml" not in units[0].files


def test_a_kustomization_beside_a_chart_that_an_application_builds_is_no_unit() -> None:
    files = {**FILES, "charts/cache/kustomization.yaml": b"resources: [all.yaml]\n"}
    text = argo("cache", "charts/cache").replace("path: charts/cache", "path: charts/cache, plugin: {}")
    made = find(tree(files, files.__getitem__), files.__getitem__, cluster_documents(text)).units

    assert [one.root for one in made if "cache" in one.root] == ["Application/cache"]


def test_values_of_a_chart_do_not_part_the_units_of_a_folder() -> None:
    ways = [Declared("apps/db", Applied("argocd", reason=WHY, helm=HelmOptions(release=name))) for name in ("a", "b")]
    assert [one.root for one in find(tree(FILES, read), read, configured=ways).units].count("apps/db") == 1


@pytest.mark.parametrize(
    ("url", "reference", "why"),
    [
        (HERE, "{branch: main}", ""),
        (HERE, "{}", ""),
        (HERE, "{name: refs/heads/main}", ""),
        (HERE, "{branch: production}", "it applies branch production"),
        (HERE, "{tag: v1.2.3, branch: main}", "it applies tag v1.2.3"),
        (HERE, "{name: refs/tags/v1}", "it applies tag v1"),
        (HERE, "{commit: abcdef0, name: refs/heads/main}", "it applies commit abcdef0"),
        (HERE, "{semver: '>=1.0', tag: v1}", "it applies version >=1.0"),
        (HERE, "{branch: '${BRANCH}'}", ""),
        ("https://user:word@example.com/other", "{branch: main}", "its source is https://example.com/other"),
    ],
)
def test_a_declaration_of_another_repository_or_revision_is_named(url: str, reference: str, why: str) -> None:
    source = "apiVersion: source.toolkit.fluxcd.io/v1\nkind: GitRepository\nmetadata: {name: r}\n"
    text = f"{source}spec: {{url: {url!r}, ref: {reference}}}\n---\n{flux('apps', 'apps/db')}".replace(
        "name: here", "name: r"
    )
    checkout = Checkout(frozenset((HERE,)), lambda: ("main",))

    found = find(tree(FILES, read), read, cluster_documents(text), checkout=checkout)
    assert [words for _, words in found.elsewhere] == ([why] if why else [])
    assert [unit.applied.gap for unit in found.units if unit.applied.tool == "flux"] == [why]


def test_an_application_with_several_sources_replaces_the_units_of_their_paths() -> None:
    text = """\
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: cache, namespace: argocd}
spec: {sources: [{path: charts/cache, helm: {valueFiles: [/prod/kustomization.yaml]}}, {path: apps/web, chart: x}]}
"""
    units = find_units(text)

    (own,) = (unit for unit in units if unit.applied.tool == "argocd")
    assert (own.root, own.form) == ("Application/argocd/cache", Form.RELEASE)
    assert {"charts/cache/Chart.yaml", "prod/kustomization.yaml"} <= own.files
    assert "charts/cache" not in {unit.root for unit in units}


def test_an_application_reads_what_its_files_in_jsonnet_import() -> None:
    files = {"web/a.jsonnet": b"import '../shared/names.json'", "shared/names.json": b"", "shared/b.libsonnet": b""}
    text = """\
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: web, namespace: argocd}
spec: {source: {path: web}}
"""
    units = find(tree(files, files.__getitem__), files.__getitem__, cluster_documents(text)).units

    (own,) = (unit for unit in units if unit.applied.tool == "argocd")
    assert own.files == {"web/a.jsonnet", "shared/names.json"}


def test_an_application_that_is_not_examined_leaves_the_units_of_the_layout() -> None:
    text = """\
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: cache, namespace: argocd}
spec: {source: {path: charts/cache, helm: {valueFiles: ["{{ .Values.env }}.yaml"]}}}
"""
    units = {unit.root: unit for unit in find_units(text)}

    assert units["Application/argocd/cache"].files == frozenset()
    assert units["charts/cache"].applied.tool == "helm"


INCLUDING = """\
apiVersion: source.toolkit.fluxcd.io/v1
kind: GitRepository
metadata: {name: fleet, namespace: ns}
spec: {url: 'https://example.com/o/fleet', include: [{repository: {name: other}, fromPath: charts}]}
---
apiVersion: source.toolkit.fluxcd.io/v1
kind: GitRepository
metadata: {name: other, namespace: ns}
spec: {url: 'https://example.com/o/other'}
---
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: a, namespace: ns}
spec: {path: %s, sourceRef: {kind: GitRepository, name: fleet}}
"""


@pytest.mark.parametrize(
    ("own", "path", "root", "gap"),
    [
        ("fleet", "other/deep", "Kustomization/ns/a", ""),
        ("fleet", "apps/web", "apps/web", ""),
        ("other", "apps/web", "Kustomization/ns/a", "its source is https://example.com/o/fleet"),
    ],
)
def test_a_path_may_be_in_files_that_the_source_includes(own: str, path: str, root: str, gap: str) -> None:
    files = {"apps/web/kustomization.yaml": b"resources: []", "charts/a/web.yaml": b"", "clusters/a.yaml": b""}
    read = files.__getitem__
    checkout = Checkout(frozenset((f"https://example.com/o/{own}",)))
    every = find(tree(files, read), read, cluster_documents(INCLUDING % path), checkout=checkout)
    (unit,) = (one for one in every.units if one.applied.includes)

    assert (unit.root, unit.form, unit.applied.gap, every.missing) == (root, Form.KUSTOMIZATION, gap, ())
    assert ("charts/a/web.yaml" in unit.files) is (own == "other")
