import pytest

from kubectl_applylint.units.model import Applied, Form, Unit
from kubectl_applylint.units.tree import Root, tree

FILES = {
    "top.yaml": b"",
    "apps/web/kustomization.yaml": b"resources: [web.yaml]",
    "apps/web/web.yaml": b"",
    "apps/web-2/plain.yaml": b"",
    "apps/plain.yaml": b"",
    "charts/db/Chart.yaml": b"",
    "charts/db/templates/db.yaml": b"",
    "charts/db-old/readme.md": b"",
}
TREE = tree(FILES, FILES.__getitem__)


@pytest.mark.parametrize(
    ("path", "root"),
    [
        ("apps/web", ("apps/web", Form.KUSTOMIZATION)),
        ("charts/db", ("charts/db", Form.CHART)),
        ("apps", ("apps", Form.FOLDER)),
        ("", ("", Form.FOLDER)),
        ("apps/plain.yaml", ("apps/plain.yaml", Form.FILE)),
        ("top.yaml", ("top.yaml", Form.FILE)),
        ("apps/web/web.yaml", None),
        ("charts", None),
        ("no", None),
    ],
)
def test_a_path_has_the_unit_at_its_folder(path: str, root: Root | None) -> None:
    assert TREE.root(path) == root


@pytest.mark.parametrize(
    ("folder", "paths"),
    [
        ("", ["", "apps", "apps/web-2", "apps/web", "charts/db"]),
        ("apps", ["apps", "apps/web-2", "apps/web"]),
        ("apps/web", ["apps/web"]),
        ("charts", ["charts/db"]),
        ("ap", []),
        ("\U0010ffff", []),
    ],
)
def test_a_folder_holds_roots(folder: str, paths: list[str]) -> None:
    assert [path for path, _ in TREE.below(folder)] == paths


@pytest.mark.parametrize(
    ("root", "files"),
    [
        (("apps/web", Form.KUSTOMIZATION), {"apps/web/kustomization.yaml", "apps/web/web.yaml"}),
        (("charts/db", Form.CHART), {"charts/db/Chart.yaml", "charts/db/templates/db.yaml"}),
        (("apps", Form.FOLDER), {"apps/plain.yaml"}),
        (("apps/plain.yaml", Form.FILE), {"apps/plain.yaml"}),
    ],
    ids=["kustomization", "chart", "folder", "file"],
)
def test_a_root_makes_a_unit(root: Root, files: set[str]) -> None:
    applied = Applied("flux", "shop")

    assert TREE.unit(root, applied) == Unit(root[0], root[1], frozenset(files), applied)
    assert TREE.unit(root).files == files


def test_a_chart_at_the_root_has_all_files() -> None:
    files = {"Chart.yaml": b"", "templates/\U0010ffffx.yaml": b""}

    assert tree(files, files.__getitem__).unit(("", Form.CHART)).files == files.keys()


@pytest.mark.parametrize(
    ("path", "is_there"),
    [("apps", True), ("apps/plain.yaml", True), ("charts/db", True), ("app", False), ("apps/plain", False), ("", True)],
)
def test_a_path_exists_as_a_file_or_a_folder(path: str, is_there: bool) -> None:
    assert TREE.exists(path) is is_there


def test_folders_at_the_top_are_those_with_files() -> None:
    found = tree(["a-b/x.yaml", "a.yaml", "a/x.yaml", "a/y/z.yaml", "b/x.yaml", "z"], lambda path: b"")

    assert list(found.top_folders()) == ["a-b", "a", "b"]
