"""The files of sources: of the repository, of the store, and composed of several."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from kubectl_applylint.core.records import replace
from kubectl_applylint.run.sides import sides, source_trees
from kubectl_applylint.run.sides.side import Side
from kubectl_applylint.run.sides.source_trees import SourceError, composed_tree, packed_tree, stored_tree
from kubectl_applylint.sources.render.packed_chart import archive
from kubectl_applylint.sources.store import store
from kubectl_applylint.sources.store.absence import Absence
from kubectl_applylint.sources.store.chart_source import git_source
from kubectl_applylint.sources.store.store_place import Store, use_store
from kubectl_applylint.units.model import IncludedSource, SourceFilter
from tests.run.running import write

ALL = SourceFilter()
SHARED = git_source("https://git.example/org/shared", "refs/heads/main")
INCLUDE = IncludedSource("GitRepository apps/shared", to_path="vendor/shared", source=SHARED)
FILES = {"base/a.yaml": b"a", "base/deep/b.yaml": b"b", "c.md": b"c"}


@pytest.fixture(name="side")
def _side(tmp_path: Path) -> Iterator[Side]:
    write(tmp_path / "own", {"apps/web.yaml": "web", "vendor/readme": "r"})
    (tmp_path / "own/link.yaml").symlink_to("apps/web.yaml")
    with use_store(Store(str(tmp_path / "cache"))):
        store.add_files(SHARED, archive(FILES), "1234567890abcdef")
        yield sides.of_folder(str(tmp_path / "own"))


def test_included_files_are_at_their_path(side: Side) -> None:
    tree = composed_tree(side, None, [replace(INCLUDE, filter=SourceFilter("*.md"))], ALL)
    texts = tree.contents_of(["apps/web.yaml", "vendor/shared/base/a.yaml", "none"])

    assert tree.files == {
        "apps/web.yaml",
        "vendor/readme",
        "vendor/shared/base/a.yaml",
        "vendor/shared/base/deep/b.yaml",
    }
    assert texts == {"apps/web.yaml": b"web", "vendor/shared/base/a.yaml": b"a"}
    assert tree.label("vendor/shared/base/a.yaml") == "git.example/org/shared@1234567890ab/base/a.yaml"
    assert tree.label("apps/web.yaml").endswith("own/apps/web.yaml")
    assert tree.fault_of("apps/web.yaml").where.endswith("apps/web.yaml")


@pytest.mark.parametrize(
    ("from_path", "to_path", "files"),
    [
        ("base", "x", {"x/a.yaml", "x/deep/b.yaml"}),
        ("base/deep", "apps/more", {"apps/more/b.yaml"}),
        ("c.md", "apps/c.md", {"apps/c.md"}),
        ("base/a.yaml", "apps/web.yaml", {"apps/web.yaml"}),
    ],
)
def test_a_file_or_a_folder_is_included(side: Side, from_path: str, to_path: str, files: set[str]) -> None:
    tree = composed_tree(side, None, [replace(INCLUDE, from_path=from_path, to_path=to_path)], ALL)

    assert tree.files == {"apps/web.yaml", "vendor/readme", *files}
    if from_path == "base/a.yaml":
        assert tree.read("apps/web.yaml") == b"a"


@pytest.mark.parametrize(
    ("sparse", "files"),
    [
        (("c.md", "base"), {"base/a.yaml", "base/deep/b.yaml", "c.md"}),
        (("./base/deep/",), {"base/deep/b.yaml"}),
        (("base/a.yaml",), {"base/a.yaml"}),
        (("",), {"base/a.yaml", "base/deep/b.yaml", "c.md"}),
        ((".",), set()),
    ],
)
def test_a_sparse_checkout_has_files_whose_path_starts_with_an_entry(
    side: Side, sparse: tuple[str, ...], files: set[str]
) -> None:
    assert composed_tree(side, SHARED, [], SourceFilter(sparse=sparse)).files == files


@pytest.mark.parametrize("entry", ["none", "/apps", "app", "../apps"])
def test_a_sparse_checkout_of_what_does_not_exist_fails(side: Side, entry: str) -> None:
    with pytest.raises(SourceError, match="which its sparseCheckout names") as caught:
        composed_tree(side, None, [], SourceFilter(sparse=("vendor", entry)))
    assert caught.value.is_certain


def test_includes_add_to_a_sparse_checkout(side: Side) -> None:
    own = IncludedSource("GitRepository apps/fleet", "apps", "c.md")

    assert composed_tree(side, SHARED, [own], SourceFilter(sparse=("base/deep",))).files == {
        "base/deep/b.yaml",
        "c.md/web.yaml",
    }


def test_later_includes_see_earlier_ones_and_the_ignore_rules_see_all(side: Side) -> None:
    inner = replace(INCLUDE, from_path="base", to_path="vendor/shared/inner")
    tree = composed_tree(side, None, [INCLUDE, inner], SourceFilter("*.md\n!c.md\ndeep/"))

    assert "vendor/shared/inner/a.yaml" in tree.files
    assert "vendor/shared/c.md" in tree.files
    assert not any("deep" in path for path in tree.files)


def test_a_repository_of_the_store_includes_the_examined_one(side: Side) -> None:
    own = IncludedSource("GitRepository apps/fleet", "apps", "fleet")
    nested = replace(INCLUDE, includes=(own,))

    assert "fleet/web.yaml" in composed_tree(side, SHARED, [own], ALL).files
    assert "vendor/shared/fleet/web.yaml" in composed_tree(side, None, [nested], ALL).files


@pytest.mark.parametrize(
    ("include", "reason", "is_certain"),
    [
        (replace(INCLUDE, to_path="apps"), "Flux cannot include GitRepository apps/shared: its source has apps", True),
        (replace(INCLUDE, to_path=""), "its source has . already", True),
        (replace(INCLUDE, to_path="apps/web.yaml"), "has apps/web.yaml already", True),
        (replace(INCLUDE, to_path="apps/web.yaml/x"), "has apps/web.yaml/x already", True),
        (replace(INCLUDE, from_path="none"), "it has nothing in none", True),
        (replace(INCLUDE, reason="it is not in the files"), "which its source includes: it is not in the files", False),
        (replace(INCLUDE, source=git_source("https://git.example/x")), "is not in the store", False),
    ],
)
def test_an_include_that_fails_has_a_reason(side: Side, include: IncludedSource, reason: str, is_certain: bool) -> None:
    with pytest.raises(SourceError) as caught:
        composed_tree(side, None, [include], ALL)

    assert reason in str(caught.value)
    assert caught.value.is_certain is is_certain


def test_the_number_of_included_files_is_limited(side: Side, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source_trees, "_MOST_FILES", 2)

    with pytest.raises(SourceError, match="more than 2 files"):
        composed_tree(side, None, [INCLUDE], ALL)


def test_a_source_that_answers_that_it_has_no_such_branch(side: Side) -> None:
    other = git_source("https://git.example/x", "refs/heads/main")
    store.add_absence(other, Absence(asked="2026-11-27"))

    with pytest.raises(SourceError, match="does not have the branch main") as caught:
        stored_tree(other)
    assert caught.value.advice == "correct it, or ask again with applylint fetch"
    with pytest.raises(SourceError, match="its source is not known"):
        stored_tree(None)
    assert packed_tree(stored_tree(SHARED), "*.yaml").files == {"c.md"}
