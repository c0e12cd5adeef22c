"""The parameter objects of a policy, selected by one of its bindings.

Mirrors ``CollectParams`` of apiserver's ``plugin/policy/generic``; several objects are sorted by name.
"""

from typing import Final

from kubectl_applylint.core.selector import read, selects
from kubectl_applylint.core.state import Absent, ClusterView, Present, Unknown
from kubectl_applylint.core.values import Json, JsonObject, mapping
from kubectl_applylint.server.admission.attributes import AdmissionAttributes
from kubectl_applylint.server.validate.custom.evaluation import Failed, Undecided

_NONE: Final = Failed("no params found for policy binding with `Deny` parameterNotFoundAction")
_NOWHERE: Final = Failed("cannot use namespaced paramRef in policy binding that matches cluster-scoped resources")


def parameters(
    attributes: AdmissionAttributes, kind: JsonObject, ref: JsonObject
) -> tuple[Json, ...] | Failed | Undecided:
    """Return each parameter object of a policy; null if the policy has no parameters.

    ``kind`` is its ``paramKind``, ``ref`` the ``paramRef`` of the binding; both may be empty. Without an object nothing
    is evaluated, or the binding fails.
    """
    if not kind or not ref:
        return (None,)
    group, name = str(kind.get("apiVersion", "")).rpartition("/")[0], str(kind.get("kind"))
    place = str(ref.get("namespace") or attributes.namespace)
    if not place and _is_namespaced(attributes.cluster_view, group, name):
        return _NOWHERE
    places = tuple(dict.fromkeys((place, "")))
    wanted = ref.get("name")
    if isinstance(wanted, str) and wanted:
        found = _by_name(attributes.cluster_view, (group, name), wanted, places)
    else:
        found = _by_selector(attributes.cluster_view, (group, name), mapping(ref.get("selector")), places)
    return _NONE if found == () and ref.get("parameterNotFoundAction") == "Deny" else found


def _is_namespaced(cluster_view: ClusterView, group: str, kind: str) -> bool:
    return any(shelf[:2] == (group, kind) and shelf[2] for shelf in (*cluster_view.objects, *cluster_view.whole))


def _by_name(
    cluster_view: ClusterView, kind: tuple[str, str], name: str, places: tuple[str, ...]
) -> tuple[Json, ...] | Undecided:
    known = [cluster_view.lookup(*kind, name, place) for place in places]
    found = tuple(each.object for each in known if isinstance(each, Present))
    if found or any(isinstance(each, Absent) for each in known):
        return found[:1]
    return Undecided(f"its parameters, {kind[1]} {name}, are unknown")


def _by_selector(
    cluster_view: ClusterView, kind: tuple[str, str], selector: JsonObject, places: tuple[str, ...]
) -> tuple[Json, ...] | Undecided:
    for every in (cluster_view.all_objects(*kind, place) for place in places):
        if not isinstance(every, Unknown):
            return tuple(item for item in every if selects(read(selector), item))
    return Undecided(f"its parameters, objects of kind {kind[1]}, are unknown")
