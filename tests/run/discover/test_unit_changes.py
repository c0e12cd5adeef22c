"""Effects of a change on each unit, on real repositories."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from kubectl_applylint.core.holes import compare_holes
from kubectl_applylint.core.problem import Problem
from kubectl_applylint.lint.model import Scenario
from kubectl_applylint.run.compare.live_source import source_of_base
from kubectl_applylint.run.discover import unit_changes
from kubectl_applylint.run.discover.revisions import Revisions
from kubectl_applylint.run.load.run_input import input_of_files
from kubectl_applylint.run.sides import sides
from kubectl_applylint.run.sides.units_of import units_of
from kubectl_applylint.sources.git import git
from kubectl_applylint.sources.text.manifests import Input
from tests.sources.render.test_kustomize import program
from tests.sources.repositories import Repo, create

pytestmark = pytest.mark.slow  # git runs in every test

APPLICATION_OF_CHART = (
    "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: app, namespace: argocd}\n"
    "spec: {source: {path: app, helm: {releaseName: web}}, destination: {namespace: shop}}\n"
)


def web(image: str = "web:1", replicas: int = 1, name: str = "web") -> str:
    return f"""\
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {name}
spec:
  replicas: {replicas}
  selector: {{matchLabels: {{app: web}}}}
  template:
    metadata: {{labels: {{app: web}}}}
    spec: {{containers: [{{name: web, image: "{image}"}}]}}
