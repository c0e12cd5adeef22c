"""Fields of a new pod's spec that come from its own labels and annotations.

Mirrors ``PrepareForCreate`` of pkg/registry/core/pod/strategy.go.
"""

from collections.abc import Callable, Mapping
from typing import Final

from kubectl_applylint.core.state import labels_of
from kubectl_applylint.core.values import Json, JsonObject, mapping

_APP_ARMOR: Final = "container.apparmor.security.beta.kubernetes.io/"
_LOCALHOST: Final = "localhost/"
_PROFILES: Final[Mapping[str, JsonObject]] = {
    "unconfined": {"type": "Unconfined"},
    "runtime/default": {"type": "RuntimeDefault"},
}
_APP_ARMOR_SINCE: Final = 30
_APP_ARMOR_ANNOTATIONS_UNTIL: Final = 33
_AFFINITY_SINCE: Final = 31
_SPREAD_SINCE: Final = 34
_CONTAINERS: Final = ("initContainers", "containers", "ephemeralContainers")
_REQUIRED: Final = "requiredDuringSchedulingIgnoredDuringExecution"
_PREFERRED: Final = "preferredDuringSchedulingIgnoredDuringExecution"


def prepare(new: JsonObject, old: JsonObject | None, minor: int) -> JsonObject:
    """Return a pod after its strategy; a stored one does not change."""
    return create(new, minor) if old is None else new


def prepare_status(new: JsonObject, old: JsonObject) -> JsonObject:
    """Return a pod whose status is written, with the stored quality-of-service class."""
    after, before = mapping(new.get("status")), mapping(old.get("status"))
    if after.get("qosClass") or not before.get("qosClass"):
        return new
    return {**new, "status": {**after, "qosClass": before["qosClass"]}}


def create(pod: JsonObject, minor: int) -> JsonObject:
    """Return a new pod of Kubernetes 1.``minor`` with the fields that come from its labels and annotations."""
    result = pod
    if minor >= _APP_ARMOR_SINCE:
        result = _with_app_armor(result, minor)
    labels = labels_of(pod)
    if minor >= _AFFINITY_SINCE:
        result = _in_spec(result, "affinity", lambda affinity: _with_terms(affinity, labels))
    if minor >= _SPREAD_SINCE:
        result = _in_spec(result, "topologySpreadConstraints", lambda all_: [_with_pod_labels(c, labels) for c in all_])
    return result


def _in_spec(pod: JsonObject, field: str, change: Callable[[Json], Json]) -> JsonObject:
    spec = mapping(pod.get("spec"))
    return {**pod, "spec": {**spec, field: change(spec[field])}} if spec.get(field) else pod


def _with_terms(affinity: JsonObject, labels: JsonObject) -> JsonObject:
    """Return the affinity to other pods with terms that also select by the pod's own labels."""
    sides = {side: affinity[side] for side in ("podAffinity", "podAntiAffinity") if affinity.get(side)}
    return {**affinity, **{side: _with_own_labels(terms, labels) for side, terms in sides.items()}}


def _with_own_labels(terms: JsonObject, labels: JsonObject) -> JsonObject:
    """Return affinity terms that also select by the pod's own labels."""
    changed: dict[str, Json] = {}
    if terms.get(_REQUIRED):
        changed[_REQUIRED] = [_with_pod_labels(term, labels) for term in terms[_REQUIRED]]
    if terms.get(_PREFERRED):
        weighted = terms[_PREFERRED]
        changed[_PREFERRED] = [
            {**t, "podAffinityTerm": _with_pod_labels(t["podAffinityTerm"], labels)} for t in weighted
        ]
    return {**terms, **changed}


def _with_pod_labels(term: JsonObject, labels: JsonObject) -> JsonObject:
    """Return a term, or a constraint, whose selector includes the pod's labels with the named keys."""
    selector = term.get("labelSelector")
    named = (("In", term.get("matchLabelKeys") or []), ("NotIn", term.get("mismatchLabelKeys") or []))
    own = [
        {"key": key, "operator": operator, "values": [labels[key]]}
        for operator, keys in named
        for key in keys
        if key in labels
    ]
    if selector is None or not own:
        return term
    return {
        **term,
        "labelSelector": {**selector, "matchExpressions": [*(selector.get("matchExpressions") or []), *own]},
    }


def _with_app_armor(pod: JsonObject, minor: int) -> JsonObject:
    """Return the pod with AppArmor profiles as fields; some minors also set the deprecated annotations."""
    spec, metadata = mapping(pod.get("spec")), mapping(pod.get("metadata"))
    annotations = mapping(metadata.get("annotations"))
    if mapping(spec.get("os")).get("name") == "windows":
        return pod
    common = mapping(spec.get("securityContext")).get("appArmorProfile")
    lists = {field: spec[field] for field in _CONTAINERS if spec.get(field)}
    changed = {field: [_with_profile(c, annotations, common) for c in lists[field]] for field in lists}
    result = {**pod, "spec": {**spec, **changed}} if changed != lists else pod
    if minor > _APP_ARMOR_ANNOTATIONS_UNTIL:
        return result
    written = {**_profile_annotations([c for field in lists for c in lists[field]], common), **annotations}
    return {**result, "metadata": {**metadata, "annotations": written}} if written != annotations else result


def _with_profile(container: JsonObject, annotations: JsonObject, common: JsonObject | None) -> JsonObject:
    """Return a container with the profile of its annotation, if it is valid and not the pod's own."""
    context = mapping(container.get("securityContext"))
    text = str(annotations.get(_APP_ARMOR + str(container.get("name"))) or "")
    profile = _PROFILES.get(text)
    if text.startswith(_LOCALHOST) and text != _LOCALHOST:
        profile = {"type": "Localhost", "localhostProfile": text.removeprefix(_LOCALHOST)}
    if context.get("appArmorProfile") or not profile or profile == common:
        return container
    return {**container, "securityContext": {**context, "appArmorProfile": profile}}


def _profile_annotations(containers: list[JsonObject], common: JsonObject | None) -> JsonObject:
    """Return the annotations for the profiles of containers and pod."""
    profiles = {c.get("name"): mapping(c.get("securityContext")).get("appArmorProfile") or common for c in containers}
    return {f"{_APP_ARMOR}{name}": _annotation(profile) for name, profile in profiles.items() if profile}


def _annotation(profile: JsonObject) -> str:
    known = {fields["type"]: text for text, fields in _PROFILES.items()}
    return known.get(profile.get("type"), f"{_LOCALHOST}{profile.get('localhostProfile', '')}")
