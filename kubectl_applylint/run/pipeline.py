"""One run: discover the units, load them, evaluate them, and collect the reports.

The commands ``check`` and ``plan`` and the library share all of it; they differ in the request and the evaluation.
"""

from contextlib import AbstractContextManager
from typing import Final

from kubectl_applylint.core.problem import UnreadableError
from kubectl_applylint.core.records import replace
from kubectl_applylint.engine.recent_outcomes import RecentOutcomes
from kubectl_applylint.run.collect import RunResult, collect
from kubectl_applylint.run.compare.live_source import LiveSources
from kubectl_applylint.run.discover.discover import discover
from kubectl_applylint.run.evaluate import Evaluation
from kubectl_applylint.run.execute import SERIAL, Executor
from kubectl_applylint.run.request import Request
from kubectl_applylint.sources.git.git import GitError

_MOST_OUTCOMES: Final = 500
"""The number of outcomes after which older ones are released; some have a definition of a megabyte."""


def run(
    request: Request, opened: AbstractContextManager[LiveSources], evaluation: Evaluation, executor: Executor = SERIAL
) -> RunResult:
    """Return the report of each unit of a request, and the report of all.

    The sources to compare with stay ``opened`` until the units are loaded. Raises ``UnreadableError`` if they cannot be
    read, ``UnknownPathError`` for a path that exists in no revision, ``UnknownRootError`` for a root that no unit has.
    """
    try:
        with opened as sources:
            discovery = discover(request, _with_shared_outcomes(sources), executor)
            units = discovery.join(executor.load(discovery, evaluation))
        return collect(units, executor.evaluate(units, evaluation), evaluation, request.flags)
    except GitError as fault:
        raise UnreadableError(fault.problem) from fault


def _with_shared_outcomes(sources: LiveSources) -> LiveSources:
    """Return sources with which units share outcomes: overlays of several environments have many equal objects."""
    if sources.shared.recent is not None:
        return sources
    return replace(sources, shared=replace(sources.shared, recent=RecentOutcomes(_MOST_OUTCOMES)))
