"""Discovers the units of a request: one discovery for each scope."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from kubectl_applylint.run.compare.live_source import LiveSources
from kubectl_applylint.run.discover import changed_units, one_apply, repository_units
from kubectl_applylint.run.discover.discovery import DiscoveredUnits
from kubectl_applylint.run.execute import Executor
from kubectl_applylint.run.request import Request, RequestScope, scope_of

_DISCOVERIES: Final[Mapping[RequestScope, Callable[[Request, LiveSources, Executor], DiscoveredUnits[Any]]]] = {
    RequestScope.ONE_APPLY: one_apply.discover,
    RequestScope.UNITS: repository_units.discover,
    RequestScope.CHANGE: changed_units.discover,
}


def discover(request: Request, sources: LiveSources, executor: Executor) -> DiscoveredUnits[Any]:
    """Return the units of a request: the one apply that it names, those of a repository, or those of a change."""
    return _DISCOVERIES[scope_of(request)](request, sources, executor)
