"""Objects that are there and that the run does not apply."""

from collections.abc import Iterator, Mapping

from kubectl_applylint.checks._graph import users
from kubectl_applylint.model import Hit, Scenario, Subject
from kubectl_applylint.paths import fields
from kubectl_applylint.values import Json


def check(subject: Subject, *, params: Mapping[str, Json]) -> Iterator[Hit]:
    """Yield the name once if what becomes of the object is among ``params["departures"]``, names of ``Departure``.

    With ``alone`` only if no object of the run names it, and if it has not got another name. Facts: ``along`` (what
    goes with it).
    """
    departure = subject.departure
    if departure is None or departure.name not in params["departures"]:
        return
    if params.get("alone") and (subject.passage.successor(subject.ref) or any(users(subject))):
        return
    along = "; ".join(subject.foretell(Scenario.APPLY).warnings)
    yield Hit(fields("metadata", "name"), {"along": along})
