"""A run that several machines share."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.cli.test_units import NEWER, WEB, Run, write

ROOTS = ("dev", "prod", "qa", "test/a", "test/b")


def objects(run: Run, words: Sequence[str]) -> list[tuple[str, str]]:
    _, out, complaint = run(*words, "-o", "json")
    assert not complaint or "problem" not in complaint
    return sorted((unit["root"], one["name"]) for unit in json.loads(out)["units"] for one in unit["objects"])


@pytest.mark.sampled(2)
@pytest.mark.parametrize("count", [1, 2, 7])
@pytest.mark.parametrize(
    "words",
    [["plan", "after", "--against", "none"], ["plan", "after", "--against", "dir:before"]],
    ids=["all units", "changed units"],
)
def test_all_shards_together_are_the_whole(run: Run, folder: Path, words: list[str], count: int) -> None:
    write(folder, {f"before/{root}/web.yaml": WEB for root in ROOTS})
    write(folder, {f"after/{root}/web.yaml": NEWER for root in ROOTS})
    # Two alternatives of one folder are two units.
    write(folder, {"after/twice/a.yaml": WEB, "after/twice/b.yaml": NEWER})

    parts = [objects(run, [*words, "--shard", f"{number}/{count}"]) for number in range(1, count + 1)]

    assert sorted(one for part in parts for one in part) == objects(run, words)


def test_cached_results_are_divided_among_shards(run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("APPLYLINT_CACHE_DIR", str(folder / "kept"))
    bad = WEB.replace("replicas: 1", "replicas: -1")
    write(folder, {f"all/{root}/web.yaml": bad for root in ROOTS})
    words = ["check", "all", "--against", "none", "-o", "json"]

    whole = json.loads(run(*words)[1])["summary"]["error"]
    parts = [json.loads(run(*words, "--shard", f"{number}/2")[1])["summary"]["error"] for number in (1, 2)]

    assert sum(parts) == whole == len(ROOTS)
    assert 0 not in parts


@pytest.mark.parametrize("against", ["none", "dir:all"])
def test_a_root_that_no_unit_has_does_not_pass_in_a_shard(run: Run, folder: Path, against: str) -> None:
    write(folder, {f"all/{root}/web.yaml": WEB for root in ROOTS})
    words = ["check", "all", "--against", against, "--shard", "2/2", "--unit"]

    assert run(*words, "pord")[0] == 2
    # That is in the other shard.
    assert [run(*words, root)[0] for root in ("dev", "prod")] == [0, 0]


def test_one_apply_has_no_parts(run: Run, folder: Path) -> None:
    write(folder, {"web.yaml": WEB})

    code, _, complaint = run("check", "-f", "web.yaml", "--shard", "1/2")
    assert (code, complaint.partition(";")[0]) == (2, "applylint: --shard: this is one apply, which has no parts")


def test_a_shard_that_is_none_is_named(run: Run, folder: Path) -> None:
    code, _, complaint = run("check", ".", "--shard", "3/2")
    assert (code, complaint.partition(":")[2].partition(":")[2][:16]) == (2, " 3/2 is not a va")
