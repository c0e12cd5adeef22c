"""Applications that Applications and charts render, by the cluster that they belong to."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest

from kubectl_applylint.run.sides import sides
from kubectl_applylint.run.sides.units_of import units_of
from kubectl_applylint.sources.text.manifests import Input, read_text
from kubectl_applylint.units.finder import FoundUnits
from kubectl_applylint.units.model import Form, Unit
from tests.run.running import DIR, runs, write
from tests.sources.render.test_kustomize import program

CHART: Final = "apiVersion: v2\nname: apps\nversion: 1.0.0\n"
TEMPLATE: Final = "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: {{ .Values.name }}}\n"
CONFIG: Final = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n"
Renderer = Callable[[Unit], str]


def application(name: str, path: str, helm: str = "{}") -> str:
    return (
        f"apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {{name: {name}, namespace: argocd}}\n"
        f"spec: {{source: {{path: {path}, helm: {helm}}}, destination: {{namespace: {name}}}}}\n---\n"
    )


def of_folder(name: str, path: str) -> str:
    """Return an Application of plain manifests."""
    return application(name, path).replace(", helm: {}", "")


def units_in(folder: Path, files: Mapping[str, str], manifests_of: Renderer) -> FoundUnits:
    """Return the units of a folder in which ``manifests_of`` renders charts, releases and kustomizations."""

    write(folder, dict(files))
    side = sides.of_folder(str(folder))

    def rendering(unit: Unit) -> Input:
        documents = read_text(manifests_of(unit), side.label("apps/templates/app.yaml")).documents
        return Input(tuple(replace(one, is_templated=True) for one in documents))

    def building(path: str) -> Input:
        return rendering(Unit(path, Form.KUSTOMIZATION, frozenset()))

    return units_of(replace(side, charts=rendering, releases=rendering, render=building))


def by_cluster(units: FoundUnits) -> set[tuple[str, str]]:
    return {(one.applied.cluster, one.shown) for one in units.units}


APPS: Final = {"apps/Chart.yaml": CHART, "apps/templates/app.yaml": TEMPLATE, "web/a.yaml": CONFIG}


def test_a_chart_that_nothing_declares_is_the_root_of_a_cluster(tmp_path: Path) -> None:
    units = units_in(tmp_path, APPS, lambda unit: application("web", "web") if unit.root == "apps" else "")

    assert by_cluster(units) == {("", "apps"), ("apps", "Application/argocd/web")}
    web = units.units[0]
    assert {"web/a.yaml", "apps/templates/app.yaml"} <= web.files


def test_each_values_file_is_a_cluster(tmp_path: Path) -> None:
    files = {**APPS, "apps/values-prod.yaml": "", "shop/a.yaml": CONFIG}

    def manifests_of(unit: Unit) -> str:
        return application("web", "shop" if unit.values else "web") if unit.root == "apps" else ""

    units = units_in(tmp_path, files, manifests_of)
    web = {one.applied.cluster: one.files & {"web/a.yaml", "shop/a.yaml"} for one in units.units if one.applied.cluster}

    assert web == {"apps": {"web/a.yaml"}, "apps (values-prod.yaml)": {"shop/a.yaml"}}


def test_kustomizations_of_such_a_chart_are_followed(tmp_path: Path) -> None:
    template = "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: {{ .Values.name }}}\n"
    source = "sourceRef: {kind: GitRepository, name: flux-system}"
    made = template.replace("{{ .Values.name }}", "web, namespace: flux-system")
    units = units_in(
        tmp_path,
        {**APPS, "apps/templates/app.yaml": template},
        lambda unit: f"{made}spec: {{path: ./web, {source}}}\n" if unit.root == "apps" else "",
    )

    assert by_cluster(units) == {("", "apps"), ("apps", "web")}
    assert [one.applied.tool for one in units.units if one.applied.cluster] == ["flux"]


def test_a_chart_in_an_application_of_another_chart_is_followed(tmp_path: Path) -> None:
    files = {**APPS, "inner/Chart.yaml": CHART, "inner/templates/app.yaml": TEMPLATE}

    def manifests_of(unit: Unit) -> str:
        names = {"apps": ("inner", "inner"), "inner": ("wrong", "web"), "Application/argocd/inner": ("web", "web")}
        return application(*names[unit.root]) if unit.root in names else ""

    assert by_cluster(units_in(tmp_path, files, manifests_of)) == {
        ("", "apps"),
        ("apps", "Application/argocd/inner"),
        ("apps", "Application/argocd/web"),
    }


def test_one_of_charts_that_apply_each_other_is_the_root(tmp_path: Path) -> None:
    files = {**APPS, "inner/Chart.yaml": CHART, "inner/templates/app.yaml": TEMPLATE}

    def manifests_of(unit: Unit) -> str:
        return application("apps", "apps") if unit.root.endswith("inner") else application("inner", "inner")

    assert by_cluster(units_in(tmp_path, files, manifests_of)) == {
        ("", "web"),
        ("inner", "Application/argocd/apps"),
        ("inner", "Application/argocd/inner"),
    }


def test_a_chart_may_contain_the_application_that_applies_it(tmp_path: Path) -> None:
    def manifests_of(unit: Unit) -> str:
        if unit.root == "apps":
            return application("apps", "apps", "{values: 'a: b'}") + application("web", "none")
        return application("web", "web") if unit.root == "Application/argocd/apps" else ""

    units = units_in(tmp_path, APPS, manifests_of)

    assert by_cluster(units) == {("apps", "Application/argocd/apps"), ("apps", "Application/argocd/web")}
    assert [one.applied.gap for one in units.units] == ["", ""]


@pytest.mark.parametrize(
    ("path", "helm", "gap"),
    [
        ("none", "{}", "the files have no none, and the values of apps are not known"),
        (
            "shop",
            "{valueFiles: [values-.yaml]}",
            "the files have no shop/values-.yaml, and the values of apps are not known",
        ),
    ],
)
def test_files_that_do_not_exist_may_be_those_of_other_values(tmp_path: Path, path: str, helm: str, gap: str) -> None:
    """The chart of a child stays a chart of the layout if it is not known which of its values files are used."""
    files = {**APPS, "shop/Chart.yaml": CHART, "shop/templates/a.yaml": CONFIG}
    units = units_in(tmp_path, files, lambda unit: application("shop", path, helm) if unit.root == "apps" else "")

    assert {(one.shown, one.applied.gap) for one in units.units if "shop" in one.shown} == {
        ("shop", ""),
        ("Application/argocd/shop", gap),
    }


def test_applications_of_one_name_that_two_units_render_are_in_two_clusters(tmp_path: Path) -> None:
    """The root Applications of two clusters render one chart with different values."""
    roots = [application(name, "apps", f"{{valueFiles: [{name}.yaml]}}") for name in ("prod", "test")]
    files = {**APPS, "roots.yaml": "".join(roots), "apps/prod.yaml": "", "apps/test.yaml": "", "shop/a.yaml": CONFIG}

    def manifests_of(unit: Unit) -> str:
        return application("web", "web" if "prod" in unit.shown else "shop") if unit.root == "apps" else ""

    units = units_in(tmp_path, files, manifests_of)
    web = {one.applied.cluster: one.files & {"web/a.yaml", "shop/a.yaml"} for one in units.units if "web" in one.root}

    assert web == {"": {"web/a.yaml"}, "apps (test.yaml)": {"shop/a.yaml"}}


SET: Final = """\
apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata: {name: all, namespace: argocd}
spec:
  generators: [{clusters: {selector: {matchLabels: {env: prod}}}}]
  template: {metadata: {name: "{{name}}"}, spec: {source: {path: web}, destination: {name: "{{name}}"}}}
