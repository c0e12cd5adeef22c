"""Objects of kinds that Kubernetes does not serve in the version that is written."""

from kubectl_applylint.core.paths import Field
from kubectl_applylint.lint.model import Hit, Hits, Params, Scenario, Subject
from kubectl_applylint.schema.served import Standing, alike, lives, standing_in, successor
from kubectl_applylint.schema.types import Gvk
from kubectl_applylint.server.former import differences


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield the apiVersion once if its standing is one of ``params["states"]``.

    ``moved`` was served and has a successor, ``gone`` was served and has none, ``never`` is not served by this version
    of Kubernetes or by an earlier one. Facts: version, kubernetes, instead (the apiVersion to write), removed (the
    version of Kubernetes that no longer served it), fields (what is different there), near (what may have been meant).
    """
    gvk, asked = (subject.ref.api_version, subject.ref.kind), subject.schema.asked
    now = successor(asked, gvk)
    state = _state(standing_in(subject.schema, gvk), now)
    if (subject.kind is None or not subject.kind.custom) and state in params["states"]:
        life = lives().get(gvk)
        facts = {
            "version": gvk[0],
            "kubernetes": asked,
            "instead": now[0] if now else "",
            "removed": f"1.{life.last + 1}" if life else "",
            "fields": "; ".join(differences(gvk)) or "none",
            "near": _near(asked, gvk),
        }
        yield Hit((Field("apiVersion"),), facts, explains=subject.predict(Scenario.APPLY).causes)


def _state(found: Standing, now: Gvk | None) -> str:
    if found is Standing.REMOVED:
        return "moved" if now else "gone"
    return "never" if found.is_refused else ""


def _near(asked: str, gvk: Gvk) -> str:
    close = alike(asked, gvk)
    return f"{close[0][1]} in {close[0][0]}" if close else f"kubectl api-resources | grep -i {gvk[1]}"
