"""Live objects with ownership marks of another tool."""

from kubectl_applylint.core.paths import get, parse
from kubectl_applylint.core.state import ObjectRef, live_object
from kubectl_applylint.core.values import MISSING, Json
from kubectl_applylint.lint.model import Hit, Hits, Params, Subject


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield the object once if only the live one has a mark of the tool.

    ``params["marks"]`` name the fields with the owner's ``name`` and maybe its ``namespace``, and the owner's ``kind``.
    ``params["unless"]`` maps fields to values with which the tool ignores the object. Facts: owner, kind, where
    (`` -n NAMESPACE`` or nothing).
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
    """Return the owner in a mark, nothing for a mark of another object (``owner:group/Kind:namespace/name``)."""
    owner, _, rest = mark.partition(":") if isinstance(mark, str) else ("", "", "")
    kind, _, name = rest.partition(":")
    is_other = bool(rest) and (kind, name.rpartition("/")[2]) != (f"{ref.group}/{ref.kind}", ref.name)
    return "" if is_other else owner
