from time import process_time

import pytest

from kubectl_applylint.units.layout import (
    INCLUDED_CHART,
    Layout,
    layout,
    other_values_files,
    with_files_apart,
    with_values,
)
from kubectl_applylint.units.model import Form, Reason, Unit


def laid_out(texts: dict[str, str]) -> Layout:
    return layout(texts, lambda path: texts[path].encode())


def test_folders_of_plain_manifests_are_units() -> None:
    found = laid_out({"dev/web.yaml": "", "dev/b.json": "", "prod/web.yml": "", "README.md": "", "dev/x.txt": ""})

    assert found.plain == {"dev": ("dev/b.json", "dev/web.yaml"), "prod": ("prod/web.yml",)}
    assert found.folder("dev").form is Form.FOLDER


def test_files_of_a_kustomization_or_a_chart_form_no_folder() -> None:
    found = laid_out(
        {
            "base/kustomization.yaml": "resources:\n- ../shared/web.yaml\n",
            "base/stray.yaml": "",
            "shared/web.yaml": "",
            "shared/own.yaml": "",
            "charts/shop/Chart.yaml": "",
            "charts/shop/templates/web.yaml": "",
            "charts/shop/charts/db/Chart.yaml": "",
        }
    )

    assert found.plain == {"shared": ("shared/own.yaml",)}
    assert found.roots == {"base"}
    assert found.charts == {"charts/shop"}


def test_all_files_below_a_chart_are_part_of_it() -> None:
    paths = ["chart/Chart.yaml", "chart/values.yaml", "chart/templates/a.yaml", "charts/other.yaml"]

    assert laid_out(dict.fromkeys(paths, "")).chart("chart", paths).files == set(paths[:3])


CHART = "apiVersion: v2\nname: shop\nversion: 1.0.0\n"


@pytest.mark.parametrize(
    ("entry", "folder", "is_used"),
    [
        ("{name: shop}", "app/charts/shop", True),
        ("{name: shop, version: 9.9.9}", "app/charts/shop", True),
        ("{name: shop, repo: 'https://x.io'}", "app/charts/shop", True),
        ("{name: shop, repo: 'https://x.io', version: 1.0.0}", "app/charts/shop-1.0.0/shop", True),
        ("{name: shop, repo: 'https://x.io', version: 1.0.0}", "app/charts/shop", False),
        ("{name: other}", "app/charts/shop", False),
    ],
)
def test_a_chart_that_a_kustomization_renders_is_part_of_it(entry: str, folder: str, is_used: bool) -> None:
    files = {f"{folder}/Chart.yaml": CHART, f"{folder}/templates/a.yaml": ""}
    found = laid_out({"app/kustomization.yaml": f"helmCharts: [{entry}]\n", **files})

    assert found.kustomization("app").files == {"app/kustomization.yaml", *(files if is_used else ())}
    assert found.charts == (set() if is_used else {folder})


def test_the_home_of_charts_may_be_elsewhere() -> None:
    text = "helmGlobals: {chartHome: ../vendor}\nhelmCharts:\n- name: shop\n"
    found = laid_out({"app/kustomization.yaml": text, "vendor/shop/Chart.yaml": CHART})

    assert found.kustomization("app").files == {"app/kustomization.yaml", "vendor/shop/Chart.yaml"}


@pytest.mark.parametrize(
    ("chart", "is_chart"),
    [
        pytest.param(CHART, True, id="a chart"),
        pytest.param("{apiVersion: v2, name: shop, version: 1.0.0}", True, id="in flow style"),
        pytest.param("name: shop\n", False, id="no version"),
        pytest.param("", False, id="empty"),
    ],
)
def test_a_chart_has_a_name_and_a_version(chart: str, is_chart: bool) -> None:
    assert laid_out({"Chart.yaml": chart, "a.yaml": ""}).charts == ({""} if is_chart else set())


def test_a_chart_and_the_manifests_beside_it_are_two_units() -> None:
    found = laid_out({"a/Chart.yaml": CHART, "a/b.yaml": ""})

    assert found.chart("a", []).key != found.folder("a").key
    assert found.chart("a", []).root == found.folder("a").root