"""
SECRET: Final = """\
apiVersion: v1
kind: Secret
metadata: {name: east, labels: {argocd.argoproj.io/secret-type: cluster, env: prod}}
stringData: {name: east, server: "https://east.example.com"}
"""


def test_a_set_that_a_chart_renders_knows_the_clusters_of_the_files(tmp_path: Path) -> None:
    files = {**APPS, "clusters.yaml": SECRET}
    units = units_in(tmp_path, files, lambda unit: SET if unit.root == "apps" else "")

    assert ("apps", "Application/argocd/east") in by_cluster(units)


def test_rendered_objects_replace_those_of_the_templates(tmp_path: Path) -> None:
    """A template without actions is read as a manifest until its chart is rendered."""
    files = {**APPS, "apps/templates/app.yaml": application("web", "'{{ .Values.path }}'")}

    units = units_in(tmp_path, files, lambda unit: application("web", "web") if unit.root == "apps" else "")

    assert by_cluster(units) == {("", "apps"), ("apps", "Application/argocd/web")}


def test_written_objects_that_an_application_renders_in_another_way_are_replaced(tmp_path: Path) -> None:
    roots = "".join(
        application(name, "apps").replace("helm: {}", "kustomize: {namePrefix: p-}") for name in ("root", "root-2")
    )
    folders = {f"{name}/a.yaml": CONFIG for name in ("web", "shop", "mail")}
    write(tmp_path, {"apps/kustomization.yaml": "resources: [app.yaml]\n", "apps/app.yaml": of_folder("web", "web")})
    write(tmp_path, {"roots.yaml": roots, **folders})
    side = sides.of_folder(str(tmp_path))

    def rendering(unit: Unit) -> Input:
        path = {"root": "shop", "root-2": "mail"}.get(unit.root.rpartition("/")[2], "web")
        return read_text(of_folder("web", path), side.label("apps/app.yaml"))

    units = units_of(replace(side, releases=rendering))

    assert {one.root: one.applied.tool for one in units.units if one.root in ("web", "shop", "mail")} == {
        "web": "kubectl",
        "shop": "argocd",
        "mail": "argocd",
    }


def test_objects_of_templates_stay_if_the_chart_is_not_rendered(tmp_path: Path) -> None:
    files = {**APPS, "apps/templates/app.yaml": of_folder("web", "web")}

    assert ("", "web") in by_cluster(units_in(tmp_path, files, lambda unit: ""))


RELEASE: Final = (
    "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: apps, namespace: argocd}\n"
    "spec: {chart: {spec: {chart: ./apps, sourceRef: {kind: GitRepository, name: flux-system}}}}\n"
)
WRITTEN: Final = application("web", "'{{ `web` }}'")
KUSTOMIZATION: Final = "helmGlobals: {chartHome: .}\nhelmCharts: [{name: apps}]\n"


@pytest.mark.parametrize(
    ("files", "root"),
    [
        pytest.param({"release.yaml": RELEASE}, "HelmRelease/argocd/apps", id="HelmRelease"),
        pytest.param({"kustomization.yaml": KUSTOMIZATION}, "", id="kustomization"),
    ],
)
def test_applications_of_charts_that_releases_and_kustomizations_render_are_followed(
    tmp_path: Path, files: Mapping[str, str], root: str
) -> None:
    written = {**files, "apps/Chart.yaml": CHART, "apps/templates/app.yaml": WRITTEN, "web/a.yaml": CONFIG}

    units = units_in(tmp_path, written, lambda unit: application("web", "web") if unit.root == root else "")

    assert "Application/argocd/web" in {one.root for one in units.units}
    assert not [one for one in units.units if "{{" in one.applied.gap]
    web = next(one for one in units.units if one.applied.tool == "argocd")
    assert "web/a.yaml" in web.files


def test_releases_without_signs_of_applications_are_not_rendered(tmp_path: Path) -> None:
    """A Kustomization in the file of a HelmRelease is no sign."""
    kustomization = "---\napiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: web}\n"
    files = {"apps/Chart.yaml": CHART, "apps/templates/a.yaml": CONFIG, "release.yaml": RELEASE + kustomization}

    def manifests_of(unit: Unit) -> str:
        raise AssertionError(unit)

    assert ("", "HelmRelease/argocd/apps") in by_cluster(units_in(tmp_path, files, manifests_of))


def test_values_of_a_release_may_be_those_of_applications(tmp_path: Path) -> None:
    release = RELEASE.replace("spec: {", "spec: {values: {web: {source: {targetRevision: HEAD}}}, ", 1)
    files = {
        "apps/Chart.yaml": CHART,
        "apps/templates/a.yaml": "{{ toYaml .Values }}",
        "release.yaml": release,
    }

    units = units_in(tmp_path, {**files, "web/a.yaml": CONFIG}, lambda unit: application("web", "web"))

    assert "Application/argocd/web" in {one.root for one in units.units}


def test_charts_without_signs_of_applications_are_not_rendered(tmp_path: Path) -> None:
    files = {"shop/Chart.yaml": CHART, "shop/templates/a.yaml": CONFIG, "rollout.yaml": "kind: argoproj.io\n"}

    def manifests_of(unit: Unit) -> str:
        raise AssertionError(unit)

    assert by_cluster(units_in(tmp_path, files, manifests_of)) == {("", "shop"), ("", ".")}


HELM: Final = r"""
for folder in "$@"; do :; done
cd "$folder" && for file in templates/*.yaml; do echo ---; echo "# Source: apps/$file"; cat "$file"; done
"""


@pytest.mark.slow  # programs are started
def test_a_change_in_the_path_of_a_child_is_a_change_of_its_unit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bin").mkdir()
    program(tmp_path, "helm", HELM)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/usr/bin:/bin")
    before = {**APPS, "apps/templates/app.yaml": application("web", "web")}
    after = {**before, "web/a.yaml": f"{CONFIG}data: {{b: c}}\n"}
    write(tmp_path, {**{f"before/{name}": text for name, text in before.items()}})
    write(tmp_path, {**{f"all/{name}": text for name, text in after.items()}})

    changed = [run.unit for run in runs(against=DIR).each if run.unit]
    assert [(one.applied.cluster, one.root) for one in changed] == [("apps", "Application/argocd/web")]
    every = [run.unit for run in runs().each if run.unit]
    assert sorted((one.applied.cluster, one.root) for one in every) == [
        ("", "apps"),
        ("apps", "Application/argocd/web"),
    ]


def test_a_chart_that_multiplies_itself_is_not_followed_without_end(tmp_path: Path) -> None:
    def manifests_of(unit: Unit) -> str:
        name = unit.root.rpartition("/")[2]
        parameters = f"{{parameters: [{{name: parent, value: {name}}}]}}"
        return "".join(application(f"{name}-{number}", "apps", parameters) for number in range(6))

    files = {"apps/Chart.yaml": CHART, "apps/templates/app.yaml": TEMPLATE, "root.yaml": application("root", "apps")}
    found = units_in(tmp_path, files, manifests_of)
    gaps = [one.applied.gap for one in found.units if one.applied.declared_by]

    assert len(gaps) < 400
    assert {*gaps} == {"", "each object declares another one of the same kind without end"}
