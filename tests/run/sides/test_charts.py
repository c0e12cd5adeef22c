"""Charts on both sides of a change, on a real repository."""

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.state import Unknown
from kubectl_applylint.run.compare.live_source import no_live_source
from kubectl_applylint.run.discover.revisions import Revisions
from kubectl_applylint.run.discover.unit_changes import changed_pairs, changes
from kubectl_applylint.run.discover.unit_tasks import choose_units, task_maker
from kubectl_applylint.run.sides import sides
from kubectl_applylint.run.sides.side import Side
from kubectl_applylint.run.sides.units_of import units_of
from kubectl_applylint.sources.git import git
from kubectl_applylint.sources.git.git import Repository
from kubectl_applylint.sources.store import store
from kubectl_applylint.sources.store.chart_source import ChartSource, SourceKind
from kubectl_applylint.sources.store.store_place import Store, use_store
from kubectl_applylint.sources.text.manifests import Input
from kubectl_applylint.units.model import Form
from kubectl_applylint.units.pairs import Pair
from tests.run.compare.test_history import settings, verdicts
from tests.run.sides.test_kustomize_roots import run_input
from tests.sources.render.test_kustomize import program
from tests.sources.repositories import Repo, create
from tests.sources.store.packed import packed_chart

pytestmark = pytest.mark.slow  # git runs in every test

HELM = r"""
for file in $(echo "$@" | grep -o -e '--values=[^ ]*'); do echo ---; cat "${file#--values=}"; done
for folder in "$@"; do :; done
cd "$folder" && for file in templates/*.yaml; do echo ---; echo "# Source: shop/$file"; cat "$file"; done
"""
PRINTED = "kind: ConfigMap\napiVersion: v1\nmetadata:\n  name:"
BEFORE = {
    "deploy/shop/Chart.yaml": "name: shop\n",
    "deploy/shop/templates/one.yaml": settings("one"),
    "deploy/more.yaml": settings("more"),
    "plain.yaml": settings("plain"),
}


@pytest.fixture(name="repo")
def _repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repo:
    """A chart, and a program that prints its templates as they are, and its values for manifests."""
    repo = create(tmp_path / "repo")
    repo.commit(BEFORE)
    monkeypatch.chdir(repo.folder / "deploy")
    (tmp_path / "bin").mkdir()
    program(tmp_path, "helm", HELM)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/usr/bin:/bin")
    return repo


def test_a_chart_is_rendered_on_both_sides(repo: Repo) -> None:
    repo.commit({"deploy/shop/templates/one.yaml": settings("one", "c")})
    repo.commit({"deploy/shop/templates/one.yaml": settings("one", "d")})
    sides = ("HEAD~2", "HEAD~2..HEAD~1", "HEAD")

    assert [verdicts(run_input(side, "helm:shop")) for side in sides] == [
        {"shop/templates/one.yaml:1:1": "configured"},
        {"shop/templates/one.yaml:1:1": "configured"},
        {},
    ]
    assert run_input("HEAD~2", "helm:shop").past[0].file == "HEAD~2:deploy/shop/templates/one.yaml"


@pytest.mark.parametrize(
    ("file", "verdict"),
    [
        pytest.param("deploy/more.yaml", "configured", id="values"),
        pytest.param("deploy/shop/templates/new.yaml", "created", id="a file that git does not track yet"),
    ],
)
def test_a_chart_changes_with_all_that_it_is_made_of(repo: Repo, file: str, verdict: str) -> None:
    repo.write({file: settings("more" if "more" in file else "new", "c")})

    assert verdict in verdicts(run_input("HEAD", "helm:shop:more.yaml")).values()


def test_values_outside_of_the_repository_are_the_current_ones(repo: Repo, tmp_path: Path) -> None:
    (tmp_path / "far.yaml").write_text(settings("far"))
    repo.write({"deploy/shop/templates/one.yaml": settings("one", "c")})

    assert list(verdicts(run_input("HEAD", f"helm:shop:{tmp_path / 'far.yaml'}")).values()) == [
        "unchanged",
        "configured",
    ]


