"""Declaring objects as the units that declare them render them."""

import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest

from kubectl_applylint.core.state import Unknown
from kubectl_applylint.run.sides import sides
from kubectl_applylint.run.sides.units_of import units_of
from kubectl_applylint.units.finder import FoundUnits
from kubectl_applylint.units.remotes import Checkout
from tests.run.running import WEB, write

pytestmark = pytest.mark.skipif(not (shutil.which("kustomize") or shutil.which("kubectl")), reason="no kustomize here")


def kustomization(name: str, path: str, more: str = "") -> str:
    return f"""\
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {{name: {name}, namespace: flux-system}}
spec: {{sourceRef: {{kind: GitRepository, name: flux-system}}, path: {path}{more}}}
---
"""


def units_in(folder: Path, files: Mapping[str, str]) -> FoundUnits:
    write(folder, files)
    return units_of(sides.of_folder(str(folder)))


def declared_units(units: FoundUnits) -> list[tuple[str, str, str]]:
    """Return the cluster, the name and the path of each declared unit."""
    declared = ((one.applied.declared_by, one) for one in units.units)
    return sorted((one.applied.cluster, ref.name, one.root) for ref, one in declared if ref)


def test_each_cluster_has_its_own_units(tmp_path: Path) -> None:
    files = {"apps/web.yaml": WEB}
    for name in ("prod", "staging", "test"):
        files[f"clusters/{name}/sync.yaml"] = kustomization("flux-system", f"clusters/{name}")
        files[f"clusters/{name}/apps.yaml"] = kustomization("apps", "apps")

    assert declared_units(units_in(tmp_path, files)) == [
        (f"clusters/{name}", *each)
        for name in ("prod", "staging", "test")
        for each in (("apps", "apps"), ("flux-system", f"clusters/{name}"))
    ]


def test_a_root_of_the_folder_of_another_cluster_leaves_that_its_units(tmp_path: Path) -> None:
    files = {
        "apps/web.yaml": WEB,
        "clusters/demo/sync.yaml": kustomization("flux-system", "clusters/prod"),
        "clusters/prod/flux/sync.yaml": kustomization("flux-system", "clusters/prod"),
        "clusters/prod/apps.yaml": kustomization("apps", "apps"),
    }

    assert declared_units(units_in(tmp_path, files)) == [
        (cluster, *each)
        for cluster in ("clusters/demo", "clusters/prod")
        for each in (("apps", "apps"), ("flux-system", "clusters/prod"))
    ]


def test_a_kustomization_is_read_as_its_parent_renders_it(tmp_path: Path) -> None:
    patch = "{patch: '- {op: replace, path: /spec/path, value: apps}', target: {kind: Kustomization}}"
    files = {
        "clusters/prod/root.yaml": kustomization("root", "tenants"),
        "tenants/kustomization.yaml": f"resources: [apps.yaml]\nnamespace: team\npatches: [{patch}]",
        "tenants/apps.yaml": kustomization("web", "nowhere"),
        "apps/web.yaml": WEB,
    }

    units = units_in(tmp_path, files)
    assert declared_units(units) == [("clusters/prod", "root", "tenants"), ("clusters/prod", "web", "apps")]
    assert [unit.applied.declared_by.namespace for unit in units.units if unit.applied.declared_by] == [
        "team",
        "flux-system",
    ]


def repository(name: str) -> str:
    return f"""\
apiVersion: source.toolkit.fluxcd.io/v1
kind: GitRepository
metadata: {{name: {name}, namespace: flux-system}}
spec: {{url: https://git.example/{name}}}
---
"""


@pytest.mark.parametrize("is_deep", [False, True])
def test_a_source_may_be_declared_after_its_kustomization(tmp_path: Path, *, is_deep: bool) -> None:
    others = kustomization("gateway", "./").replace("GitRepository, name: flux-system", "GitRepository, name: gateway")
    files = {f"clusters/{name}/root.yaml": kustomization("root", f"clusters/{name}") for name in ("a", "b")}
    files |= {"clusters/a/first.yaml": others, "clusters/a/git.yaml": repository("flux-system"), "apps/web.yaml": WEB}
    if is_deep:
        files |= {
            "clusters/a/sources.yaml": kustomization("sources", "sources"),
            "sources/git.yaml": repository("gateway"),
        }
    else:
        files["clusters/a/zoo.yaml"] = repository("gateway")
    write(tmp_path, files)

    units = units_of(sides.of_folder(str(tmp_path)), checkout=Checkout(frozenset(["https://git.example/flux-system"])))

    assert {each[:2] for each in declared_units(units)} >= {("clusters/a", "root"), ("clusters/b", "root")}


