from itertools import count
from pathlib import Path

import pytest

from kubectl_applylint.run.sides.places import place_of, with_cache
from kubectl_applylint.sources.text.manifests import Input
from kubectl_applylint.units.configured import Configured
from kubectl_applylint.units.model import Unit
from tests.sources.repositories import create

CONFIG = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n"


def test_a_folder_outside_of_git_holds_what_was_named(tmp_path: Path) -> None:
    for name in ("dev", "prod"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.yaml").write_text(CONFIG)
    place = place_of([str(tmp_path / "dev"), str(tmp_path / "prod" / "a.yaml")])

    assert place.paths == ("dev", "prod/a.yaml")
    assert (place.path_of(str(tmp_path)), place.path_of(str(tmp_path.parent))) == ("", None)


def test_the_configuration_counts_in_and_outside_of_git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE"):
        monkeypatch.delenv(name, raising=False)
    repo = create(tmp_path / "repo")
    repo.write({"app/a.yaml": CONFIG, "other/a.yaml": CONFIG})
    monkeypatch.chdir(repo.folder)
    plain = tmp_path / "plain"
    (plain / "app").mkdir(parents=True)
    (plain / "app" / "a.yaml").write_text(CONFIG)

    for folder in (repo.folder, plain):
        entry = Configured("app", str(folder), is_recursive=True)
        reasons = {unit.root: unit.applied.reason.text for unit in place_of([str(folder)]).units([entry])}
        assert reasons["app"] == ""


def test_outside_of_git_a_configuration_above_names_units_below_what_was_named(tmp_path: Path) -> None:
    (tmp_path / "all" / "dev").mkdir(parents=True)
    (tmp_path / "all" / "dev" / "a.yaml").write_text(CONFIG)
    entries = [Configured("all/dev", str(tmp_path))]
    place = place_of([str(tmp_path / "all")], entries)

    assert place.paths == ("all",)
    assert [unit.root for unit in place.units(entries)] == ["all/dev"]


def test_a_place_that_is_read_once_remembers_its_units_and_files(tmp_path: Path) -> None:
    for name in ("twice/a.yaml", "twice/b.yaml", "once/a.yaml"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(CONFIG)
    place = with_cache(place_of([str(tmp_path)]))
    side, units = place.side, place.units([])

    def known() -> tuple[frozenset[str], Input, list[frozenset[str] | None], tuple[Unit, ...]]:
        apart = [side.apart and side.apart(unit) for unit in units]
        return side.mentioning(("ConfigMap",)), side.read(["once/a.yaml"]), apart, place.units([])

    before = known()
    for name in ("once/a.yaml", "twice/b.yaml"):
        (tmp_path / name).unlink()

    assert known() == before
    assert frozenset({"twice/a.yaml", "twice/b.yaml"}) in before[2]


def test_several_runs_share_results_only_in_a_place_that_is_read_once(tmp_path: Path) -> None:
    place = place_of([str(tmp_path)])
    shared = with_cache(place)
    numbers = count()

    assert [place.once("key", lambda: next(numbers)) for _ in range(2)] == [0, 1]
    assert [shared.once(key, lambda: next(numbers)) for key in ("key", "key", "other")] == [2, 2, 3]
