"""The files of charts that are folders of the repository."""

from collections.abc import Mapping
from functools import cache
from typing import Final

from kubectl_applylint.run.sides.side import FETCH_ADVICE, RENDER_ADVICE, Side
from kubectl_applylint.run.sides.stored_dependencies import with_stored_dependencies
from kubectl_applylint.sources.render.chart_files import Charts, chart_layout

MISSING: Final = "the chart is not in the store"
"""The reason that a chart is not rendered."""


class ChartError(Exception):
    """A chart cannot be rendered; the text says why, ``reason`` the same without names, ``advice`` what to do."""

    def __init__(self, message: str, reason: str = "", advice: str = FETCH_ADVICE) -> None:
        super().__init__(message)
        self.reason = reason or message
        self.advice = advice


def files_of_chart(side: Side, folder: str) -> Mapping[str, bytes]:
    """Return the files of a chart by their path in it, with its dependencies from the store; raise ``ChartError``."""
    charts = Charts(side.paths, cache(side.content))
    starts = tuple(f"{one}/" if one else "" for one in (folder, *charts.neighbours(folder)))
    own = frozenset(path for path in side.paths if path.startswith(starts))
    layout = chart_layout(folder, own, charts, side.link_targets)
    if layout.fault:
        raise ChartError(layout.fault, advice=RENDER_ADVICE)
    texts = side.contents([*layout.sources.values()])
    start = f"{folder}/" if folder else ""
    files = {path: texts[origin] for path, origin in layout.sources.items() if origin in texts}
    whole, missing = with_stored_dependencies(files, layout.missing)
    if missing:
        raise ChartError(f"its dependency {missing[0].words}", MISSING)
    return {path.removeprefix(start): text for path, text in whole.items() if path.startswith(start)}
