"""Charts on both sides of a change, on a real repository."""

from pathlib import Path

import pytest

from tests.run.test_history import settings, verdicts
from tests.run.test_kustomize_roots import surveyed
from tests.sources.repositories import Repo, create
from tests.sources.test_kustomize import program

pytestmark = pytest.mark.slow  # git runs in every test

HELM = r"""
for file in $(echo "$@" | grep -o -e '--values=[^ ]*'); do echo ---; cat "${file#--values=}"; done
for folder in "$@"; do :; done
cd "$folder" && for file in templates/*.yaml; do echo ---; echo "# Source: shop/$file"; cat "$file"; done
"""
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

    assert [verdicts(surveyed(side, "helm:shop")) for side in sides] == [
        {"shop/templates/one.yaml:1:1": "configured"},
        {"shop/templates/one.yaml:1:1": "configured"},
        {},
    ]
    assert surveyed("HEAD~2", "helm:shop").past[0].file == "HEAD~2:deploy/shop/templates/one.yaml"


@pytest.mark.parametrize(
    ("file", "verdict"),
    [
        pytest.param("deploy/more.yaml", "configured", id="values"),
        pytest.param("deploy/shop/templates/new.yaml", "created", id="a file that git does not track yet"),
    ],
)
def test_a_chart_changes_with_all_that_it_is_made_of(repo: Repo, file: str, verdict: str) -> None:
    repo.write({file: settings("more" if "more" in file else "new", "c")})

    assert verdict in verdicts(surveyed("HEAD", "helm:shop:more.yaml")).values()


def test_values_that_are_kept_elsewhere_are_those_of_now(repo: Repo, tmp_path: Path) -> None:
    (tmp_path / "far.yaml").write_text(settings("far"))
    repo.write({"deploy/shop/templates/one.yaml": settings("one", "c")})

    assert list(verdicts(surveyed("HEAD", f"helm:shop:{tmp_path / 'far.yaml'}")).values()) == [
        "unchanged",
        "configured",
    ]


def test_a_new_chart_makes_everything(repo: Repo) -> None:
    repo.write({"deploy/late/Chart.yaml": "name: late\n", "deploy/late/templates/one.yaml": settings("late")})

    assert list(verdicts(surveyed("HEAD", "helm:late")).values()) == ["created"]


def test_a_chart_of_no_repository_leaves_doubt(repo: Repo, tmp_path: Path) -> None:
    (tmp_path / "far" / "templates").mkdir(parents=True)
    (tmp_path / "far" / "templates" / "far.yaml").write_text(settings("far"))
    (subject,) = surveyed("HEAD", f"helm:{tmp_path / 'far'}").subjects

    assert "which is outside this repository" in str(subject.state.live)
