"""Sends reports from a worker process, without the documents that the parent process already has."""

from collections.abc import Iterator

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.outcome import Outcome
from kubectl_applylint.core.records import dataclass, replace
from kubectl_applylint.lint.model import Report
from kubectl_applylint.run.load.run_input import RunInput


@dataclass(frozen=True, slots=True)
class SentReport:
    """A report whose outcomes refer to documents by index in the input; documents of live objects are included."""

    report: Report
    outcomes: tuple[tuple[int | Document, Outcome], ...]


def strip_documents(found: RunInput, report: Report) -> SentReport:
    """Return the report on ``found`` with indices instead of its documents.

    Without outcomes no document is needed: those of a cached unit would be read for nothing.
    """
    documents = _documents(found) if report.outcomes else ()
    places = {id(document): place for place, document in enumerate(documents)}
    outcomes = ((places.get(id(document), document), outcome) for document, outcome in report.outcomes)
    return SentReport(replace(report, outcomes=()), tuple(outcomes))


def restore_report(found: RunInput, sent: SentReport) -> Report:
    """Return the report on ``found`` with its documents again."""
    documents = tuple(_documents(found)) if sent.outcomes else ()
    outcomes = ((documents[one] if isinstance(one, int) else one, outcome) for one, outcome in sent.outcomes)
    return replace(sent.report, outcomes=tuple(outcomes))


def _documents(found: RunInput) -> Iterator[Document]:
    yield from (subject.document for subject in found.subjects)
    yield from (one.document for one in found.unread)
    yield from found.documents
    yield from found.others
