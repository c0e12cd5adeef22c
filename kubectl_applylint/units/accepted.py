"""Entries of ``incomplete``: units that the configuration accepts as incomplete, each with a reason."""

from collections.abc import Iterable
from datetime import date

from kubectl_applylint.core.records import dataclass


@dataclass(frozen=True, slots=True)
class AcceptedGap:
    """An entry of ``incomplete``: a pattern for the units that may be incomplete, and the reason.

    ``unit`` is a root or ``KIND/NAMESPACE/NAME``, with ``*`` and ``**``. ``file`` is the untrusted configuration that
    holds the entry, empty for a trusted one.
    """

    unit: str
    reason: str
    until: date | None = None
    """The last day on which it applies."""
    file: str = ""


def without_new_entries(gaps: Iterable[AcceptedGap], earlier: Iterable[AcceptedGap]) -> tuple[AcceptedGap, ...]:
    """Return the entries that a change cannot have added: trusted ones, and those that the earlier revision has."""
    known = {one.unit for one in earlier}
    return tuple(one for one in gaps if not one.file or one.unit in known)


def active_gaps(gaps: Iterable[AcceptedGap], today: date) -> tuple[AcceptedGap, ...]:
    """Return the entries whose last day has not passed."""
    return tuple(one for one in gaps if one.until is None or one.until >= today)
