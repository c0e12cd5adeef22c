"""What each shard of a run finds out of all files, found out once."""

from pathlib import Path

import pytest

from kubectl_applylint.run.place_index import (
    NoIndex,
    PlaceIndex,
    found_once,
    index_of,
    index_text,
    indexed,
    made_of,
    read_index,
)
from kubectl_applylint.run.places import Place, place_of
from kubectl_applylint.run.unit_shards import SECRETS
from kubectl_applylint.sources.part_files import INDEX_VERSION
from kubectl_applylint.units.configured import Configured
from tests.sources.repositories import create

MAP = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\n"
SECRET = MAP.replace("ConfigMap", "Secret")


@pytest.fixture(name="place")
def _place(tmp_path: Path) -> Place:
    for name, text in {"twice/a.yaml": MAP, "twice/b.yaml": MAP, "once/a.yaml": SECRET}.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    return place_of([str(tmp_path)])


def test_an_index_has_what_is_mentioned_and_which_files_are_apart(place: Place) -> None:
    index = index_of(place, [])

    assert index.mentions["Secret"] == ("once/a.yaml",)
    assert [*index.apart.values()] == [("twice/a.yaml", "twice/b.yaml")]


def test_of_a_place_with_an_index_nothing_is_found_out_again(place: Place) -> None:
    index = PlaceIndex("", {"Secret": ("elsewhere.yaml",)}, {})
    side = indexed(place, index).side
    folders = place.units([])

    assert side.mentioning(SECRETS) == {"elsewhere.yaml"}
    assert side.mentioning(("ConfigMap",)) == {"twice/a.yaml", "twice/b.yaml"}
    assert side.apart
    assert [side.apart(unit) for unit in folders] == [frozenset()] * 2


def test_things_are_found_once(place: Place) -> None:
    known = found_once(place)
    unit = known.units([])[-1]
    before = (known.side.mentioning(SECRETS), known.side.apart and known.side.apart(unit), known.units([]))
    for name in ("once/a.yaml", "twice/b.yaml"):
        Path(place.side.label(name)).unlink()

    assert before == (known.side.mentioning(SECRETS), known.side.apart and known.side.apart(unit), known.units([]))
    assert before[1] == frozenset({"twice/a.yaml", "twice/b.yaml"})


def test_an_index_is_of_the_files_that_it_was_made_of(place: Place, tmp_path: Path) -> None:
    before = made_of(place, [])
    Path(place.side.label("once/a.yaml")).write_text(MAP)
    later = place_of([str(tmp_path)])

    assert len({before, made_of(later, []), made_of(later, [Configured("once")])}) == 3


def test_of_a_repository_the_commit_counts_and_what_differs_from_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo = create(tmp_path / "repo")
    monkeypatch.chdir(repo.folder)
    found = []
    for files in ({"a.yaml": MAP}, {"a.yaml": SECRET}, {"b.yaml": MAP}):
        repo.write(files)
        found.append(made_of(place_of(["."]), []))
    repo.commit({})
    found.append(made_of(place_of(["."]), []))
    repo.write({"a.yaml": MAP})
    found.append(made_of(place_of(["."]), []))

    assert len({*found}) == 5


def test_an_index_is_read_as_it_was_written(place: Place) -> None:
    index = index_of(place, [])

    assert read_index(index_text(index).encode()) == index
    assert index_text(index).startswith(f'{{"version":"{INDEX_VERSION}"')


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (b"", "not JSON"),
        (b"\xff", "not JSON"),
        (b"[" * 100_000, "not JSON"),
        (b"[]", "its version is not index-v1"),
        (b'{"version":"index-v1"}', "not written by applylint: expected dict, found NoneType"),
    ],
    ids=["empty", "binary", "deep", "list", "no index"],
)
def test_any_other_text_is_told(text: bytes, why: str) -> None:
    with pytest.raises(NoIndex, match=why):
        read_index(text)
