"""Execution of a run: in rounds, in processes, with the results of earlier runs."""

from collections.abc import Sequence

from kubectl_applylint.run.discover.discovery import DiscoveredUnits
from kubectl_applylint.run.execute import SERIAL
from kubectl_applylint.run.load.run_input import RunInput
from kubectl_applylint.run.loaded_units import LoadedUnit, LoadedUnits
from kubectl_applylint.units.model import Form, Unit
from tests.run.running import NO_RULES


def unit(name: str) -> Unit:
    return Unit(name, Form.FOLDER, frozenset())


def test_units_that_objects_declare_are_loaded_in_the_next_round() -> None:
    declared = {"apps": ["web", "empty"], "web": ["web/child"]}

    def load(one: Unit) -> LoadedUnit | None:
        return None if one.root == "empty" else LoadedUnit(one, RunInput())

    def declared_by(runs: Sequence[LoadedUnit]) -> Sequence[Unit]:
        return [unit(name) for run in runs if run.unit for name in declared.get(run.unit.root, [])]

    discovery = DiscoveredUnits(
        [unit("apps"), unit("other")], load, lambda loaded: LoadedUnits(tuple(loaded)), declared_by
    )

    assert [run.unit and run.unit.root for run in SERIAL.load(discovery, NO_RULES)] == [
        "apps",
        "other",
        "web",
        "web/child",
    ]


def test_each_unit_has_its_report() -> None:
    runs = LoadedUnits(tuple(LoadedUnit(unit(name), RunInput(notes=(name,))) for name in ("a", "b")))

    assert [report.notes for report, _ in SERIAL.evaluate(runs, NO_RULES)] == [("a",), ("b",)]
