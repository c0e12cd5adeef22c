"""The errors of downloads."""

from typing import Final

from kubectl_applylint.sources.store.absence import Absence
from kubectl_applylint.sources.store.chart_source import ChartSource

CHECK_ADVICE: Final = "check the URL and the version"


class DownloadError(Exception):
    """A download failed; the text is the reason, without any login, and ``advice`` says what to do."""

    def __init__(self, reason: str, advice: str = CHECK_ADVICE) -> None:
        super().__init__(reason)
        self.advice = advice


class AbsentError(DownloadError):
    """The source does not have what it is asked for."""

    def __init__(self, source: ChartSource, absence: Absence) -> None:
        hint = absence.hint and f"; {absence.hint}"
        super().__init__(f"it does not have {absence.wanted_words(source)}{hint}")
        self.absence = absence
