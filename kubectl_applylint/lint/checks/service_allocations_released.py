"""What the server gave to a Service and takes back with the apply."""

from collections.abc import Iterator

from kubectl_applylint.core.paths import Field, Path, fields, leaves, render
from kubectl_applylint.core.state import Unknown, live_object
from kubectl_applylint.core.values import MISSING, Json, JsonObject, Missing, dig, equal
from kubectl_applylint.lint.model import Hit, Hits, Params, Scenario, Subject

_GIVEN = ("clusterIP", "healthCheckNodePort", "nodePort", "ip", "hostname")
_HEADLESS = "None"


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield ``type`` or ``ports`` once if an address or a port that the live Service has is not among those afterwards.

    ``params["type_changes"]``: whether the type changes with it, or else the server draws others in their place. Keeps
    quiet where the apply is refused. Facts: before, after (the types), released (the values with their fields), values.
    """
    outcome, live = subject.predict(Scenario.APPLY), live_object(subject.state.live)
    if outcome.refused or outcome.result is None:
        return
    before, after = (dig(side, "spec", "type") for side in (live, outcome.result))
    given = [value for _, value in _given(outcome.result)]
    kept, is_meant = set(map(repr, given)), not equal(before, after)
    if not params["type_changes"]:
        is_meant = not is_meant and any(isinstance(value, Unknown) for value in given)
    lost = [(path, value) for path, value in _given(live) if repr(value) not in kept]
    if lost and is_meant:
        words = ", ".join(f"{render(path)} {value}" for path, value in lost)
        facts = {"before": before, "after": after, "released": words, "values": ", ".join(str(v) for _, v in lost)}
        yield Hit(fields("spec", "type" if params["type_changes"] else "ports"), facts)


def _given(service: JsonObject | Missing) -> Iterator[tuple[Path, Json]]:
    """Yield the addresses and ports of a Service that are not its author's to choose."""
    for place in (("spec",), ("status", "loadBalancer")):
        for path, value in leaves(dig(service, *place), fields(*place)):
            match path[-1]:
                case Field(name) if name in _GIVEN and value not in (MISSING, "", _HEADLESS):
                    yield path, value
