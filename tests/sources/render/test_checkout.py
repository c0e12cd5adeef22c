"""The top of a work tree, and which files are below it."""

from pathlib import Path

import pytest

from kubectl_applylint.sources.render.checkout import files_below, path_below, repository_top


@pytest.mark.parametrize(
    ("git", "content", "top"),
    [
        pytest.param("repo/.git", None, "repo", id="folder"),
        pytest.param("repo/.git", "gitdir: /x/.git/worktrees/repo\n", "repo", id="further work tree"),
        pytest.param("repo/app/.git", "gitdir: ../.git/modules/app\n", "", id="submodule"),
        pytest.param("", None, "", id="none"),
    ],
)
def test_the_top_of_a_work_tree_is_where_git_keeps_its_files(
    tmp_path: Path, git: str, content: str | None, top: str
) -> None:
    (tmp_path / "repo/app").mkdir(parents=True)
    if git and content is None:
        (tmp_path / git).mkdir()
    elif git:
        (tmp_path / git).write_text(content or "")

    assert repository_top(str(tmp_path / "repo/app")) == (str(tmp_path / top) if top else "/")


def test_targets_of_links_outside_of_the_tree_are_not_below(tmp_path: Path) -> None:
    top, outside = tmp_path / "top", tmp_path / "top-outside"
    (top / "in").mkdir(parents=True)
    outside.mkdir()
    for file in (top / "in/a.yaml", outside / "b.yaml"):
        file.write_text("a: b")
    (top / "folder").symlink_to(outside)
    (top / "file.yaml").symlink_to(outside / "b.yaml")
    (top / "inner").symlink_to(top / "in")
    where = files_below(str(top))

    assert [where.has(path) for path in ("in/a.yaml", "inner/a.yaml", "folder/b.yaml", "file.yaml", "../x")] == [
        *(True, True, False, False, False)
    ]
    assert [where.real(path) for path in ("", "inner", "folder")] == ["", "in", None]
    assert where.read("in/a.yaml") == b"a: b"
    assert path_below(str(top), str(outside / "b.yaml")) is None