"""


@pytest.fixture(name="repo")
def _repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repo:
    for name in ("GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE"):
        monkeypatch.delenv(name, raising=False)
    repo = create(tmp_path / "repo")
    monkeypatch.chdir(repo.folder)
    return repo


def verdicts_by_unit() -> Mapping[str, Mapping[str, str]]:
    """Return the verdict of each object of each unit that differs between HEAD and the work tree."""
    return {change.unit.shown: verdicts(change) for change in changes()}


def changes(*, is_whole: bool = False, names: tuple[str, ...] = ("",)) -> Iterator[unit_changes.UnitChange]:
    repo = git.repository(".")
    assert not isinstance(repo, Problem)
    base = git.resolve(repo, "HEAD")
    assert base
    differ = frozenset(git.changed_paths(repo, base, None)) | frozenset(git.untracked_files(repo))
    before, after = sides.of_revision(repo, base, "HEAD:{}".format), sides.of_work_tree(repo)
    units = (units_of(before).units, units_of(after).units)
    found = Revisions(before, after, differ, units, names=names, is_whole=is_whole)
    pairs = tuple(unit_changes.pair_moved_units(found, tuple(unit_changes.changed_pairs(found))))
    return unit_changes.changes(found, pairs)


def verdicts(change: unit_changes.UnitChange) -> Mapping[str, str]:
    run = input_of_files([], stdin=bytes, source=source_of_base(change.base), explicit=())
    applied = {str(subject.ref): subject.predict(Scenario.APPLY).verdict.value for subject in run.subjects}
    return {**applied, **{str(document.ref): outcome.verdict.value for document, outcome in run.unapplied_outcomes}}


def test_environments_side_by_side_are_applies_of_their_own(repo: Repo) -> None:
    repo.commit({"dev/web.yaml": web(), "prod/web.yaml": web(replicas=5)})
    repo.write({"dev/web.yaml": web("web:2"), "prod/web.yaml": web("web:2", replicas=5)})

    assert verdicts_by_unit() == {
        "dev": {"deployment.apps/web": "configured"},
        "prod": {"deployment.apps/web": "configured"},
    }


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("name: web", "name: web, annotations: {a: b}"),
        ("name: web", "name: web, finalizers: [a]"),
        ("{source", "{info: [], source"),
        ("path: web", "path: ./web"),
    ],
    ids=["annotation", "finalizer", "info", "path"],
)
@pytest.mark.parametrize("options", ["", ", directory: {include: '*.yaml'}"], ids=["folder", "built"])
def test_an_application_may_change_without_any_effect(repo: Repo, old: str, new: str, options: str) -> None:
    spec = f"{{source: {{path: web{options}}}, destination: {{namespace: shop}}}}"
    item = f"apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {{name: web}}\nspec: {spec}\n"
    repo.commit({"all/web.yaml": item, "web/web.yaml": web()})
    repo.write({"all/web.yaml": item.replace(old, new, 1)})
    found = verdicts_by_unit()
    built = {name.replace("Application/web", "web"): objects for name, objects in found.items()}

    assert built == {"all": {"application.argoproj.io/web": "configured"}, "web": {}}


@pytest.mark.parametrize(
    ("names", "roots"),
    [
        (("",), ["argo", "web", "web"]),
        (("argo",), ["argo", "web", "web"]),
        (("root",), []),
        (("web",), ["web", "web"]),
    ],
)
def test_a_replaced_application_is_in_the_paths_that_are_examined(
    repo: Repo, names: tuple[str, ...], roots: list[str]
) -> None:
    head = "apiVersion: argoproj.io/v1alpha1\nkind: Application\n"
    spec = "spec: {source: {path: %s}, destination: {namespace: shop}, syncPolicy: {automated: {prune: true}}}\n"
    metadata = "metadata: {name: web, finalizers: [resources-finalizer.argocd.argoproj.io]}\n"
    application = head + metadata + spec % "web"
    root = f"{head}metadata: {{name: root}}\n{spec % 'argo'}"
    repo.commit({"root/root.yaml": root, "argo/web.yaml": application, "web/web.yaml": web()})
    repo.write({"argo/web.yaml": application.replace("name: web", "name: site")})

    assert [change.unit.root for change in changes(names=names)] == roots


@pytest.mark.parametrize("name", ["argo", "argo/web.yaml"])
@pytest.mark.parametrize(
    ("old", "new", "roots"),
    [
        ("namespace: shop", "namespace: site", ["argo", "web"]),
        ("apiVersion", "# a comment\napiVersion", []),
    ],
    ids=["its namespace changes", "nothing changes"],
)
def test_a_changed_application_is_examined_with_the_objects_in_its_path(
    repo: Repo, name: str, old: str, new: str, roots: list[str]
) -> None:
    application = (
        "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: web}\n"
        "spec: {source: {path: web}, destination: {namespace: shop}}\n"
    )
    repo.commit({"argo/web.yaml": application, "web/web.yaml": web()})
    repo.write({"argo/web.yaml": application.replace(old, new), "web/web.yaml": web(replicas=5)})

    assert [change.unit.root for change in changes(names=(name,))] == roots


def test_each_overlay_of_a_base_is_an_apply(repo: Repo) -> None:
    repo.commit(
        {
            "base/kustomization.yaml": "resources:\n- web.yaml\n",
            "base/web.yaml": web(),
            "a/kustomization.yaml": "resources:\n- ../base\n",
            "b/kustomization.yaml": "resources:\n- ../base\nnamePrefix: b-\n",
        }
    )
    repo.write({"base/web.yaml": web("web:2")})

    assert verdicts_by_unit() == {
        "a": {"deployment.apps/web": "configured"},
        "b": {"deployment.apps/b-web": "configured"},
    }


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({"a.yaml": web(), "b.yaml": web(name="other")}, {"a.yaml": web("web:2"), "b.yaml": web(name="other")}),
        (
            {"kustomization.yaml": "resources: [a.yaml]\n", "a.yaml": web()},
            {"kustomization.yaml": "resources: [a.yaml]\n", "a.yaml": web("web:2")},
        ),
    ],
    ids=["folder", "kustomization"],
)
def test_a_root_may_move(repo: Repo, before: Mapping[str, str], after: Mapping[str, str]) -> None:
    repo.commit({f"old/{path}": text for path, text in before.items()})
    repo.write({f"old/{path}": None for path in before} | {f"new/place/{path}": text for path, text in after.items()})

    assert verdicts_by_unit() == {"new/place": {"deployment.apps/web": "configured"}}


def test_a_root_may_move_to_a_folder_that_had_no_objects(repo: Repo) -> None:
    repo.commit({"app/kustomization.yaml": "resources: [web.yaml]\n", "app/web.yaml": web(), "values.yaml": "a: b\n"})
    moved = "resources: [app/web.yaml]\n"
    repo.write({"app/kustomization.yaml": None, "kustomization.yaml": moved, "app/web.yaml": web("web:2")})

    assert verdicts_by_unit() == {".": {"deployment.apps/web": "configured"}}


def test_a_root_that_comes_with_few_of_the_objects_is_another_one(repo: Repo) -> None:
    repo.commit({"old/a.yaml": web(), "old/b.yaml": web(name="b"), "old/c.yaml": web(name="c")})
    repo.write({"old/a.yaml": None, "old/b.yaml": None, "old/c.yaml": None, "new/a.yaml": web()})

    assert verdicts_by_unit() == {
        "new": {"deployment.apps/web": "created"},
        "old": {f"deployment.apps/{name}": "kept" for name in ("web", "b", "c")},
    }


def test_a_new_environment_is_no_moved_one(repo: Repo) -> None:
    base = {"base/kustomization.yaml": "resources: [web.yaml]\n", "base/web.yaml": web()}
    overlay = "resources: [../base]\nnamespace: {}\n"
    repo.commit({**base, "blue/kustomization.yaml": overlay.format("blue")})
    repo.write({"blue/kustomization.yaml": None, "green/kustomization.yaml": overlay.format("green")})

    assert verdicts_by_unit() == {"blue": {"deployment.apps/web": "kept"}, "green": {"deployment.apps/web": "created"}}


def test_a_root_that_another_kustomization_takes_in_loses_nothing(repo: Repo) -> None:
    own = {"app/kustomization.yaml": "resources: [web.yaml]\n", "app/web.yaml": web()}
    repo.commit(
        {
            **own,
            "all/kustomization.yaml": "resources: [cm.yaml]\n",
            "all/cm.yaml": "{kind: ConfigMap, apiVersion: v1, metadata: {name: c}}",
        }
    )
    taken_in = "resources: [cm.yaml, ../app, https://example.com/far.yaml]\n"
    repo.write({"all/kustomization.yaml": taken_in, "app/web.yaml": web("web:2")})

    assert verdicts_by_unit() == {
        "all": {"deployment.apps/web": "created"},
        "app": {"deployment.apps/web": "configured"},
    }


def test_a_kustomization_that_becomes_a_root_was_there_before(repo: Repo) -> None:
    own = {"app/kustomization.yaml": "resources: [web.yaml]\n", "app/web.yaml": web()}
    repo.commit({**own, "all/kustomization.yaml": "resources: [../app]\n"})
    repo.write({"all/kustomization.yaml": None, "app/web.yaml": web("web:2")})

    assert verdicts_by_unit()["app"] == {"deployment.apps/web": "configured"}


def test_objects_removed_from_a_unit_stay_in_the_cluster(repo: Repo) -> None:
    repo.commit({"app/a.yaml": web(), "app/b.yaml": web(name="old")})
    repo.write({"app/b.yaml": None})

    assert verdicts_by_unit() == {"app": {"deployment.apps/old": "kept"}}


def test_alternatives_of_a_folder_are_units(repo: Repo) -> None:
    repo.commit({"install.yaml": web(), "install-ha.yaml": web(replicas=3)})
    repo.write({"install-ha.yaml": web("web:2", replicas=3)})

    assert verdicts_by_unit() == {"install-ha.yaml": {"deployment.apps/web": "configured"}}


def test_alternatives_with_actions_in_their_values_are_units(repo: Repo) -> None:
    repo.commit({"one.yaml": web("web:{{ version }}"), "two.yaml": web("web:{{ version }}", replicas=3)})
    repo.write({"two.yaml": web("other:{{ version }}", replicas=3)})

    assert verdicts_by_unit() == {"two.yaml": {"deployment.apps/web": "configured"}}


def test_unchanged_objects_are_not_reported(repo: Repo) -> None:
    repo.commit({"app/all.yaml": f"{web()}---\n{web(name='other')}"})
    repo.write({"app/all.yaml": f"{web('web:2')}---\n{web(name='other')}"})

    assert verdicts_by_unit() == {"app": {"deployment.apps/web": "configured"}}


def test_an_object_that_a_file_holds_twice_as_before_is_as_it_was(repo: Repo) -> None:
    repo.commit({"app/all.yaml": f"{web()}---\n{web(replicas=2)}---\n{web(name='other')}"})
    repo.write({"app/all.yaml": f"{web()}---\n{web(replicas=2)}---\n{web('web:2', name='other')}"})

    assert verdicts_by_unit() == {"app": {"deployment.apps/other": "configured"}}


def test_an_object_in_a_version_that_servers_have_lost_was_never_made(repo: Repo) -> None:
    repo.commit({"app/a.yaml": web().replace("apps/v1", "extensions/v1beta1")})
    repo.write({"app/a.yaml": web()})

    assert verdicts_by_unit() == {"app": {"deployment.apps/web": "created"}}


def test_a_new_file_is_part_of_its_folder(repo: Repo) -> None:
    repo.commit({"app/a.yaml": web()})
    repo.write({"app/b.yaml": web(name="new"), "README.md": "x"})

    assert verdicts_by_unit() == {"app": {"deployment.apps/new": "created"}}


def test_objects_of_an_earlier_invalid_file_are_created(repo: Repo) -> None:
    repo.commit({"app/a.yaml": f"{web()}---\na:\n  b\n    c: d\n", "app/b.yaml": web(name="other")})
    repo.write({"app/a.yaml": web(), "app/b.yaml": web("web:2", name="other")})

    assert verdicts_by_unit() == {"app": {"deployment.apps/web": "created", "deployment.apps/other": "configured"}}


def test_an_item_of_a_list_without_a_kind_leaves_the_others_as_they_were_made(repo: Repo) -> None:
    item = web().replace("\n", "\n  ")
    listed = f"apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  metadata: {{name: a}}\n- {item}"
    repo.commit({"app/web.yaml": listed})
    repo.write({"app/web.yaml": listed.replace("web:1", "web:2")})

    assert verdicts_by_unit() == {"app": {"deployment.apps/web": "configured"}}


def test_a_kustomization_that_was_broken_before_is_a_problem_of_a_change_that_touches_it(repo: Repo) -> None:
    same = "resources: [a.yaml, b.yaml]\n"
    repo.commit({"app/kustomization.yaml": same, "app/a.yaml": web(), "app/b.yaml": web()})
    repo.write({"app/a.yaml": web("web:2")})
    (change,) = changes()

    (problem,) = change.base.later([], False, bytes).problems
    assert problem.is_unchanged
    assert change.base.given.problems == ()


@pytest.mark.parametrize(
    ("declaring", "is_unchanged"),
    [
        pytest.param({}, False, id="its values are not known"),
        pytest.param({"argo/app.yaml": APPLICATION_OF_CHART}, True, id="of an Application"),
    ],
)
def test_a_chart_that_fails_as_before_is_unchanged_if_its_values_are_known(
    repo: Repo, monkeypatch: pytest.MonkeyPatch, declaring: Mapping[str, str], is_unchanged: bool
) -> None:
    (repo.folder / "bin").mkdir()
    program(repo.folder, "helm", "echo 'Error: execution error at (app/templates/a.yaml:1:3): no a' >&2; exit 1")
    monkeypatch.setenv("PATH", f"{repo.folder / 'bin'}:/usr/bin:/bin")
    chart = {"app/Chart.yaml": "apiVersion: v2\nname: app\nversion: 1.0.0\n"}
    repo.commit({**chart, **declaring, "app/templates/a.yaml": "{{ required .Values.a }}"})
    repo.write({"app/templates/a.yaml": "{{ required .Values.a }}\n"})
    problems = [one for change in changes() for one in change.base.later([], False, bytes).problems]

    assert [one.is_unchanged for one in problems] == [is_unchanged]


@pytest.mark.parametrize(
    ("entry", "is_changed"),
    [
        pytest.param("patches: [{path: missing.yaml}]", True, id="a patch is missing"),
        pytest.param("components: ['https://example.com/x']", True, id="a remote component"),
        pytest.param("bases: ['https://example.com/x']", False, id="a remote base"),
    ],
)
def test_a_kustomization_with_a_hole_is_compared_without_it(repo: Repo, entry: str, is_changed: bool) -> None:
    repo.commit({"app/kustomization.yaml": f"resources: [a.yaml]\n{entry}\n", "app/a.yaml": web()})
    repo.write({"app/a.yaml": web("web:2")})
    (change,) = changes()
    was, now = change.base.given, change.base.later([], False, bytes)

    assert [one.is_changed for one in compare_holes(was.holes, now.holes)] == [is_changed]
    assert verdicts(change) == {"deployment.apps/web": "configured"}


@pytest.mark.parametrize(
    ("spec", "root"),
    [
        pytest.param("source: {path: app}", "app", id="a folder"),
        pytest.param("source: {path: app, directory: {recurse: true, exclude: x.yaml}}", "built", id="with options"),
    ],
)
def test_argo_cd_applies_nothing_of_a_folder_with_a_broken_manifest(repo: Repo, spec: str, root: str) -> None:
    application = f"apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {{name: built}}\nspec: {{{spec}}}\n"
    repo.commit({"argo/app.yaml": application, "app/a.yaml": web(), "app/b.yaml": web(name="b")})
    repo.write({"app/a.yaml": web("web:2"), "app/b.yaml": web(name="b") + "\t- x\n"})
    (change,) = changes()

    (problem,) = change.base.later([], False, bytes).problems
    assert (change.unit.root.rpartition("/")[2], problem.is_fatal) == (root, True)
    assert verdicts(change) == {}


@pytest.mark.parametrize("broken", ["apiVersion: v1\nkind: ConfigMap\nmetadata:\n\t- x\n", "{"])
def test_a_folder_of_argo_cd_that_is_broken_in_both_revisions_is_unchanged(repo: Repo, broken: str) -> None:
    name = "b.json" if broken == "{" else "b.yaml"
    application = (
        "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: a}\nspec: {source: {path: app}}\n"
    )
    repo.commit({"argo/app.yaml": application, "app/a.yaml": web(), f"app/{name}": broken})
    repo.write({"app/a.yaml": web("web:2"), f"app/{name}": f"{broken} "})
    (change,) = changes()

    assert [one.is_unchanged for one in change.base.later([], False, bytes).problems] == [True]
    assert verdicts(change) == {}


@pytest.mark.parametrize(
    "declaring",
    [
        pytest.param(
            "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: a}\nspec: {source: {path: app}}\n",
            id="Argo CD",
        ),
        pytest.param(
            "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: a, namespace: flux}\n"
            "spec: {path: ./app, prune: true, sourceRef: {kind: GitRepository, name: flux}}\n",
            id="Flux",
        ),
    ],
)
@pytest.mark.parametrize("later", [pytest.param(web("web:2"), id="changed"), pytest.param(None, id="deleted")])
def test_an_unchanged_broken_manifest_prevents_the_apply_of_its_folder(
    repo: Repo, declaring: str, later: str | None
) -> None:
    broken = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n\t- x\n"
    repo.commit({"clusters/app.yaml": declaring, "app/a.yaml": web(), "app/b.yaml": broken})
    repo.write({"app/a.yaml": later})
    (change,) = changes()

    assert [one.is_unchanged for one in change.base.later([], False, bytes).problems] == [True]
    assert verdicts(change) == {}


def test_a_change_that_mends_a_kustomization_is_complete(repo: Repo) -> None:
    broken = "resources: [web.yaml]\npatches: [{path: missing.yaml}]\n"
    repo.commit({"app/kustomization.yaml": broken, "app/web.yaml": web()})
    repo.write({"app/kustomization.yaml": "resources: [web.yaml]\n"})
    (change,) = changes()

    assert change.base.lacking == ()
    assert change.base.doubt == ""
    assert compare_holes(change.base.given.holes, change.base.later([], False, bytes).holes) == ()
    assert verdicts(change) == {}


def test_a_file_that_held_objects_has_no_excuse_in_another_unit(repo: Repo) -> None:
    repo.commit({"app/a.yaml": web(), "app/b.yaml": web(name="b")})
    repo.write({"app/Chart.yaml": "apiVersion: v2\nname: c\nversion: 1.0.0\n", "app/b.yaml": "a: b\n"})

    assert "app/b.yaml" in {file for change in changes() for file in change.base.manifests}


@pytest.mark.parametrize("kustomization", [{}, {"app/kustomization.yaml": "resources: [a.yaml, b.yaml]\n"}])
def test_a_whole_unit_has_its_unchanged_objects_on_both_sides(repo: Repo, kustomization: Mapping[str, str]) -> None:
    repo.commit({"app/a.yaml": web(name="a"), "app/b.yaml": web(name="b"), "other/c.yaml": web(), **kustomization})
    repo.write({"app/b.yaml": web(name="b", replicas=2)})

    (part,), (whole,) = changes(), changes(is_whole=True)
    assert [*map(names, sides_of(part))] == [["b"], ["b"]]
    assert [*map(names, sides_of(whole))] == [["a", "b"], ["a", "b"]]
    assert (part.base.is_applied, whole.base.is_applied) == (True, False)


APPS = """\
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: apps, namespace: flux-system}
spec: {path: apps, interval: 1h, patches: [], sourceRef: {kind: GitRepository, name: flux-system}}
"""


@pytest.mark.parametrize(
    ("was", "now"),
    [("interval: 1h", "interval: 1h, dependsOn: [{name: db}]"), ("name: apps,", "name: apps, labels: {a: b},")],
)
def test_an_edit_of_a_kustomization_that_changes_no_object_is_a_unit_without_objects(
    repo: Repo, was: str, now: str
) -> None:
    repo.commit({"clusters/apps.yaml": APPS, "apps/kustomization.yaml": "resources: [none.yaml]\n"})
    repo.write({"clusters/apps.yaml": APPS.replace(was, now)})
    (kustomized,) = (change for change in changes() if change.unit.root == "apps")

    assert verdicts(kustomized) == {}
    # Neither side is rendered.
    assert kustomized.base.lacking == kustomized.base.later([], False, bytes).problems == ()


def test_a_whole_unit_without_a_changed_object_is_left_out(repo: Repo) -> None:
    repo.commit({"app/a.yaml": web(name="a")})
    repo.write({"app/a.yaml": "# a comment\n" + web(name="a")})

    assert [*changes(is_whole=True)] == []


def sides_of(change: unit_changes.UnitChange) -> tuple[Input, Input]:
    return change.base.given, change.base.later([], False, bytes)


def names(given: Input) -> list[str]:
    return [document.ref.name for document in given.documents]


@pytest.mark.parametrize("file", ["settings/a.yaml", "apps/web.yaml"])
def test_values_that_a_release_of_an_own_chart_reads_are_a_change_of_it(file: str, repo: Repo) -> None:
    chart = "chart: {spec: {chart: chart, sourceRef: {kind: GitRepository, name: here}}}"
    head = "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: web, namespace: shop}\n"
    settings = (
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings, namespace: shop}\ndata: {values.yaml: 'a: %s'}\n"
    )
    release = f"{head}spec: {{{chart}, valuesFrom: [{{kind: ConfigMap, name: settings}}]}}\n---\n"
    files = {"chart/Chart.yaml": "apiVersion: v2\nname: web\nversion: 1.0.0\n", "apps/web.yaml": release}
    repo.commit({**files, file: f"{files.get(file, '')}{settings % 1}"})
    repo.write({file: f"{files.get(file, '')}{settings % 2}"})

    folder = file.partition("/")[0]
    assert [change.unit.root for change in changes()] == ["HelmRelease/shop/web", folder]


APPLICATION = """\
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: %s, namespace: argocd}
spec:
  source: {%s}
  destination: {name: in-cluster, namespace: shop}
---
"""
CHART = "repoURL: https://example.com/charts, chart: web, targetRevision: %s"


@pytest.mark.parametrize(
    ("source", "roots"),
    [
        (CHART % "1.0.0", ["Application/argocd/api", "apps"]),
        (
            "repoURL: https://example.com/here.git, path: apps, plugin: {name: x}",
            ["Application/argocd/api", "Application/argocd/web"],
        ),
    ],
    ids=["chart", "its own file"],
)
def test_an_application_beside_a_changed_one_is_unchanged(source: str, roots: list[str], repo: Repo) -> None:
    web, api = APPLICATION % ("web", source), APPLICATION % ("api", CHART)
    repo.git("remote", "add", "origin", "https://example.com/here.git")
    repo.commit({"apps/all.yaml": web + api % "1.0.0"})
    repo.write({"apps/all.yaml": web + api % "2.0.0"})

    assert [change.unit.root for change in changes()] == roots
