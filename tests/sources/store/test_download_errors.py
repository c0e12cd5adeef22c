"""The errors of downloads."""

from kubectl_applylint.sources.store.absence import Absence
from kubectl_applylint.sources.store.chart_source import ChartSource, SourceKind
from kubectl_applylint.sources.store.download_errors import AbsentError, DownloadError

CHART = ChartSource(SourceKind.HELM, "https://example.com/charts", "web", "1.0.0")


def test_an_absent_version_is_the_reason_of_a_failed_download() -> None:
    absence = Absence(hint="its newest version is 1.2.3")
    found = AbsentError(CHART, absence)

    assert isinstance(found, DownloadError)
    assert found.absence == absence
    assert str(found) == "it does not have the version 1.0.0 of the chart web; its newest version is 1.2.3"
    assert str(AbsentError(CHART, Absence(is_whole=True))) == "it does not have the chart web"
