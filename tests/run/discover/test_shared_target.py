"""Knowledge that other units of one target have of the objects of a unit."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.run.compare.live_source import UnitDocuments
from kubectl_applylint.run.discover.shared_target import TargetUnits
from kubectl_applylint.run.sides.sides import of_folder
from kubectl_applylint.units.model import Applied, Form, Reason, Unit

PROD = Applied(target="prod", is_known_target=True)
MAP = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings}\ndata: {level: %s}\n"
FILES: Mapping[str, str] = {
    "web/map.yaml": MAP % "info",
    "jobs/map.yaml": MAP % "debug",
    "jobs/other.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: other}\n",
    "overlay/kustomization.yaml": "resources: [map.yaml]",
    "overlay/map.yaml": MAP % "warn",
}
APPS = frozenset({"apps/web.yaml", "apps/jobs.yaml"})


@pytest.fixture(name="folder")
def _folder(tmp_path: Path) -> str:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    return str(tmp_path)


def unit(root: str, applied: Applied = PROD, form: Form = Form.FOLDER) -> Unit:
    return Unit(root, form, frozenset(file for file in FILES if file.startswith(root)), applied)


def application(name: str, path: str) -> JsonObject:
    return {
        "apiVersion": "argoproj.io/v1alpha1",
        "kind": "Application",
        "metadata": {"name": name},
        "spec": {"source": {"path": path}},
    }


def documents_of(folder: str, *units: Unit) -> list[UnitDocuments]:
    side = of_folder(folder)
    return list(TargetUnits(side, units).same_target(units[0])(documents(folder)))


def documents(folder: str) -> tuple[Document, ...]:
    return of_folder(folder).read(["web/map.yaml"]).documents


def test_the_objects_of_the_same_names_are_found(folder: str) -> None:
    (other,) = documents_of(folder, unit("web"), unit("jobs"))
    assert other.unit.root == "jobs"
    assert [one.object["data"] for one in other.documents] == [{"level": "debug"}]


def test_a_kustomization_is_rendered(folder: str) -> None:
    (other,) = documents_of(folder, unit("web"), unit("overlay", form=Form.KUSTOMIZATION))
    assert [one.object["data"] for one in other.documents] == [{"level": "warn"}]


@pytest.mark.parametrize(
    "applied",
    [
        pytest.param(Applied(), id="no target"),
        pytest.param(Applied(target="prod"), id="a target that may be another cluster"),
        pytest.param(Applied(target="dev", is_known_target=True), id="another target"),
    ],
)
def test_units_that_may_go_elsewhere_are_not_read(folder: str, applied: Applied) -> None:
    assert not documents_of(folder, unit("web"), unit("jobs", applied))


def test_one_of_several_targets_is_enough(folder: str) -> None:
    assert documents_of(folder, unit("web"), unit("jobs", Applied(target="dev, prod", is_known_target=True)))


@pytest.mark.parametrize(
    ("tool", "file", "target", "is_met"),
    [
        pytest.param("flux", "apps.yaml", "", True, id="two Kustomizations of one file"),
        pytest.param("flux", "other.yaml", "", False, id="of two files"),
        pytest.param("flux", "apps.yaml", "flux-system/edge", False, id="for two clusters"),
        pytest.param("argocd", "apps.yaml", "in-cluster", True, id="two Applications of one file"),
        pytest.param("argocd", "apps.yaml", "", False, id="Applications of which the cluster is not known"),
    ],
)
def test_declarations_of_one_file_share_a_cluster(folder: str, tool: str, file: str, target: str, is_met: bool) -> None:
    own = "" if tool == "flux" else target
    one, other = (
        Applied(tool, target=place, tool_object={"metadata": {}}, reason=Reason("", name))
        for place, name in ((own, "apps.yaml"), (target, file))
    )

    assert bool(documents_of(folder, unit("web", one), unit("jobs", other))) is is_met
    units = [unit("web", one), unit("jobs", other)]
    expected = [tuple((one, False) for one in units)] * is_met
    assert list(TargetUnits(of_folder(folder), units).others(units[0])) == expected
    assert not documents_of(folder, unit("web", one), unit("jobs", replace(other, tool_object=None)))


def test_one_application_that_overlays_change_is_one_in_each_of_several_clusters(folder: str) -> None:
    web, jobs = (
        Applied("argocd", target="in-cluster", tool_object=application("all", path), reason=Reason("", "base/app.yaml"))
        for path in ("web", "jobs")
    )
    other = replace(web, tool_object=application("other", "jobs"))

    assert not documents_of(folder, unit("web", web), unit("jobs", jobs))
    assert documents_of(folder, unit("web", web), unit("jobs", other))


@pytest.mark.parametrize(
    ("home", "is_met"),
    [
        pytest.param(Unit("apps", Form.KUSTOMIZATION, APPS), True, id="a kustomization"),
        pytest.param(Unit("apps", Form.FOLDER, APPS, Applied("argocd", tool_object={})), True, id="an Application"),
        pytest.param(Unit("apps", Form.FOLDER, APPS), False, id="the layout alone"),
        pytest.param(Unit("apps", Form.KUSTOMIZATION, frozenset({"apps/web.yaml"})), False, id="one of the files"),
    ],
)
def test_applications_that_are_applied_together_go_to_one_cluster(folder: str, home: Unit, is_met: bool) -> None:
    side = replace(of_folder(folder), label=str)
    web, jobs = (
        unit(name, Applied("argocd", target="in-cluster", tool_object={}, reason=Reason("", f"apps/{name}.yaml")))
        for name in ("web", "jobs")
    )
    others = TargetUnits(side, [web, jobs, home]).same_target(web)(documents(folder))

    assert [one.unit.root for one in others] == ["jobs"] * is_met


def test_a_file_that_a_unit_reads_of_its_own_declaration_is_not_applied_by_it(folder: str) -> None:
    side = replace(of_folder(folder), label=str)
    web, jobs = (
        Unit(
            f"Application/argocd/{name}",
            Form.RELEASE,
            APPS,
            Applied("argocd", target="in-cluster", tool_object={}, reason=Reason("", f"apps/{name}.yaml")),
        )
        for name in ("web", "jobs")
    )

    assert not list(TargetUnits(side, [web, jobs]).others(web))


def test_a_pair_of_units_is_compared_once_and_by_namespace(folder: str) -> None:
    side, units = of_folder(folder), [unit("jobs"), unit("web")]
    targets = TargetUnits(side, units, [*units, None])
    (placed,) = (replace(one, ref=replace(one.ref, namespace="shop")) for one in documents(folder))

    assert not list(targets.same_target(units[0])(documents(folder)))
    assert [one.unit.root for one in targets.same_target(units[1])([placed])] == ["jobs"]
    other = replace(units[0], applied=replace(PROD, namespace="other"))
    assert not list(TargetUnits(side, [other, units[1]]).same_target(units[1])([placed]))


def _release_of(file: str, cluster: str) -> Applied:
    release = {"kind": "HelmRelease", "metadata": {"name": file}}
    return Applied("flux", cluster=cluster, tool_object=release, reason=Reason("", file), program="helm-controller")


@pytest.mark.parametrize(
    ("file", "cluster", "is_met"),
    [
        pytest.param("apps.yaml", "clusters/prod", True, id="of one file"),
        pytest.param("other.yaml", "clusters/prod", False, id="of two files"),
        pytest.param("apps.yaml", "clusters/dev", False, id="of one file that two clusters have"),
    ],
)
def test_releases_of_one_file_and_cluster_are_rendered(folder: str, file: str, cluster: str, is_met: bool) -> None:
    side = replace(of_folder(folder), releases=lambda unit: of_folder(folder).read(["jobs/map.yaml"]))
    units = [
        Unit(f"HelmRelease/shop/{name}", Form.RELEASE, frozenset(), applied)
        for name, applied in (("a", _release_of("apps.yaml", "clusters/prod")), ("b", _release_of(file, cluster)))
    ]

    others = list(TargetUnits(side, units).same_target(units[0])(documents(folder)))

    assert [one.unit.root for one in others] == ["HelmRelease/shop/b"] * is_met


@pytest.mark.parametrize(
    ("tool", "spec"),
    [
        pytest.param(
            "argocd", {"source": {"path": "jobs", "kustomize": {"namePrefix": "x-"}}}, id="other names of Argo CD"
        ),
    ],
)
def test_objects_that_a_tool_renames_are_not_shared(folder: str, tool: str, spec: JsonObject) -> None:
    target = "in-cluster" if tool == "argocd" else ""
    plain, changed = (
        Applied(
            tool, target=target, tool_object={"metadata": {"name": "a"}, "spec": one}, reason=Reason("", "apps.yaml")
        )
        for one in ({}, spec)
    )

    assert documents_of(folder, unit("web", plain), unit("jobs", plain))
    assert not documents_of(folder, unit("web", plain), unit("jobs", changed))
    assert not documents_of(folder, unit("web", changed), unit("jobs", plain))


def test_files_of_one_folder_are_alternatives(folder: str) -> None:
    files = (Unit(path, Form.FILE, frozenset([path]), PROD) for path in ("web/map.yaml", "web/other.yaml"))
    assert not documents_of(folder, *files)