@pytest.mark.parametrize(("tool", "name"), [("helm", "no-hooks"), ("argocd", "hooks")])
def test_hooks_are_rendered_for_argo_cd(repo: Repo, tmp_path: Path, tool: str, name: str) -> None:
    program(tmp_path, "helm", f"name=hooks; case $* in *--no-hooks*) name=no-hooks;; esac; echo '{PRINTED}' $name")
    side = sides.of_folder(str(repo.folder / "deploy"))
    unit = next(one for one in units_of(side).units if one.form is Form.CHART)

    found = side.chart(replace(unit, applied=replace(unit.applied, tool=tool)))
    assert [one.ref.name for one in found.documents] == [name]


def test_a_new_chart_makes_everything(repo: Repo) -> None:
    repo.write({"deploy/late/Chart.yaml": "name: late\n", "deploy/late/templates/one.yaml": settings("late")})

    assert list(verdicts(run_input("HEAD", "helm:late")).values()) == ["created"]


def test_a_chart_of_no_repository_leaves_doubt(repo: Repo, tmp_path: Path) -> None:
    (tmp_path / "far" / "templates").mkdir(parents=True)
    (tmp_path / "far" / "templates" / "far.yaml").write_text(settings("far"))
    (subject,) = run_input("HEAD", f"helm:{tmp_path / 'far'}").subjects

    assert isinstance(subject.state.live, Unknown)
    assert "which is outside this repository" in subject.state.live.reason


CHART = "apiVersion: v2\nname: shop\nversion: 0.1.0\n"
WEB = """\
apiVersion: v1
kind: ConfigMap
metadata: {{name: {name}, namespace: "{{{{ .Release.Namespace }}}}"}}
data:
  color: {{{{ .Values.color }}}}
  kubernetes: "{{{{ .Capabilities.KubeVersion.Version }}}}"
"""
SHOP = {
    "shop/Chart.yaml": CHART,
    "shop/values.yaml": "color: red\n",
    "shop/values-prod.yaml": "color: blue\n",
    "shop/templates/web.yaml": WEB.format(name="web"),
    "shop/templates/hook.yaml": WEB.format(name="job").replace(
        "metadata: {", "metadata: {annotations: {helm.sh/hook: test}, "
    ),
}


@pytest.fixture(name="real")
def _real(tmp_path: Path, helm: Path, monkeypatch: pytest.MonkeyPatch) -> Repo:
    """An empty repository, and the real Helm."""
    repo = create(tmp_path / "repo")
    monkeypatch.chdir(repo.folder)
    monkeypatch.setenv("PATH", f"{helm.parent}:/usr/bin:/bin")
    return repo


def repository() -> Repository:
    found = git.repository(".")
    assert not isinstance(found, Problem)
    return found


def on(side: Side) -> Mapping[str, Input | str]:
    return {unit.shown: side.chart(unit) for unit in units_of(side).units if unit.form is Form.CHART}


def colors(found: Mapping[str, Input | str]) -> Mapping[str, object]:
    """Return the data of the only object of each chart, or why it is not rendered."""
    return {
        name: one if isinstance(one, str) else [document.object["data"]["color"] for document in one.documents]
        for name, one in found.items()
    }


def compare_head() -> tuple[Revisions, tuple[Pair, ...]]:
    """Return HEAD and the work tree, and the units that differ between them."""
    repo = repository()
    base = git.resolve(repo, "HEAD")
    assert base
    before, after = sides.of_revision(repo, base, lambda path: f"HEAD:{path}"), sides.of_work_tree(repo)
    differ = frozenset(git.changed_paths(repo, base, None)) | frozenset(git.untracked_files(repo))
    found = Revisions(before, after, differ, (units_of(before).units, units_of(after).units))
    return found, tuple(changed_pairs(found))


def changed_names() -> Mapping[str, list[str]]:
    """Return the names of the objects to examine in each unit."""
    every = changes(*compare_head())
    return {one.unit.shown: [doc.ref.name for doc in one.base.later([], False, bytes).documents] for one in every}


