from pathlib import Path

import pytest

from kubectl_applylint.core.problem import Problem
from kubectl_applylint.run.compare.base import Base, in_file, in_folder
from kubectl_applylint.sources.text.manifests import Input
from tests.cli.conftest import CONFIG_MAP, DEPLOYMENT


@pytest.fixture(name="folder", autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "before" / "deep").mkdir(parents=True)
    (tmp_path / "empty").mkdir()
    (tmp_path / "before" / "web.yaml").write_text(DEPLOYMENT)
    (tmp_path / "before" / "deep" / "settings.yaml").write_text(CONFIG_MAP)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def names(base: Base | Problem) -> list[str]:
    assert isinstance(base, Base)
    return [document.ref.name for document in base.given.documents]


@pytest.mark.parametrize(("recursive", "wanted"), [(False, ["web"]), (True, ["settings", "web"])])
def test_a_folder_is_read_as_kubectl_reads_it(recursive: bool, wanted: list[str]) -> None:
    assert names(in_folder("before", recursive=recursive)) == wanted


def test_a_folder_without_manifests_is_empty() -> None:
    assert in_folder("empty", recursive=False).given.problems == ()  # type: ignore[union-attr]  # a Problem would fail


def test_a_file_is_read() -> None:
    assert names(in_file("before/web.yaml")) == ["web"]


@pytest.mark.parametrize(
    ("found", "where", "message"),
    [
        pytest.param(in_folder("gone", recursive=False), "gone", 'the path "gone" does not exist', id="no folder"),
        pytest.param(in_file("gone"), "gone", 'the path "gone" does not exist', id="no file"),
    ],
)
def test_a_missing_path_is_a_problem(found: object, where: str, message: str) -> None:
    assert isinstance(found, Problem)
    assert (found.where, found.message) == (where, message)


def test_a_folder_is_no_file_and_a_file_no_folder() -> None:
    folder, file = in_folder("before/web.yaml", recursive=False), in_file("before")

    assert folder == Problem(
        "before/web.yaml",
        'the path "before/web.yaml" is not a directory',
        "use dir:PATH for a directory, file:PATH for a file",
    )
    assert isinstance(file, Problem)
    assert file.message == 'the path "before" is not a file'


def test_an_unreadable_file_makes_the_base_doubtful(folder: Path) -> None:
    (folder / "before" / "bad.yaml").write_text("apiVersion: v1\nkind: [\n")
    base = in_folder("before", recursive=False)

    assert isinstance(base, Base)
    assert base.doubt == "directory before could not be read completely: before/bad.yaml:3:1"
    assert base.short_doubts[0].startswith(f"{base.doubt}: error parsing the file")
    assert isinstance(whole := in_file("before/web.yaml"), Base)
    assert (whole.doubt, whole.short_doubts) == ("", ())


@pytest.mark.parametrize("is_rendered", [False, True], ids=["files", "rendered"])
def test_rendered_objects_may_come_from_any_unread_file(is_rendered: bool) -> None:
    base = Base("main", Input(), is_rendered=is_rendered)
    unread = base.unread([Problem("k/big.yaml", "larger than the limit of 32 MiB")])

    assert (unread("k/big.yaml"), unread("k/a.yaml")) == (True, is_rendered)
    assert not base.unread([])("k/a.yaml")
