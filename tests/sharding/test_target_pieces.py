"""The pairs of a target and a unit, and which shard has which."""

from pathlib import Path

from kubectl_applylint.run.request import Request
from kubectl_applylint.run.sides.places import place_of
from kubectl_applylint.sharding.shard import Shard
from kubectl_applylint.sharding.target_pieces import requested_units, unit_keys_in_shard
from kubectl_applylint.units.model import Form, Unit

MAP = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\n"


def test_pieces_are_the_units_that_patterns_name(tmp_path: Path) -> None:
    for name in ("dev/a.yaml", "prod/a.yaml", "twice/a.yaml", "twice/b.yaml"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(MAP)
    place = place_of([str(tmp_path)])

    def roots(*patterns: str) -> list[str]:
        return [unit.root for unit in requested_units(Request(files=(str(tmp_path),), roots=patterns), place)]

    assert roots() == ["dev", "prod", "twice"]
    assert roots("dev", "p*") == ["dev", "prod"]
    assert roots("twice/b.yaml") == ["twice"]
    assert roots("nowhere") == []


def unit(root: str, files: int = 10) -> Unit:
    return Unit(root, Form.FOLDER, frozenset(f"{root}/{number}" for number in range(files)))


TARGETS = {"eu": [unit("a"), unit("b")], "us": [unit("a"), unit("b"), unit("c", 300)], "one": []}


def test_each_pair_is_in_one_shard_and_the_first_has_what_is_in_no_unit() -> None:
    for count in (1, 2, 3, 7, 20):
        shards = [unit_keys_in_shard(Shard(number, count), TARGETS) for number in range(1, count + 1)]
        every = [(name, key) for shard in shards for name, keys in shard.items() for key in keys]
        expected = [(name, one.key) for name, units in TARGETS.items() for one in units]

        assert sorted(every) == sorted([*expected, *((name, ()) for name in TARGETS)])


def test_a_target_stays_together() -> None:
    alike = {"eu": TARGETS["eu"], "us": TARGETS["us"][:2]}
    first, second = (unit_keys_in_shard(Shard(number, 2), alike) for number in (1, 2))

    assert ([*first], [*second]) == (["eu"], ["us"])


def test_timings_are_those_of_a_target() -> None:
    timings = {"eu": 1.0, "eu: a": 50.0, "eu: b": 1.0, "us": 1.0, "us: a": 1.0, "us: b": 1.0, "us: c": 1.0, "a": 99.0}
    first = unit_keys_in_shard(Shard(1, 2), TARGETS, timings)

    assert first == {"eu": {unit("a").key, ()}}
