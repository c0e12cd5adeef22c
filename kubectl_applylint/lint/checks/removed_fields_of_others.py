"""Fields that leave the manifest of a server-side apply and stay live because of another owner."""

from collections.abc import Collection, Iterator
from shlex import quote

from kubectl_applylint.core.gotext import encode
from kubectl_applylint.core.outcome import Outcome, Owner, OwnerChange
from kubectl_applylint.core.paths import Path
from kubectl_applylint.core.state import live_object
from kubectl_applylint.core.values import Json, dig, items, mapping
from kubectl_applylint.lint.checks._owners import ANNOTATION_PATH, own_managers
from kubectl_applylint.lint.model import Hit, Hits, Params, Scenario, Subject


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield fields that the apply disowns and that another manager keeps, without their children.

    ``params["operation"]`` is the operation of these managers: ``Apply`` or ``Update``. Writers of a subresource, such
    as
    an autoscaler, are skipped: to leave a field to them is the intended way; so is kubectl, which keeps the
    last-applied
    annotation for itself. Facts: owners, release (a JSON patch that removes their ownership, as one word of a shell).
    """
    found: list[Path] = []
    for change in _disowned_fields(subject, subject.predict(Scenario.APPLY)):
        keepers = [owner for owner in change.after if owner.operation == params["operation"] and not owner.subresource]
        if keepers and len(keepers) == len(change.after) and not any(change.path[: len(p)] == p for p in found):
            found.append(change.path)
            release = quote(_release(subject, keepers))
            yield Hit(change.path, {"owners": ", ".join(map(str, keepers)), "release": release})


def _disowned_fields(subject: Subject, outcome: Outcome) -> Iterator[OwnerChange]:
    """Yield the fields that the apply disowns and that others own."""
    own = own_managers(subject)
    for change in () if outcome.refused else outcome.owner_changes:
        given = own.intersection(change.lost) and own.isdisjoint(change.after)
        if given and change.after and change.path != ANNOTATION_PATH:
            yield change


def _release(subject: Subject, owners: Collection[Owner]) -> str:
    """Return a JSON patch that removes owners from the managedFields; it fails if these have changed since."""
    listed = [mapping(entry) for entry in items(dig(live_object(subject.state.live), "metadata", "managedFields"))]
    steps: list[Json] = []
    for at, entry in reversed(list(enumerate(listed))):
        name, operation = str(entry.get("manager")), str(entry.get("operation"))
        if Owner(name, operation, str(entry.get("subresource", ""))) in owners:
            place = f"/metadata/managedFields/{at}"
            steps.append({"op": "test", "path": f"{place}/manager", "value": name})
            steps.append({"op": "test", "path": f"{place}/operation", "value": operation})
            steps.append({"op": "remove", "path": place})
    return encode(steps)
