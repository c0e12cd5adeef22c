"""Reports on their way from a copy of this process: without the documents, which this process has."""

from collections.abc import Iterator

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.outcome import Outcome
from kubectl_applylint.core.records import dataclass, replace
from kubectl_applylint.lint.model import Report
from kubectl_applylint.run.load.run_input import RunInput


@dataclass(frozen=True, slots=True)
class SentReport:
    """A report whose outcomes name their documents by their places in the input; one of a live object is sent."""

    report: Report
    outcomes: tuple[tuple[int | Document, Outcome], ...]


def strip_documents(found: RunInput, report: Report) -> SentReport:
    """Return what is sent of the report on ``found``."""
    places = {id(document): place for place, document in enumerate(_documents(found))}
    outcomes = ((places.get(id(document), document), outcome) for document, outcome in report.outcomes)
    return SentReport(replace(report, outcomes=()), tuple(outcomes))


def restore_report(found: RunInput, came: SentReport) -> Report:
    """Return the report on ``found`` of which this was sent."""
    documents = tuple(_documents(found))
    outcomes = ((documents[one] if isinstance(one, int) else one, outcome) for one, outcome in came.outcomes)
    return replace(came.report, outcomes=tuple(outcomes))


def _documents(found: RunInput) -> Iterator[Document]:
    yield from (subject.document for subject in found.subjects)
    yield from (one.document for one in found.unread)
    yield from found.documents
    yield from found.others