def test_a_chart_is_rendered_with_its_values_and_with_each_file_beside_them(real: Repo) -> None:
    real.commit(SHOP)
    head = git.resolve(repository(), "HEAD")
    assert head
    expected = {"shop": ["red"], "shop (values-prod.yaml)": ["blue"]}

    assert colors(on(sides.of_work_tree(repository()))) == expected
    assert colors(on(sides.of_revision(repository(), head, str))) == expected
    assert colors(on(sides.of_folder(str(real.folder)))) == expected


def test_an_object_stands_in_its_template(real: Repo) -> None:
    real.commit(SHOP)
    found = on(sides.of_work_tree(repository()))["shop"]
    assert isinstance(found, Input)
    (document,) = found.documents

    assert document.file == "shop/templates/web.yaml"
    assert document.object["metadata"]["namespace"] == "default"
    assert document.object["data"]["kubernetes"].startswith("v1.3")
    assert [*found.texts] == ["shop/templates/web.yaml"]


def problems() -> list[str]:
    """Return what each side of each unit that differs could not read."""
    bases = [one.base for one in changes(*compare_head())]
    found = [each.problems for base in bases for each in (base.later([], False, bytes), base.given)]
    return [f"{one.where}: {one.message}" for each in found for one in each]


def test_each_set_of_values_is_compared_by_itself(real: Repo) -> None:
    real.commit(SHOP)
    real.write({"shop/values-prod.yaml": "color: green\n"})
    only_values = changed_names()
    real.write({"shop/values.yaml": "color: black\n"})

    assert only_values == {"shop (values-prod.yaml)": ["web"]}
    assert changed_names() == {"shop": ["web"], "shop (values-prod.yaml)": ["web"]}


def test_a_chart_that_cannot_be_rendered_is_a_problem(real: Repo) -> None:
    real.commit({**SHOP, "shop/values-prod.yaml": None})
    real.write({"shop/templates/web.yaml": '{{ fail "no luck" }}\n'})
    later = (changed_names(), problems())
    real.git("commit", "-qam", "x")
    real.write({"shop/templates/web.yaml": WEB.format(name="web")})
    reason = "it cannot be rendered: Error: execution error at (shop/templates/web.yaml:1:3): no luck"

    assert later == ({"shop": []}, [f"shop/Chart.yaml: {reason}"])
    assert changed_names() == {"shop": ["web"]}
    assert problems() == [f"HEAD:shop/Chart.yaml: {reason}"]


