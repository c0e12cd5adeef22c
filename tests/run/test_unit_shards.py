"""Which units belong to a shard."""

from pathlib import Path

from kubectl_applylint.run import sides
from kubectl_applylint.run.unit_changes import Revisions
from kubectl_applylint.run.unit_shards import in_shard, pairs_in_shard, secrets_in, secrets_of, weights_of
from kubectl_applylint.units.model import Form, Unit
from kubectl_applylint.units.shards import Shard


def folder(root: str, number: int = 1) -> Unit:
    return Unit(root, Form.FOLDER, frozenset(f"{root}/{one}.yaml" for one in range(number)))


LARGE, SMALL = folder("large", 9), folder("small")


def test_without_a_shard_all_are_looked_at() -> None:
    assert in_shard(None, [])(SMALL)
    assert pairs_in_shard(None, [(LARGE, SMALL)]) == ((LARGE, SMALL),)


def test_a_file_goes_with_its_folder() -> None:
    first, second = (in_shard(Shard(number, 2), [LARGE, SMALL]) for number in (1, 2))
    part = Unit("large/3.yaml", Form.FILE, frozenset({"large/3.yaml"}))

    assert [first(unit) for unit in (LARGE, part, SMALL)] == [True, True, False]
    assert [second(unit) for unit in (LARGE, part, SMALL)] == [False, False, True]


def test_what_is_named_and_in_no_unit_is_in_the_first() -> None:
    other = Unit("other.yaml", Form.FILE, frozenset({"other.yaml"}))

    assert [in_shard(Shard(number, 2), [SMALL])(other) for number in (1, 2)] == [True, False]


def test_pairs_are_shared_out_by_their_files() -> None:
    pairs = [(None, SMALL), (LARGE, LARGE), (folder("gone"), None)]

    assert pairs_in_shard(Shard(1, 2), pairs) == ((LARGE, LARGE),)
    assert pairs_in_shard(Shard(2, 2), pairs) == ((None, SMALL), (folder("gone"), None))


def test_units_weigh_what_they_took() -> None:
    units = [LARGE, SMALL, folder("new", 3)]

    assert weights_of(units, {}) == [9, 1, 3]
    assert weights_of(units, {"large": 0.5, "small": 2.0}) == [500, 2000, 750]
    assert weights_of([LARGE], {"large/1.yaml": 0.25, "large/2.yaml": 0.5, "other": 9.0}) == [750]


def test_shards_are_balanced_by_what_units_took() -> None:
    slow, units = folder("slow"), [LARGE, SMALL, folder("slow")]
    timings = {"large": 1.0, "small": 1.0, "slow": 5.0}

    assert [[in_shard(Shard(number, 2), units, timings)(unit) for unit in units] for number in (1, 2)] == [
        [False, False, True],
        [True, True, False],
    ]
    assert pairs_in_shard(Shard(1, 2), [(None, LARGE), (SMALL, SMALL), (slow, None)], timings) == ((slow, None),)


def secret(name: str) -> str:
    kinds = {"Secret": name, "ConfigMap": "c"}
    return "---\n".join(f"apiVersion: v1\nkind: {kind}\nmetadata: {{name: {name}}}\n" for kind, name in kinds.items())


def test_secrets_of_other_shards_are_known_on_both_sides(tmp_path: Path) -> None:
    for name in ("before", "after"):
        (tmp_path / name / "small").mkdir(parents=True)
        (tmp_path / name / "small" / "0.yaml").write_text(secret(name))
        (tmp_path / name / "other.yaml").write_text(secret("other"))
    before, after = (sides.of_folder(str(tmp_path / name)) for name in ("before", "after"))
    found = Revisions(before, after, frozenset(), ((), ()))

    assert [item["metadata"]["name"] for item in secrets_of(found, [(SMALL, SMALL)])] == ["before", "after"]
    assert [item["metadata"]["name"] for item in secrets_of(found, [(None, SMALL)])] == ["after"]
    assert [*secrets_in(before, [])] == []