def test_the_source_beside_a_root_is_that_of_its_cluster(tmp_path: Path) -> None:
    source = repository("flux-system").replace("{url:", "{ref: {branch: dev}, url:")
    files = {
        "clusters/dev/config/cluster.yaml": source + kustomization("cluster", "clusters/dev"),
        "clusters/prod/apps.yaml": kustomization("web", "apps"),
        "apps/web.yaml": WEB,
    }
    write(tmp_path, files)
    here = Checkout(frozenset(["https://git.example/flux-system"]), lambda: ["main"])

    units = units_of(sides.of_folder(str(tmp_path)), checkout=here)

    assert [(one.applied.cluster, one.applied.gap) for one in units.units if one.applied.gap] == [
        ("clusters/dev/config", "it applies branch dev")
    ]
    assert ("clusters/prod", "web", "apps") in declared_units(units)


def test_equal_names_in_three_clusters_are_those_of_each_cluster(tmp_path: Path) -> None:
    files = {"apps/web.yaml": WEB}
    variables = ", postBuild: {substituteFrom: [{kind: ConfigMap, name: settings}]}"
    for name in ("prod", "staging", "test"):
        settings = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings, namespace: flux-system}\n"
        source = repository("deploy").replace(".example/deploy", f".example/{name}")
        apps = kustomization("apps", "apps", variables).replace("name: flux-system}, path", "name: deploy}, path")
        files[f"clusters/{name}/sync.yaml"] = source + kustomization("flux-system", f"clusters/{name}")
        files[f"clusters/{name}/settings.yaml"] = f"{settings}data: {{cluster: {name}}}\n"
        files[f"clusters/{name}/apps.yaml"] = apps
    write(tmp_path, files)
    here = Checkout(frozenset(f"https://git.example/{name}" for name in ("prod", "staging")))

    units = units_of(sides.of_folder(str(tmp_path)), checkout=here)

    assert [(one.applied.cluster, one.applied.variables.values) for one in units.units if one.root == "apps"] == [
        (f"clusters/{name}", (("cluster", name),)) for name in ("prod", "staging")
    ]


def test_variables_of_a_kustomization_that_nothing_applies_may_be_set_elsewhere(tmp_path: Path) -> None:
    apps = kustomization("apps", "apps", ", postBuild: {substitute: {A: b}}")
    write(tmp_path, {"clusters/apps.yaml": apps, "apps/a.yaml": "kind: Job\n"})
    (unit,) = (one for one in units_of(sides.of_folder(str(tmp_path))).units if one.applied.declared_by)

    assert unit.applied.variables.others == Unknown("the Kustomization that applies this one may set it")


def test_labels_of_a_kustomization_that_are_not_text_are_no_obstacle(tmp_path: Path) -> None:
    apps = kustomization("apps", "apps").replace("{name: apps,", "{name: apps, labels: {on: true},")
    files = {"c/sync.yaml": kustomization("flux-system", "c"), "c/apps.yaml": apps, "apps/web.yaml": WEB}

    assert ("c", "apps", "apps") in declared_units(units_in(tmp_path, files))


def test_a_removed_kustomization_is_no_unit(tmp_path: Path) -> None:
    files = {
        "clusters/root.yaml": kustomization("root", "tenants"),
        "tenants/kustomization.yaml": "resources: [apps.yaml, web.yaml]\npatches: [{path: delete.yaml}]",
        "tenants/delete.yaml": f"$patch: delete\n{kustomization('web', 'apps')}".replace("---\n", ""),
        "tenants/apps.yaml": kustomization("web", "apps"),
        "tenants/web.yaml": WEB,
        "apps/web.yaml": WEB,
    }

    units = units_in(tmp_path, files)
    assert declared_units(units) == [("clusters", "root", "tenants")]
    assert {one.root: one.applied.tool for one in units.units}["apps"] == "kubectl"


@pytest.mark.parametrize(
    "files",
    [
        {"a/ks.yaml": kustomization("b", "b"), "b/ks.yaml": kustomization("a", "a")},
        {"a/ks.yaml": kustomization("a", "a"), "b/ks.yaml": kustomization("b", "b")},
    ],
    ids=["a circle", "each applies itself"],
)
def test_circles_end(tmp_path: Path, files: Mapping[str, str]) -> None:
    assert {name for _, name, _ in declared_units(units_in(tmp_path, files))} == {"a", "b"}


def test_the_declarations_of_a_broken_parent_are_taken_as_written(tmp_path: Path) -> None:
    files = {
        "clusters/root.yaml": kustomization("root", "tenants"),
        "tenants/kustomization.yaml": "resources: [apps.yaml, missing.yaml]",
        "tenants/apps.yaml": kustomization("web", "apps"),
        "apps/web.yaml": WEB,
    }

    assert ("clusters", "web", "apps") in declared_units(units_in(tmp_path, files))


