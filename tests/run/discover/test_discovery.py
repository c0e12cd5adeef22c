"""A discovery whose units declare no others unless it says so."""

from kubectl_applylint.run.discover.discovery import DiscoveredUnits
from kubectl_applylint.run.load.run_input import RunInput
from kubectl_applylint.run.loaded_units import LoadedUnit, LoadedUnits


def test_units_declare_nothing_by_default() -> None:
    found: DiscoveredUnits[str] = DiscoveredUnits(["a"], lambda unit: None, lambda loaded: LoadedUnits(tuple(loaded)))

    assert [*found.declared_by([LoadedUnit(None, RunInput())])] == []
    assert found.static is None