def test_without_helm_a_changed_chart_is_a_problem(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    repo.write({"deploy/shop/templates/one.yaml": settings("one", "c")})
    monkeypatch.setenv("PATH", "/usr/bin:/bin")

    missing = "shop/Chart.yaml: not rendered: rendering a chart requires helm, which was not found on the PATH"
    assert [one.removeprefix("deploy/") for one in problems()] == [missing, f"HEAD:deploy/{missing}"]


def test_a_chart_is_made_of_links_and_of_others_that_it_needs_by_path(real: Repo) -> None:
    (real.folder / "shop").mkdir(parents=True)
    (real.folder / "shop/values.yaml").symlink_to("../colors.yaml")
    library = "apiVersion: v2\nname: common\nversion: 0.1.0\ntype: library\n"
    needs = "dependencies: [{name: common, version: 0.1.0, repository: 'file://../common'}]\n"
    real.commit(
        {
            "shop/Chart.yaml": CHART + needs,
            "shop/templates/web.yaml": '{{ include "web" . }}\n',
            "common/Chart.yaml": library,
            "common/templates/_web.tpl": f'{{{{ define "web" }}}}\n{WEB.format(name="web")}{{{{ end }}}}\n',
            "colors.yaml": "color: grey\n",
        }
    )
    real.write({"common/templates/_web.tpl": None})
    head = git.resolve(repository(), "HEAD")
    assert head

    assert colors(on(sides.of_revision(repository(), head, str))) == {"shop": ["grey"]}
    assert 'no template "web"' in str(on(sides.of_work_tree(repository()))["shop"])


def test_a_chart_whose_values_are_a_link_out_of_the_repository_is_not_rendered(real: Repo) -> None:
    application = "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: shop, namespace: argocd}\n"
    source = "spec: {source: {path: shop, helm: {valueFiles: [../more.yaml]}}, destination: {name: prod}}\n"
    (real.folder / "more.yaml").symlink_to("../outside.yaml")
    real.commit(
        {"shop/Chart.yaml": CHART, "shop/templates/web.yaml": WEB.format(name="web"), "app.yaml": application + source}
    )
    found = str([*on(sides.of_work_tree(repository())).values()])

    assert "its values file more.yaml: a symlink that leads to no file of the repository" in found


def test_a_lookup_is_reported(real: Repo) -> None:
    web = WEB.format(name="web") + '{{ if lookup "v1" "Secret" "a" "b" }}\n  more: x\n{{ end }}\n'
    real.commit({"shop/Chart.yaml": CHART, "shop/templates/web.yaml": web})
    found = on(sides.of_work_tree(repository()))["shop"]
    assert isinstance(found, Input)

    assert found.remarks == (
        ("shop/templates/web.yaml", "lookup finds nothing here: the chart is rendered as for an empty cluster"),
    )


def test_values_that_each_rendering_draws_are_no_difference(real: Repo) -> None:
    drawn = WEB.format(name="web") + "  password: {{ randAlphaNum 20 }}\n  started: {{ now | unixEpoch | quote }}\n"
    real.commit({"shop/Chart.yaml": CHART, "shop/values.yaml": "color: red\n", "shop/templates/web.yaml": drawn})
    real.write({"shop/Chart.yaml": f"{CHART}description: x\n"})
    alike = changed_names()
    real.write({"shop/values.yaml": "color: blue\n"})
    (change,) = changes(*compare_head())
    (earlier,), (later,) = change.base.given.documents, change.base.later([], False, bytes).documents

    assert alike == {}
    assert {key for key, value in later.object["data"].items() if earlier.object["data"][key] != value} == {"color"}
    assert [words for _, words in change.base.later([], False, bytes).remarks if "at random" in words]


RELEASE = """\
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: web, namespace: shop}
spec: {chart: {spec: {chart: shop, sourceRef: {kind: GitRepository, name: here}}}, values: {color: red}}
"""


def test_values_that_each_rendering_of_a_release_draws_are_no_difference(real: Repo) -> None:
    drawn = WEB.format(name="web") + "  password: {{ randAlphaNum 20 }}\n"
    real.commit({"shop/Chart.yaml": CHART, "shop/templates/web.yaml": drawn, "release.yaml": RELEASE})
    real.write({"release.yaml": RELEASE.replace("red", "blue")})

    (change,) = (one for one in changes(*compare_head()) if one.unit.form is Form.RELEASE)
    (earlier,), (later,) = change.base.given.documents, change.base.later([], False, bytes).documents
    assert {key for key, value in later.object["data"].items() if earlier.object["data"][key] != value} == {"color"}


def test_a_dependency_comes_from_the_store(real: Repo, tmp_path: Path) -> None:
    listed = "dependencies: [{name: db, version: 1.x, repository: https://x.io}]\n"
    real.commit({"shop/Chart.yaml": f"{CHART}{listed}", "shop/templates/web.yaml": WEB.format(name="web")})

    with use_store(Store(str(tmp_path / "store"))):
        store.add(ChartSource(SourceKind.HELM, "https://x.io", "db", "1.x"), packed_chart("db"))
        found = on(sides.of_work_tree(repository()))["shop"]
    assert isinstance(found, Input)
    assert ([one.ref.name for one in found.documents], found.holes) == (["shop", "web"], ())


def test_the_text_of_a_chart_without_a_dependency_is_its_own(real: Repo, tmp_path: Path) -> None:
    listed = "".join(f"- {{name: {name}, version: 1.x, repository: https://x.io}}\n" for name in ("db", "absent"))
    chart = f"{CHART}dependencies:\n{listed}"
    real.commit({"shop/Chart.yaml": chart, "shop/templates/web.yaml": WEB.format(name="web")})

    with use_store(Store(str(tmp_path / "store"))):
        store.add(ChartSource(SourceKind.HELM, "https://x.io", "db", "1.x"), packed_chart("db"))
        found = on(sides.of_work_tree(repository()))["shop"]
    assert isinstance(found, Input)
    assert len(found.holes) == 1
    assert [text for file, text in found.texts.items() if file.endswith("Chart.yaml")] == [chart]


def test_a_schema_reaches_nothing(real: Repo) -> None:
    schema = '{"properties": {"color": {"$ref": "file://%s/secret.json"}}}'
    (real.folder.parent / "secret.json").write_text('{"type": "number"}')
    real.commit({**SHOP, "shop/values.schema.json": schema % real.folder.parent})

    assert colors(on(sides.of_work_tree(repository())))["shop"] == ["red"]


def test_a_plugin_of_the_user_is_not_started(real: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plugin = tmp_path / "plugins/x"
    plugin.mkdir(parents=True)
    started = f"name: x\nversion: 0.1.0\nusage: x\ncommand: touch {tmp_path}/started\n"
    (plugin / "plugin.yaml").write_text(f"{started}hooks: {{}}\ndownloaders: []\n")
    monkeypatch.setenv("HELM_PLUGINS", str(plugin.parent))
    monkeypatch.setenv("HELM_NAMESPACE", "other")
    real.commit(SHOP)
    found = on(sides.of_work_tree(repository()))["shop"]

    assert isinstance(found, Input)
    assert found.documents[0].object["metadata"]["namespace"] == "default"
    assert not os.path.exists(tmp_path / "started")


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        pytest.param(["shop/values.yaml"], {"shop": ["web", "other"]}, id="values"),
        pytest.param(["shop/templates/web.yaml"], {"shop": ["web"]}, id="a template"),
        pytest.param(["shop/templates/web.yaml", "shop/Chart.yaml"], {"shop": ["web", "other"]}, id="both"),
        pytest.param(["shop"], {"shop": ["web", "other"]}, id="the chart"),
    ],
)
def test_named_files_choose_the_chart_and_its_objects(
    real: Repo, names: list[str], expected: dict[str, list[str]]
) -> None:
    more = {"shop/templates/xother.yaml": WEB.format(name="other"), "shop/values-prod.yaml": None}
    real.commit({**SHOP, "shop/values.yaml": "color: red\n"})
    real.commit(more)
    side = sides.of_work_tree(repository())
    task_of = task_maker(side, names, lambda unit: no_live_source())
    tasks = filter(None, map(task_of, choose_units(side, units_of(side).units, names)))

    assert {task.unit.shown: [one.ref.name for one in task.given.documents] for task in tasks if task.given} == expected


APPLICATION = """\
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: web}
spec:
  source: {path: shop, helm: {releaseName: own, valueFiles: [../envs/prod.yaml], valuesObject: {size: %s}}}
  destination: {namespace: prod}
"""
OF_APPLICATION = {
    **SHOP,
    "shop/templates/web.yaml": WEB.format(name="{{ .Release.Name }}-{{ .Values.size }}"),
    "envs/prod.yaml": "color: green\n",
    "app.yaml": APPLICATION % 3,
}


def test_an_application_says_what_its_chart_is_rendered_with(real: Repo) -> None:
    real.commit(OF_APPLICATION)
    (found,) = on(sides.of_work_tree(repository())).values()

    assert isinstance(found, Input)
    own, hook = found.documents
    assert own.object["metadata"] == {"name": "own-3", "namespace": "prod"}
    assert own.object["data"]["color"] == "green"
    assert hook.object["metadata"]["annotations"] == {"helm.sh/hook": "test"}


def test_other_values_in_an_application_touch_its_chart(real: Repo) -> None:
    real.commit(OF_APPLICATION)
    real.write({"app.yaml": APPLICATION % 4})
    assert changed_names() == {".": ["web"], "shop (prod.yaml)": ["own-4"]}
