"""Values of another type than the observed ones, which a sync by Metacontroller does not store."""

from kubectl_applylint.core.gotext import encode
from kubectl_applylint.core.paths import render
from kubectl_applylint.core.values import equal
from kubectl_applylint.lint.checks._sync import synced_values
from kubectl_applylint.lint.model import Hit, Hits, Params, Subject

_WHOLES = (dict, list)


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield each observed map or list that should get another type and does not.

    Facts: field, and as JSON wanted and stored.
    """
    for meeting in synced_values(subject):
        observed, desired = meeting.observed, meeting.desired
        if isinstance(observed, _WHOLES) and type(observed) is not type(desired) and not equal(meeting.stored, desired):
            facts = {"field": render(meeting.path), "wanted": encode(desired), "stored": encode(meeting.stored)}
            yield Hit(meeting.path, facts)
