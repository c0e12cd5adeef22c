"""Addresses and ports that the server allocated to a Service and that the apply releases."""

from collections.abc import Iterator

from kubectl_applylint.core.paths import Field, Path, fields, leaves, render
from kubectl_applylint.core.state import Unknown, live_object
from kubectl_applylint.core.values import MISSING, Json, JsonObject, Missing, dig, equal
from kubectl_applylint.lint.model import Hit, Hits, Params, Scenario, Subject

_GIVEN = ("clusterIP", "healthCheckNodePort", "nodePort", "ip", "hostname")
_HEADLESS = "None"


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield ``type`` or ``ports`` once if the live Service has an address or a port that it loses.

    ``params["type_changes"]``: whether the type changes as well, or else the server allocates others. Skipped if the
    apply is rejected. Facts: before, after (the types), released (the fields with their values), values.
    """
    outcome, live = subject.predict(Scenario.APPLY), live_object(subject.state.live)
    if outcome.refused or outcome.result is None:
        return
    before, after = (dig(side, "spec", "type") for side in (live, outcome.result))
    given = [value for _, value in _allocations(outcome.result)]
    kept, is_meant = set(map(repr, given)), not equal(before, after)
    if not params["type_changes"]:
        is_meant = not is_meant and any(isinstance(value, Unknown) for value in given)
    lost = [(path, value) for path, value in _allocations(live) if repr(value) not in kept]
    if lost and is_meant:
        words = ", ".join(
            f"{render(path)} {'' if isinstance(value, Unknown) else value}".rstrip() for path, value in lost
        )
        values = dict.fromkeys("the current value" if isinstance(value, Unknown) else str(value) for _, value in lost)
        facts = {"before": before, "after": after, "released": words, "values": ", ".join(values)}
        yield Hit(fields("spec", "type" if params["type_changes"] else "ports"), facts)


def _allocations(service: JsonObject | Missing) -> Iterator[tuple[Path, Json]]:
    """Yield the allocated addresses and ports of a Service."""
    for place in (("spec",), ("status", "loadBalancer")):
        for path, value in leaves(dig(service, *place), fields(*place)):
            match path[-1]:
                case Field(name) if name in _GIVEN and value not in (MISSING, "", _HEADLESS):
                    yield path, value
