"""Lines that leave the manifest of a server-side apply and stay live, because somebody else owns them too."""

from collections.abc import Iterator

from kubectl_applylint.core.outcome import Outcome, OwnerChange
from kubectl_applylint.core.paths import Path
from kubectl_applylint.lint.checks._owners import ANNOTATION_PATH, us
from kubectl_applylint.lint.model import Hit, Hits, Params, Scenario, Subject


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield each field that the apply lets go of and that others keep alive; what is inside such a field is not told.

    ``params["operation"]`` says how those others write: ``Apply`` or ``Update``. Who writes through a subresource, as
    an autoscaler does, does not count: to leave a field to it is the way to live with it; nor does kubectl, which keeps
    the last-applied annotation for itself. Facts: owners.
    """
    found: list[Path] = []
    for change in _given_up(subject, subject.predict(Scenario.APPLY)):
        keepers = [owner for owner in change.after if owner.operation == params["operation"] and not owner.subresource]
        if keepers and len(keepers) == len(change.after) and not any(change.path[: len(p)] == p for p in found):
            found.append(change.path)
            yield Hit(change.path, {"owners": ", ".join(map(str, keepers))})


def _given_up(subject: Subject, outcome: Outcome) -> Iterator[OwnerChange]:
    own = us(subject)
    for change in () if outcome.refused else outcome.owner_changes:
        given = own.intersection(change.lost) and own.isdisjoint(change.after)
        if given and change.after and change.path != ANNOTATION_PATH:
            yield change