SECRET_OF_CLUSTER = """\
apiVersion: v1
kind: Secret
metadata: {name: prod, labels: {argocd.argoproj.io/secret-type: cluster}}
stringData: {name: web, server: "https://kubernetes.default.svc"}
"""


@pytest.mark.parametrize("generator", ["list: {elements: [{name: web}]}", "clusters: {}"])
def test_the_applications_of_a_set_that_flux_applies_are_units(tmp_path: Path, generator: str) -> None:
    template = "{metadata: {name: '{{name}}'}, spec: {source: {path: '${DIR}/{{name}}'}}}"
    head = "apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nmetadata: {name: all, namespace: argocd}\n"
    files = {
        "clusters/root.yaml": kustomization("root", "argo", ", postBuild: {substitute: {DIR: apps}}"),
        "argo/set.yaml": f"{head}spec: {{generators: [{{{generator}}}], template: {template}}}",
        "argo/cluster.yaml": SECRET_OF_CLUSTER,
        "apps/web/web.yaml": WEB,
    }
    found = {one.root: one.applied for one in units_in(tmp_path, files).units}

    assert (found["apps/web"].tool, found["apps/web"].cluster) == ("argocd", "clusters")


def instance(path: str, sync: str = "GitRepository") -> str:
    return f"""\
apiVersion: fluxcd.controlplane.io/v1
kind: FluxInstance
metadata: {{name: flux, namespace: flux-system}}
spec: {{sync: {{kind: {sync}, url: https://host/team/deploy, ref: refs/heads/main, path: {path}}}}}
"""


@pytest.mark.parametrize("folder", ["clusters/{}/flux", "bootstrap/{}"])
def test_the_kustomization_of_a_flux_instance_is_the_root_of_its_cluster(tmp_path: Path, folder: str) -> None:
    files = {"apps/web.yaml": WEB}
    for name in ("prod", "staging"):
        files[f"{folder.format(name)}/instance.yaml"] = instance(f"clusters/{name}")
        files[f"clusters/{name}/more/apps.yaml"] = kustomization("apps", "apps")

    assert declared_units(units_in(tmp_path, files)) == [
        (f"clusters/{name}", *each)
        for name in ("prod", "staging")
        for each in (("apps", "apps"), ("flux-system", f"clusters/{name}"))
    ]


def test_a_flux_instance_of_another_source_is_named(tmp_path: Path) -> None:
    units = units_in(tmp_path, {"flux/instance.yaml": instance("other", "OCIRepository"), "apps/web.yaml": WEB})

    assert [one.applied.gap for one in units.units if one.applied.declared_by] == [
        "its source is OCIRepository flux-system (https://host/team/deploy)"
    ]


@pytest.mark.parametrize("kind", ["OCIRepository", "Bucket", "GitRepository"])
def test_the_source_of_a_flux_instance_is_taken_to_be_the_repository(tmp_path: Path, kind: str) -> None:
    files = {"flux/instance.yaml": instance("clusters/prod", kind), "apps/web.yaml": WEB}
    files["clusters/prod/apps.yaml"] = kustomization("apps", "apps").replace("GitRepository", kind)
    write(tmp_path, files)
    checkout = Checkout(remotes=frozenset({"https://host/team/renamed"}))
    units = units_of(sides.of_folder(str(tmp_path)), checkout=checkout)

    assert declared_units(units) == [
        ("clusters/prod", "apps", "apps"),
        ("clusters/prod", "flux-system", "clusters/prod"),
    ]
    assert units.assumed == ((f"{kind}/flux-system/flux-system", "as it has the path clusters/prod"),)


def test_a_flux_instance_of_another_repository_leaves_other_kustomizations(tmp_path: Path) -> None:
    files = {"flux/instance.yaml": instance("other"), "more/apps.yaml": kustomization("apps", "apps")}
    files["apps/web.yaml"] = WEB
    write(tmp_path, files)

    checkout = Checkout(remotes=frozenset({"https://host/team/old-name"}))
    units = units_of(sides.of_folder(str(tmp_path)), checkout=checkout)

    assert declared_units(units) == [
        ("flux", "flux-system", "Kustomization/flux-system/flux-system"),
        ("more", "apps", "apps"),
    ]


SET = """\
apiVersion: fluxcd.controlplane.io/v1
kind: ResourceSet
metadata: {name: apps, namespace: flux-system}
spec:
  inputs: [{app: web}, {app: db}]
  resources:
    - apiVersion: kustomize.toolkit.fluxcd.io/v1
      kind: Kustomization
      metadata: {name: << inputs.app >>, namespace: flux-system}
      spec: {sourceRef: {kind: GitRepository, name: flux-system}, path: apps/<< inputs.app >>}
"""


