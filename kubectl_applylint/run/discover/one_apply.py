"""Discovers the one apply that the caller names."""

from collections.abc import Sequence

from kubectl_applylint.run.compare.live_source import LiveSources
from kubectl_applylint.run.discover.discovery import DiscoveredUnits
from kubectl_applylint.run.discover.joining import notes_about_run
from kubectl_applylint.run.execute import Executor
from kubectl_applylint.run.load.load_apply import load_apply
from kubectl_applylint.run.loaded_units import LoadedUnit, LoadedUnits
from kubectl_applylint.run.request import Request
from kubectl_applylint.run.run_notes import RunNotes


def discover(request: Request, sources: LiveSources, executor: Executor) -> DiscoveredUnits[Request]:
    """Return the apply of a request as the only unit of the run."""
    return DiscoveredUnits([request], lambda asked: LoadedUnit(None, load_apply(asked, sources.shared)), _join)


def _join(loaded: Sequence[LoadedUnit]) -> LoadedUnits:
    found = loaded[0].input
    return LoadedUnits(tuple(loaded), RunNotes(own=notes_about_run(found.notes)), found.origin)
