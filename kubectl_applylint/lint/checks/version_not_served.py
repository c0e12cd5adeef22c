"""Objects in an API version that Kubernetes does not serve."""

from collections.abc import Iterator

from kubectl_applylint.core.paths import Field
from kubectl_applylint.lint.fixes.field_edits import SetValue
from kubectl_applylint.lint.model import Hit, Hits, Params, Scenario, Subject
from kubectl_applylint.schema.served import Standing, lifetimes, standing_in, successor, suggestions
from kubectl_applylint.schema.types import Gvk
from kubectl_applylint.server.former import differences


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield the apiVersion once if its status is one of ``params["states"]``.

    ``moved`` was served and has a successor, ``gone`` was served and has none, ``never`` is not served by this version
    of Kubernetes or by an earlier one. Facts: version, kubernetes, instead (the apiVersion to write), removed (the
    version of Kubernetes that no longer served it), differing (the differences there, if any), near (similar kinds).
    """
    gvk, asked = (subject.ref.api_version, subject.ref.kind), subject.schema.asked
    now = successor(asked, gvk)
    state = _state(standing_in(subject.schema, gvk), now)
    if (subject.kind is None or not subject.kind.custom) and state in params["states"]:
        life = lifetimes().get(gvk)
        facts = {
            "version": gvk[0],
            "kubernetes": asked,
            "instead": now[0] if now else "",
            "removed": f"1.{life.last + 1}" if life else "",
            "differing": "; ".join(differences(gvk)),
            "near": _similar_kind(asked, gvk),
        }
        edits = tuple(SetValue((Field("apiVersion"),), version) for version in _same_shape(asked, gvk, now))
        yield Hit((Field("apiVersion"),), facts, explains=subject.predict(Scenario.APPLY).errors, edits=edits)


def _same_shape(asked: str, gvk: Gvk, now: Gvk | None) -> Iterator[str]:
    """Yield the one apiVersion that accepts the object unchanged."""
    if now:
        yield from (now[0],) if now[1] == gvk[1] and not differences(gvk) else ()
        return
    meant = [version for version, kind in suggestions(asked, gvk) if kind == gvk[1]]
    yield from meant if len(meant) == 1 and gvk not in lifetimes() else ()


def _state(found: Standing, now: Gvk | None) -> str:
    """Return the status of an apiVersion, empty if it is served."""
    if found is Standing.REMOVED:
        return "moved" if now else "gone"
    return "never" if found.is_refused else ""


def _similar_kind(asked: str, gvk: Gvk) -> str:
    """Return a similar kind, or a command to search for one."""
    close = suggestions(asked, gvk)
    return f"{close[0][1]} in {close[0][0]}" if close else f"kubectl api-resources | grep -i {gvk[1]}"
