"""Units that belong to a shard."""

from kubectl_applylint.sharding.shard import Shard
from kubectl_applylint.sharding.shares import share_of_keys, share_of_shard, unit_weights
from kubectl_applylint.units.model import Form, Unit


def folder(root: str, number: int = 1) -> Unit:
    return Unit(root, Form.FOLDER, frozenset(f"{root}/{one}.yaml" for one in range(number)))


LARGE, SMALL = folder("large", 9), folder("small")


def test_a_file_is_in_the_shard_of_its_folder() -> None:
    first, second = (share_of_shard(Shard(number, 2)).units([LARGE, SMALL]) for number in (1, 2))
    part = Unit("large/3.yaml", Form.FILE, frozenset({"large/3.yaml"}))

    assert [first(unit) for unit in (LARGE, part, SMALL)] == [True, True, False]
    assert [second(unit) for unit in (LARGE, part, SMALL)] == [False, False, True]


def test_a_named_file_without_a_unit_is_in_the_first_shard() -> None:
    other = Unit("other.yaml", Form.FILE, frozenset({"other.yaml"}))

    assert [share_of_shard(Shard(number, 2)).units([SMALL])(other) for number in (1, 2)] == [True, False]


def test_pairs_are_shared_out_by_their_files() -> None:
    pairs = [(None, SMALL), (LARGE, LARGE), (folder("gone"), None)]

    assert share_of_shard(Shard(1, 2)).pairs(pairs) == ((LARGE, LARGE),)
    assert share_of_shard(Shard(2, 2)).pairs(pairs) == ((None, SMALL), (folder("gone"), None))


def test_units_weigh_what_they_took() -> None:
    units = [LARGE, SMALL, folder("new", 3)]

    assert unit_weights(units, {}) == [9, 1, 3]
    assert unit_weights(units, {"large": 0.5, "small": 2.0}) == [500, 2000, 750]
    assert unit_weights([LARGE], {"large/1.yaml": 0.25, "large/2.yaml": 0.5, "other": 9.0}) == [750]


def test_shards_are_balanced_by_what_units_took() -> None:
    slow, units = folder("slow"), [LARGE, SMALL, folder("slow")]
    timings = {"large": 1.0, "small": 1.0, "slow": 5.0}

    assert [[share_of_shard(Shard(number, 2), timings).units(units)(unit) for unit in units] for number in (1, 2)] == [
        [False, False, True],
        [True, True, False],
    ]
    assert share_of_shard(Shard(1, 2), timings).pairs([(None, LARGE), (SMALL, SMALL), (slow, None)]) == ((slow, None),)


def test_a_share_of_keys_has_the_units_with_these_keys() -> None:
    other = Unit("other.yaml", Form.FILE, frozenset({"other.yaml"}))

    assert [share_of_keys({SMALL.key}).units([LARGE, SMALL])(unit) for unit in (LARGE, SMALL, other)] == [
        False,
        True,
        False,
    ]
    assert share_of_keys({()}).units([LARGE])(other)
