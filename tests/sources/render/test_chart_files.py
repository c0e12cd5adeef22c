"""Files of charts, and their layout for rendering."""

from collections.abc import Mapping

import pytest

from kubectl_applylint.sources.render.chart_files import Charts, Dependency, Metadata, chart_layout, local_folder

FAR = "dependencies: [{name: far, repository: 'https://example.com/charts'}]\n"
NEAR = "name: shop\ndependencies: [{name: common, repository: 'file://../common'}]\n"


def charts(texts: Mapping[str, str]) -> Charts:
    return Charts(texts.keys(), lambda path: texts[path].encode())


def sources(texts: Mapping[str, str], links: Mapping[str, str | None] | None = None) -> Mapping[str, str] | str:
    """Return where each file of the chart ``shop`` comes from, or why it cannot be rendered, or not completely."""

    def links_below(folder: str) -> Mapping[str, str | None]:
        return {path: end for path, end in (links or {}).items() if path.startswith(f"{folder}/")}

    found = chart_layout("shop", list(texts), charts(texts), links_below)
    return found.fault or "; ".join(one.words for one in found.missing) or found.sources


def test_a_chart_says_what_it_is_and_what_it_needs() -> None:
    texts = {
        "lib/Chart.yaml": "name: lib\ntype: library\n",
        "old/Chart.yaml": "name: Old_Shop\n",
        "old/requirements.yaml": FAR,
        "bad/Chart.yaml": "a: [\n",
    }
    found = charts(texts)

    assert found.metadata("lib") == Metadata("lib", is_library=True)
    assert found.metadata("old").dependencies == (Dependency("far", "https://example.com/charts"),)
    assert found.metadata("bad") == found.metadata("none") == Metadata()
    assert [found.is_plain(folder) for folder in ("lib", "old", "bad", "none")] == [False, False, True, True]


@pytest.mark.parametrize(
    ("name", "release"), [("Old_Shop", "old-shop"), ("a" * 60, "a" * 53), ("", "release"), ("--x", "x")]
)
def test_a_release_is_named_like_its_chart(name: str, release: str) -> None:
    assert Metadata(name).release == release


def test_charts_that_others_need_by_path_are_found() -> None:
    texts = {
        "shop/Chart.yaml": NEAR,
        "common/Chart.yaml": "name: common\ndependencies: [{name: base, repository: 'file://../base'}]\n",
        "base/Chart.yaml": NEAR.replace("common", "shop"),
    }

    assert charts(texts).neighbours("shop") == ("common", "base")


@pytest.mark.parametrize("repository", ["https://x", "file:///etc", "file://../../etc", "file://../..", "@name", ""])
def test_other_addresses_are_no_folders_of_the_repository(repository: str) -> None:
    assert local_folder("shop", Dependency("x", repository)) == ""


@pytest.mark.parametrize(
    "inside", ["charts/far/Chart.yaml", "charts/far-1.2.3.tgz", "charts/far-v1.tgz", "charts/other/Chart.yaml"]
)
def test_a_dependency_may_be_a_folder_or_an_archive(inside: str) -> None:
    texts = {"shop/Chart.yaml": FAR, f"shop/{inside}": "name: far\n"}

    assert sources(texts) == {path: path for path in texts}


@pytest.mark.parametrize("inside", ["charts/farther-1.0.tgz", "charts/far/values.yaml", "charts/x/charts/far-1.tgz"])
def test_a_dependency_elsewhere_is_reported(inside: str) -> None:
    assert sources({"shop/Chart.yaml": FAR, f"shop/{inside}": ""}) == (
        "far (https://example.com/charts) is neither in charts/ nor in the store"
    )


def test_a_dependency_by_path_gets_its_place() -> None:
    assert sources({"shop/Chart.yaml": NEAR, "common/Chart.yaml": "name: common\n", "common/templates/a.tpl": ""}) == {
        "shop/Chart.yaml": "shop/Chart.yaml",
        "shop/charts/common/Chart.yaml": "common/Chart.yaml",
        "shop/charts/common/templates/a.tpl": "common/templates/a.tpl",
    }


def test_a_path_that_leads_out_and_a_cycle_are_reported() -> None:
    out = NEAR.replace("../common", "../../../etc")
    circle = {"shop/Chart.yaml": NEAR, "common/Chart.yaml": NEAR.replace("common", "shop")}

    assert sources({"shop/Chart.yaml": out}) == "common (file://../../../etc) is not in the repository"
    assert sources(circle) == "shop (file://../shop) is not in the repository"


def test_the_chart_that_needs_a_missing_dependency_is_known() -> None:
    inner = {"shop/Chart.yaml": NEAR, "common/Chart.yaml": FAR}

    def missing(texts: Mapping[str, str]) -> list[tuple[str, bool]]:
        found = chart_layout("shop", list(texts), charts(texts), lambda folder: {})
        return [(one.chart, one.is_direct) for one in found.missing]

    assert missing({"shop/Chart.yaml": FAR}) == [("shop", True)]
    assert missing(inner) == [("shop/charts/common", False)]


def test_symlinks_are_replaced_by_what_they_lead_to() -> None:
    texts = {"shop/Chart.yaml": "name: shop\n", "all/values.yaml": "", "lib/Chart.yaml": "", "crds/a.yaml": ""}
    links = {"shop/values.yaml": "all/values.yaml", "shop/charts/lib": "lib", "lib/crds": "crds"}

    assert sources({**texts, "lib/x": ""}, links) == {
        "shop/Chart.yaml": "shop/Chart.yaml",
        "shop/values.yaml": "all/values.yaml",
        "shop/charts/lib/Chart.yaml": "lib/Chart.yaml",
        "shop/charts/lib/x": "lib/x",
        "shop/charts/lib/crds/a.yaml": "crds/a.yaml",
    }


@pytest.mark.parametrize("end", [None, "none"])
def test_a_symlink_that_leads_out_is_reported(end: str | None) -> None:
    assert sources({"shop/Chart.yaml": ""}, {"shop/x": end}) == (
        "shop/x is a symlink that leads to no file of the repository"
    )


def test_symlinks_in_a_circle_end() -> None:
    assert isinstance(sources({"shop/Chart.yaml": "", "lib/a": ""}, {"shop/lib": "lib", "lib/lib": "lib"}), dict)
