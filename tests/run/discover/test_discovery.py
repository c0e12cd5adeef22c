"""A discovery whose units declare no others unless it says so."""

from kubectl_applylint.run.discover.discovery import DiscoveredUnits
from kubectl_applylint.run.load.run_input import RunInput
from kubectl_applylint.run.unit_run import Runs, UnitRun


def test_units_declare_nothing_by_default() -> None:
    found: DiscoveredUnits[str] = DiscoveredUnits(["a"], lambda unit: None, lambda loaded: Runs(tuple(loaded)))

    assert [*found.declared_by(UnitRun(None, RunInput()))] == []
    assert found.static is None