@pytest.mark.parametrize("is_applied", [True, False])
def test_the_kustomizations_of_a_resource_set_are_units(tmp_path: Path, *, is_applied: bool) -> None:
    files = {"clusters/prod/apps.yaml": SET, "apps/web/web.yaml": WEB, "apps/db/web.yaml": WEB}
    if is_applied:
        files["clusters/prod/root.yaml"] = kustomization("root", "clusters/prod")
    root = [("clusters/prod", "root", "clusters/prod")] if is_applied else []

    assert declared_units(units_in(tmp_path, files)) == [
        ("clusters/prod", "db", "apps/db"),
        *root,
        ("clusters/prod", "web", "apps/web"),
    ]


def test_an_instance_among_rendered_objects_is_the_root_of_its_cluster(tmp_path: Path) -> None:
    patch = '[{"op": "replace", "path": "/spec/sync/path", "value": "clusters/prod"}]'
    kustomize = f"resources: [instance.yaml]\npatches: [{{patch: '{patch}', target: {{kind: FluxInstance}}}}]\n"
    files = {
        "clusters/prod/flux.yaml": kustomization("flux", "flux"),
        "clusters/prod/apps.yaml": kustomization("apps", "apps"),
        "flux/kustomization.yaml": kustomize,
        "flux/instance.yaml": instance("'${CLUSTER}'"),
        "apps/web.yaml": WEB,
    }

    assert declared_units(units_in(tmp_path, files)) == [
        ("clusters/prod", "apps", "apps"),
        ("clusters/prod", "flux", "flux"),
        ("clusters/prod", "flux-system", "clusters/prod"),
    ]


def test_an_instance_with_an_unknown_variable_is_named(tmp_path: Path) -> None:
    units = units_in(tmp_path, {"flux/instance.yaml": instance("'${CLUSTER}'"), "apps/web.yaml": WEB})

    assert [(one.root, one.applied.gap) for one in units.units if one.applied.gap] == [
        ("FluxInstance/flux-system/flux", "a field of its sync has a variable that is not known")
    ]


def test_roots_that_nothing_applies_share_the_sources_of_their_cluster(tmp_path: Path) -> None:
    apps = kustomization("apps", "apps").replace("GitRepository, name: flux-system", "ExternalArtifact, name: all")
    generator = """\
apiVersion: source.extensions.fluxcd.io/v1beta1
kind: ArtifactGenerator
metadata: {name: split, namespace: flux-system}
spec:
  sources: [{alias: repo, kind: GitRepository, name: flux-system}]
  artifacts: [{name: all, copy: [{from: "@repo/apps/**", to: "@artifact/apps/"}]}]
"""
    files = {
        "clusters/prod/apps.yaml": apps,
        "clusters/prod/flux/generators.yaml": kustomization("generators", "generators"),
        "generators/split.yaml": generator,
        "apps/web.yaml": WEB,
    }

    assert declared_units(units_in(tmp_path, files)) == [
        ("clusters/prod", "apps", "apps"),
        ("clusters/prod", "generators", "generators"),
    ]


@pytest.mark.parametrize(
    ("listed", "units", "unlisted"),
    [
        ("resources: [root.yaml, apps.yaml]\n", ["apps", "root"], []),
        ("resources: [root.yaml]\n", ["root"], ["Kustomization flux-system/apps"]),
    ],
    ids=["listed", "unlisted"],
)
def test_a_file_that_the_kustomization_leaves_out_is_not_applied(
    tmp_path: Path, listed: str, units: list[str], unlisted: list[str]
) -> None:
    files = {
        "clusters/root.yaml": kustomization("root", "clusters"),
        "clusters/apps.yaml": kustomization("apps", "apps"),
        "clusters/kustomization.yaml": listed,
        "apps/web.yaml": WEB,
    }
    known = units_in(tmp_path, files)

    assert [name for _, name, _ in declared_units(known)] == units
    assert [one.text for one in known.unlisted] == unlisted


def test_a_root_next_to_the_kustomization_that_it_applies_is_a_root(tmp_path: Path) -> None:
    files = {
        "clusters/sync.yaml": kustomization("root", "clusters"),
        "clusters/apps.yaml": kustomization("apps", "apps"),
        "clusters/kustomization.yaml": "resources: [apps.yaml]\n",
        "apps/web.yaml": WEB,
    }

    assert [name for _, name, _ in declared_units(units_in(tmp_path, files))] == ["apps", "root"]
