"""Builds the message of Argo CD for a failed sync from the predicted outcomes."""

from collections.abc import Sequence
from typing import Final

from kubectl_applylint.appliers.errors import server_message
from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.outcome import Outcome
from kubectl_applylint.core.regex import regex
from kubectl_applylint.engine.set_refusals import NOT_REACHED
from kubectl_applylint.server.write import Refused
from kubectl_applylint.tools.argocd.comparison import INCOMPARABLE, UNRESPECTED
from kubectl_applylint.tools.argocd.waves import WAITS

_MAPS: Final = regex(r"map\[.*\]")


def message(outcomes: Sequence[Outcome], written: Sequence[Document] = ()) -> str:
    """Return Argo CD's messages for the objects at which a sync fails, one per line; ``""`` if it succeeds.

    Argo CD compares objects in no fixed order and stops at the first failing comparison; here the first one in
    ``written`` counts.
    """
    failed = [outcome for outcome in outcomes if outcome.refused]
    places = {document.ref: place for place, document in reversed(list(enumerate(written)))}
    compared = sorted(filter(_is_incomparable, failed), key=lambda outcome: places.get(outcome.ref, 0))
    own = compared[:1] or [outcome for outcome in failed if not _is_left_out(outcome)]
    return "\n".join(map(_message_of, own)) or "\n".join(dict.fromkeys(map(_message_of, failed)))


def _is_left_out(outcome: Outcome) -> bool:
    """Return whether the sync did not reach an object."""
    return any(cause.reason == NOT_REACHED for cause in outcome.errors)


def _is_incomparable(outcome: Outcome) -> bool:
    """Return whether an object failed the comparison."""
    return any(cause.reason in (INCOMPARABLE, UNRESPECTED) for cause in outcome.errors)


def _message_of(outcome: Outcome) -> str:
    """Return the message of Argo CD for one failed object."""
    if _is_incomparable(outcome):
        cause = outcome.errors[0]
        return f"{INCOMPARABLE}: {cause.message}" if cause.reason == INCOMPARABLE else cause.message
    text = outcome.error or server_message(Refused(outcome.status or 0, outcome.errors), outcome.ref)
    # Argo CD removes Go maps from kubectl's message: from the first map of a line to its last bracket.
    return _MAPS.sub("", text).removeprefix(WAITS)
