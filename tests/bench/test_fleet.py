import json
from pathlib import Path

from bench.fleet import FEW, Fleet, few, write
from kubectl_applylint.core.selector import parse


def test_the_same_fleet_is_written_each_time(tmp_path: Path) -> None:
    size = Fleet(units=12, targets=6, objects=200, pairs=3)
    one, other = write(tmp_path / "one", size), write(tmp_path / "other", size)
    files = {str(path.relative_to(one)): path.read_text() for path in one.rglob("*") if path.is_file()}

    assert files == {str(path.relative_to(other)): path.read_text() for path in other.rglob("*") if path.is_file()}
    assert len(files) == 12 * 10 + 6 + 1
    snapshot = json.loads(files["clusters/cluster-005.json"])["items"]
    names = {(one["kind"], one["metadata"].get("namespace"), one["metadata"]["name"]) for one in snapshot}
    assert len(names) == len(snapshot) == 200


def test_some_targets_are_chosen_by_a_label(tmp_path: Path) -> None:
    size = Fleet(units=4, targets=6, objects=30, pairs=1)
    targets = json.loads((write(tmp_path / "fleet", size) / ".applylint.yaml").read_text())["targets"]

    assert [one["name"] for one in targets if FEW in one["labels"]] == ["cluster-000", "cluster-005"]
    assert few(size) == 2
    assert parse(FEW)
    assert [len(one["units"]) for one in targets] == [1] * 6
