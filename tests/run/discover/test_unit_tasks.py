"""Units of files and folders, and the input for each of them."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from kubectl_applylint.core.state import Identity
from kubectl_applylint.run.compare.live_source import no_live_source
from kubectl_applylint.run.discover.revisions import Revisions
from kubectl_applylint.run.discover.unit_changes import changed_pairs
from kubectl_applylint.run.discover.unit_tasks import UnitTask, choose_units, task_maker, tasks_of_change
from kubectl_applylint.run.sides import sides
from kubectl_applylint.run.sides.side import Side
from kubectl_applylint.run.sides.units_of import units_of
from kubectl_applylint.units.model import Form

MAP = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: NAME}\ndata: {a: b}\n"
DEFINITION = """\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: lamps.x.io}
spec: {group: x.io, scope: Cluster, names: {kind: Lamp, plural: lamps}, versions: []}
"""
FILES = {
    "dev/web.yaml": MAP.replace("NAME", "web"),
    "dev/db.yaml": MAP.replace("NAME", "db"),
    "prod/web.yaml": MAP.replace("NAME", "web"),
    "crds/lamp.yaml": DEFINITION,
    "notes.txt": "x",
}


def side(folder: Path, files: Mapping[str, str] | None = None) -> Side:
    for name, text in (files or FILES).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return sides.of_folder(str(folder))


def roots(found: Side, *paths: str) -> list[tuple[str, Form]]:
    return [(unit.root, unit.form) for unit in choose_units(found, units_of(found).units, paths)]


def tasks(found: Side, *paths: str) -> list[UnitTask]:
    task_of = task_maker(found, paths, lambda unit: no_live_source())
    return [*filter(None, map(task_of, choose_units(found, units_of(found).units, paths)))]


def names(task: UnitTask) -> list[str]:
    assert task.given is not None
    return [document.ref.name for document in task.given.documents]


@pytest.mark.parametrize(
    ("paths", "wanted"),
    [
        pytest.param([""], ["crds", "dev", "prod"], id="all below the root"),
        pytest.param(["prod", "dev"], ["dev", "prod"], id="folders, by their roots"),
        pytest.param(["dev/web.yaml"], ["dev"], id="the unit of a file"),
        pytest.param(["dev/web.yaml", "dev"], ["dev"], id="each once"),
        pytest.param(["nowhere"], [], id="nothing"),
    ],
)
def test_the_units_that_paths_stand_for(tmp_path: Path, paths: list[str], wanted: list[str]) -> None:
    assert roots(side(tmp_path), *paths) == [(root, Form.FOLDER) for root in wanted]


def test_a_file_of_no_unit_is_one_where_it_is_named(tmp_path: Path) -> None:
    assert roots(side(tmp_path), "notes.txt") == [("notes.txt", Form.FILE)]


def test_a_base_is_a_unit_where_it_is_named(tmp_path: Path) -> None:
    found = side(
        tmp_path,
        {
            "base/kustomization.yaml": "resources: [web.yaml]\n",
            "base/web.yaml": MAP,
            "overlay/kustomization.yaml": "resources: [../base]\n",
        },
    )

    assert roots(found, "") == [("overlay", Form.KUSTOMIZATION)]
    assert ("base", Form.KUSTOMIZATION) in roots(found, "base")


def test_files_that_hold_the_same_object_are_alternatives(tmp_path: Path) -> None:
    found = side(tmp_path, {"a/one.yaml": MAP, "a/two.yaml": MAP})

    assert roots(found, "a") == [("a/one.yaml", Form.FILE), ("a/two.yaml", Form.FILE)]


def test_the_unit_of_a_named_file_is_context(tmp_path: Path) -> None:
    (task,) = tasks(side(tmp_path), "dev/web.yaml")
    context = task.source.context_of({"ConfigMap.": frozenset({"db"})})

    assert names(task) == ["web"]
    assert {document.ref.name for document in context} <= {"db"}


def test_a_folder_is_examined_whole(tmp_path: Path) -> None:
    (task,) = tasks(side(tmp_path), "dev")

    assert names(task) == ["db", "web"]
    assert [*task.source.context_of({"ConfigMap.": frozenset({"db"})})] == []


@pytest.mark.parametrize(("paths", "count"), [(["dev"], 1), (["crds"], 0)], ids=["of another unit", "its own"])
def test_definitions_of_other_units_are_known(tmp_path: Path, paths: list[str], count: int) -> None:
    (task,) = tasks(side(tmp_path), *paths)

    assert len(task.source.definitions([("x.io/v1", "Lamp")]).objects) == count


def test_a_named_file_that_a_kustomization_uses_selects_all_of_it(tmp_path: Path) -> None:
    texts = {
        "base/kustomization.yaml": "resources: [web.yaml]\n",
        "base/web.yaml": FILES["dev/web.yaml"],
        "over/kustomization.yaml": "resources: [../base]\npatches: [{path: patch.yaml}]\n",
        "over/patch.yaml": FILES["dev/web.yaml"].replace("a: b", "a: c"),
    }
    found = side(tmp_path, texts)

    for path in ("over/patch.yaml", "over/kustomization.yaml", "base/web.yaml"):
        assert [names(task) for task in tasks(found, path)] == [["web"]]


def test_only_problems_of_a_named_file_are_reported(tmp_path: Path) -> None:
    broken = "apiVersion: v1\nkind: ConfigMap\ndata: [\n"
    found = side(tmp_path, {"a/web.yaml": FILES["dev/web.yaml"], "a/b.yaml": broken})
    (one,), (other,) = tasks(found, "a/web.yaml"), tasks(found, "a/b.yaml")

    assert one.given
    assert other.given
    assert (len(one.given.problems), len(other.given.problems)) == (0, 1)


def test_a_broken_file_that_stops_argo_cd_is_reported_for_every_named_file(tmp_path: Path) -> None:
    application = (
        "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: a}\nspec: {source: {path: a}}\n"
    )
    broken = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n\t- x\n"
    found = side(tmp_path, {"a/web.yaml": FILES["dev/web.yaml"], "a/b.yaml": broken, "argo/a.yaml": application})
    (task,) = tasks(found, "a/web.yaml")

    assert task.given
    assert [one.is_fatal for one in task.given.problems] == [True]


def test_a_unit_without_objects_is_left_out(tmp_path: Path) -> None:
    assert tasks(side(tmp_path, {"a/values.yaml": "replicas: 1\n"}), "a") == []


def test_a_unit_that_cannot_be_rendered_here_is_a_problem(tmp_path: Path) -> None:
    found = side(tmp_path, {"far/kustomization.yaml": "resources: [https://example.com/x]\n"})
    (task,) = tasks(found, "")

    assert task.given
    assert [one.message.partition(":")[0] for one in task.given.problems] == ["not rendered"]


def test_a_change_is_examined_in_the_units_that_it_touches(tmp_path: Path) -> None:
    before = side(tmp_path / "before")
    after = side(tmp_path / "after", {**FILES, "dev/web.yaml": FILES["dev/web.yaml"].replace("a: b", "a: c")})
    found = Revisions(before, after, sides.differing(before, after), (units_of(before).units, units_of(after).units))
    (task,) = tasks_of_change(found, pairs := tuple(changed_pairs(found)), pairs)
    identity: Identity = ("", "ConfigMap", "", "web")

    assert (task.unit.root, task.given) == ("dev", None)
    assert task.source.base is not None
    assert [one.ref.identity for one in task.source.base.later([], False, bytes).documents] == [identity]
    assert len(task.source.definitions([("x.io/v1", "Lamp")]).objects) == 1


@pytest.mark.parametrize(
    ("path", "may_be_pruned"), [("./web", True), ("apps/web", True), ("./other", False), ("", False)]
)
def test_a_kustomization_with_another_source_may_apply_a_unit(tmp_path: Path, path: str, may_be_pruned: bool) -> None:
    kustomization = f"""\
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {{name: web, namespace: flux-system}}
spec: {{sourceRef: {{kind: OCIRepository, name: artifact}}, path: "{path}"}}
---
apiVersion: source.toolkit.fluxcd.io/v1
kind: OCIRepository
metadata: {{name: artifact, namespace: flux-system}}
spec: {{url: "oci://example.com/artifact"}}
"""
    files = {"cluster/web.yaml": kustomization, "apps/web/a.yaml": MAP.replace("NAME", "a")}
    before, after = side(tmp_path / "before", files), side(tmp_path / "after", {"cluster/web.yaml": kustomization})
    found = Revisions(before, after, sides.differing(before, after), (units_of(before).units, units_of(after).units))

    (task,) = tasks_of_change(found, pairs := tuple(changed_pairs(found)), pairs)

    assert (task.unit.root, task.may_be_pruned) == ("apps/web", may_be_pruned)


def test_flux_applies_the_folder_that_declares_a_cluster(tmp_path: Path) -> None:
    kustomization = """\
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: NAME, namespace: flux-system}
spec: {sourceRef: {kind: GitRepository, name: flux-system}, path: apps}
"""
    one, two = (f"cluster/{name}.yaml" for name in ("one", "two"))
    kept = {one: kustomization.replace("NAME", "one"), "apps/a.yaml": MAP.replace("NAME", "a")}
    before = side(tmp_path / "before", {**kept, two: kustomization.replace("NAME", "two")})
    after = side(tmp_path / "after", kept)
    found = Revisions(before, after, sides.differing(before, after), (units_of(before).units, units_of(after).units))

    tasks_found = tasks_of_change(found, pairs := tuple(changed_pairs(found)), pairs)

    assert {task.unit.root: task.may_be_pruned for task in tasks_found if task.unit.root == "cluster"} == {
        "cluster": True
    }


LISTED = {"kustomization.yaml": "resources: [config.yaml]\n", "config.yaml": MAP.replace("NAME", "config")}


@pytest.mark.parametrize(("path", "may_be_pruned"), [("./apps", True), ("./infra", False)])
def test_flux_applies_no_unlisted_folder(tmp_path: Path, path: str, may_be_pruned: bool) -> None:
    kustomization = f"""\
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {{name: apps, namespace: flux-system}}
spec: {{sourceRef: {{kind: GitRepository, name: flux-system}}, path: "{path}"}}
"""
    files = {
        "cluster/apps.yaml": kustomization,
        **{f"{one}/{file}": text for one in ("apps", "infra") for file, text in LISTED.items()},
    }
    before = side(tmp_path / "before", {**files, "apps/web/a.yaml": MAP.replace("NAME", "a")})
    after = side(tmp_path / "after", files)
    found = Revisions(before, after, sides.differing(before, after), (units_of(before).units, units_of(after).units))

    (task,) = tasks_of_change(found, pairs := tuple(changed_pairs(found)), pairs)

    assert (task.unit.root, task.may_be_pruned) == ("apps/web", may_be_pruned)


@pytest.mark.parametrize("paths", [("",), ("apps",), ("apps/web.yaml",)])
def test_each_object_that_applies_a_folder_declares_a_unit(tmp_path: Path, paths: tuple[str, ...]) -> None:
    kustomization = """\
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: apps, namespace: flux-system}
spec: {sourceRef: {kind: GitRepository, name: flux-system}, path: apps}
"""
    files = {f"clusters/{name}/apps.yaml": kustomization for name in ("prod", "staging")}
    found = side(tmp_path, {**files, "apps/web.yaml": MAP.replace("NAME", "web")})

    chosen = choose_units(found, units_of(found).units, paths)
    assert [(one.root, one.applied.cluster) for one in chosen if one.applied.declared_by] == [
        ("apps", "clusters/prod"),
        ("apps", "clusters/staging"),
    ]


RELEASE = """\
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: web, namespace: shop}
spec: {chart: {spec: {chart: charts/web, sourceRef: {kind: GitRepository, name: here}}}}
"""


@pytest.mark.parametrize("path", ["charts/web", "charts", "charts/web/Chart.yaml"])
def test_a_path_of_a_chart_selects_its_releases(tmp_path: Path, path: str) -> None:
    found = side(tmp_path, {"charts/web/Chart.yaml": "apiVersion: v2\nname: web\n", "apps/web.yaml": RELEASE})

    assert roots(found, path) == [("HelmRelease/shop/web", Form.RELEASE)]
