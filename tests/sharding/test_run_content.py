"""Input of a run besides commits, as a digest."""

from collections.abc import Callable
from pathlib import Path

import pytest

from kubectl_applylint.run.compare.against import Against, AgainstKind, read_against
from kubectl_applylint.run.request import Request
from kubectl_applylint.sharding.run_content import content_digest
from kubectl_applylint.units.configured import Configured
from kubectl_applylint.units.model import Applied
from tests.sources.repositories import Repo, create

WEB = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\n"
Digest = Callable[[], str]


@pytest.fixture(name="repo")
def _repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repo:
    repo = create(tmp_path / "repo")
    repo.commit({"all/web.yaml": WEB, "all/other.yaml": "a: 1\n"})
    monkeypatch.chdir(repo.folder)
    return repo


def against(text: str) -> Digest:
    return lambda: content_digest(Request(files=("all",), against=read_against(text)))


def test_a_file_that_was_removed_or_is_new_counts(repo: Repo) -> None:
    digest = against("none")
    known = {digest()}
    (Path(repo.folder) / "all/other.yaml").unlink()
    known.add(digest())
    repo.write({"all/new.yaml": WEB})
    known.add(digest())

    assert len(known) == 3


def test_committed_files_do_not_count(repo: Repo) -> None:
    before = against("none")()
    repo.commit({"all/web.yaml": f"{WEB}data: {{a: b}}\n"})

    assert against("none")() == before


def test_without_a_commit_all_files_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repo = create(tmp_path / "repo")
    monkeypatch.chdir(repo.folder)
    repo.write({"all/web.yaml": WEB})
    before = against("none")()
    repo.write({"all/web.yaml": f"{WEB}data: {{a: b}}\n"})

    assert against("none")() != before


def test_revisions_count_by_their_commit(repo: Repo) -> None:
    before = against("HEAD")()
    repo.commit({"notes": "x"})

    assert against("HEAD")() != before
    assert against("HEAD~1")() == before


def test_staged_files_count(repo: Repo) -> None:
    before = against("index")()
    repo.write({"all/web.yaml": f"{WEB}data: {{a: b}}\n"})
    repo.git("add", "all/web.yaml")
    staged = against("index")()
    repo.write({"all/web.yaml": WEB})

    assert len({before, staged, against("index")()}) == 3


def test_a_snapshot_that_a_unit_has_counts(repo: Repo) -> None:
    applied = Applied(options=(("against", Against(AgainstKind.SNAPSHOT, "prod.json")),))
    one = Configured("all", applied=applied)
    found = []
    for text in (None, "{}", "[]"):
        if text:
            Path("prod.json").write_text(text)
        found.append(content_digest(Request(files=("all",), units=(one,))))

    assert len({*found}) == 3


def test_unreadable_sources_count_as_none(repo: Repo) -> None:
    assert against("nowhere")() == against("none")() == against("dir:nowhere")()
