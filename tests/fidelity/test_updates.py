"""The update of a child against what the real Metacontroller makes of it."""

from pathlib import Path

import pytest

from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.tools.metacontroller.write import ANNOTATION
from tests.fidelity.updates import Update, drawn, read_updates, save, wrong

RECORDED = Path(__file__).parent / "metacontroller-updates.jsonl.gz"
WANTED: JsonObject = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}}


def test_every_recorded_update_is_predicted() -> None:
    updates = [update for update in read_updates(RECORDED) if update.is_as_in_newer_versions]

    assert len(updates) > 350
    assert wrong(updates) == []


def test_few_updates_differ_in_newer_versions() -> None:
    assert len(wrong(read_updates(RECORDED))) < 8


@pytest.mark.parametrize(
    ("wanted", "is_alike"),
    [
        (WANTED, True),
        ({**WANTED, "mounts": [{"name": "a", "mountPath": "/a"}]}, False),
        ({**WANTED, "rules": [{"path": "/a"}]}, False),
        ({**WANTED, "ports": [{"port": 1, "path": "/a"}]}, True),
        ({**WANTED, "metadata": {"name": "a", "annotations": {"a": None}}}, False),
    ],
    ids=["no list", "mountPath", "path", "an older key before path", "null"],
)
def test_updates_that_differ_in_newer_versions_are_recognized(wanted: JsonObject, is_alike: bool) -> None:
    assert Update(WANTED, wanted, {}).is_as_in_newer_versions is is_alike


def test_a_wrong_prediction_is_found(tmp_path: Path) -> None:
    noted = {**WANTED, "metadata": {"name": "a", "annotations": {ANNOTATION: "[]"}}}
    updates = [Update(WANTED, WANTED, {"updated": WANTED}), Update(noted, WANTED, {"updated": WANTED})]
    right = Update(noted, WANTED, {"error": "can't unmarshal"})
    save([*updates, right], tmp_path / "updates")

    assert wrong(read_updates(tmp_path / "updates")) == updates


def test_the_same_seed_draws_the_same_children() -> None:
    assert list(drawn("a", 5)) == list(drawn("a", 5)) != list(drawn("b", 5))