def test_a_chart_below_another_one_is_part_of_it_in_its_folder_charts() -> None:
    texts = {"Chart.yaml": f"{CHART}type: library\n", "a/Chart.yaml": CHART, "a/charts/b/Chart.yaml": CHART}

    assert laid_out(texts).charts == {"a"}


def test_templates_make_a_broken_chart_one() -> None:
    assert laid_out({"a/Chart.yaml": "name: shop\n", "a/templates/b.yaml": ""}).charts == {"a"}


def test_files_that_helm_does_not_read_are_plain() -> None:
    own = ("Chart.yaml", "values.yaml", "values-prod.yaml", "templates/a/b.yaml", "crds/a.yaml", "charts/x/a.yaml")
    others = ("a.yaml", "deploy/a.yaml", "deploy/crds/a.yaml")
    texts = {**dict.fromkeys((*own, *others), ""), "Chart.yaml": CHART}

    assert laid_out(texts).plain == {
        "": ("a.yaml",),
        "deploy": ("deploy/a.yaml",),
        "deploy/crds": ("deploy/crds/a.yaml",),
    }


def test_kustomize_takes_the_first_of_several_files() -> None:
    texts = {"a/kustomization.yml": "resources:\n- b.yaml\n", "a/kustomization.yaml": "resources:\n- c.yaml\n"}

    assert laid_out(texts).graph.file_of == {"a": "a/kustomization.yaml"}


@pytest.mark.parametrize(
    ("apart", "units"),
    [
        ((), [("a", Form.FOLDER)]),
        (("a/install.yaml",), [("a", Form.FOLDER), ("a/install.yaml", Form.FILE)]),
        (
            ("a/install.yaml", "a/install-ha.yaml"),
            [("a/install-ha.yaml", Form.FILE), ("a/install.yaml", Form.FILE)],
        ),
    ],
    ids=["none", "one", "all"],
)
def test_files_apart_are_units_of_one_file(apart: tuple[str, ...], units: list[tuple[str, Form]]) -> None:
    folder = laid_out({"a/install.yaml": "", "a/install-ha.yaml": ""}).folder("a")

    assert [(unit.root, unit.form) for unit in with_files_apart(folder, apart)] == units


@pytest.mark.slow
def test_ten_thousand_names_are_read_quickly() -> None:
    paths = [f"team-{number % 100}/app-{number % 1000}/file-{number}.yaml" for number in range(10_000)]

    def seconds() -> float:
        started = process_time()
        assert len(layout(paths, lambda path: b"").plain) == 1_000
        return process_time() - started

    assert min(seconds() for _ in range(3)) < 0.2


def test_a_chart_that_others_include_by_path_has_this_reason() -> None:
    web = b"apiVersion: v2\nname: web\nversion: 1.0.0\ndependencies: [{name: lib, repository: 'file://../lib'}]\n"
    files = {"web/Chart.yaml": web, "lib/Chart.yaml": b"apiVersion: v2\nname: lib\nversion: 1.0.0\n"}
    found = layout(files, files.__getitem__)

    assert found.chart("lib", files).applied.reason == INCLUDED_CHART
    assert found.chart("web", files).applied.reason == Reason("a chart")


def test_a_chart_is_a_unit_with_each_of_its_values_files() -> None:
    names = (
        "Chart.yaml",
        "values.yaml",
        "values-prod.yaml",
        "values.dev.yml",
        "values.schema.yaml",
        "values.tmpl.yaml",
    )
    chart = Unit("a", Form.CHART, frozenset(f"a/{name}" for name in names))

    assert [one.values for one in with_values(chart)] == [(), ("a/values-prod.yaml",), ("a/values.dev.yml",)]


def test_values_in_other_folders_of_a_chart_are_found() -> None:
    found = {"prod/values.yaml", "envs/prod.yaml", "ci/values-a.yml"}
    others = {"values.yaml", "templates/values.yaml", "charts/a/values.yaml", "files/a.yaml", "prod/a.yaml"}
    chart = Unit("a", Form.CHART, frozenset(f"a/{name}" for name in found | others))

    assert {*other_values_files(chart)} == found
