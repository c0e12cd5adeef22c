"""Live objects that another tool looks after, by the marks that it leaves on them."""

from kubectl_applylint.core.paths import get, parse
from kubectl_applylint.core.state import ObjectRef, live_object
from kubectl_applylint.core.values import MISSING, Json
from kubectl_applylint.lint.model import Hit, Hits, Params, Subject


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield the object once if it carries a mark of the tool that its manifest does not have.

    ``params["marks"]`` name the fields that hold who owns it (``name``) and maybe where that is (``namespace``), and
    what that is (``kind``). ``params["unless"]`` maps fields to values with which the tool leaves the object alone.
    Facts: owner, kind, where (`` -n NAMESPACE`` or nothing).
    """
    live = live_object(subject.state.live)
    if any(get(live, parse(path)) in values for path, values in params.get("unless", {}).items()):
        return
    for mark in params["marks"]:
        path = parse(mark["name"])
        owner = _owner(get(live, path), subject.ref)
        if owner and get(subject.manifest, path) is MISSING:
            namespace = get(live, parse(mark["namespace"])) if "namespace" in mark else ""
            where = f" -n {namespace}" if isinstance(namespace, str) and namespace else ""
            yield Hit((), {"owner": owner, "kind": mark["kind"], "where": where})
            return


def _owner(mark: Json, ref: ObjectRef) -> str:
    """Return who a mark names, nothing for a mark of another object (``owner:group/Kind:namespace/name``)."""
    owner, _, rest = mark.partition(":") if isinstance(mark, str) else ("", "", "")
    kind, _, name = rest.partition(":")
    is_other = bool(rest) and (kind, name.rpartition("/")[2]) != (f"{ref.group}/{ref.kind}", ref.name)
    return "" if is_other else owner
