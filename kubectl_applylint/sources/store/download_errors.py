"""The errors of downloads."""

from kubectl_applylint.sources.store.absence import Absence
from kubectl_applylint.sources.store.chart_source import ChartSource


class DownloadError(Exception):
    """A download failed; the text is the reason, without any login."""


class AbsentError(DownloadError):
    """The source does not have what it is asked for."""

    def __init__(self, source: ChartSource, absence: Absence) -> None:
        hint = absence.hint and f"; {absence.hint}"
        super().__init__(f"it does not have {absence.wanted_words(source)}{hint}")
        self.absence = absence
