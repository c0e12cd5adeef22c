"""Objects that admission depends on: namespaces, limits, quotas, service accounts, policies, classes."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from typing import Final, TypeAlias

from kubectl_applylint.core.records import replace
from kubectl_applylint.core.state import UNSEEN, Absent, ClusterView, Knowledge, ListScope, ObjectRef, Unknown, ref_of
from kubectl_applylint.core.values import JsonObject, dig, mapping
from kubectl_applylint.schema.types import Gvk
from kubectl_applylint.server.admission_inputs import input_kinds, parameter_kind
from kubectl_applylint.sources.cluster.discovery import ServedKind
from kubectl_applylint.sources.cluster.fetch import MANY, Listing, fail_fast, list_objects
from kubectl_applylint.sources.cluster.http_result import FailedRequest, FailureClass, Get
from kubectl_applylint.sources.cluster.read_results import Neighbours, States
from kubectl_applylint.sources.cluster.snapshot import Snapshot
from kubectl_applylint.sources.system.workers import ask_all

_REGISTRATION: Final = "admissionregistration.k8s.io/v1"


def _served_kind(api_version: str, kind: str, *, namespaced: bool) -> ServedKind:
    return ServedKind(api_version, kind, f"{kind.lower()}s", namespaced=namespaced, verbs=("list",), preferred=True)


_NAMESPACE: Final = _served_kind("v1", "Namespace", namespaced=False)
_LIMITS: Final = _served_kind("v1", "LimitRange", namespaced=True)
_QUOTA: Final = _served_kind("v1", "ResourceQuota", namespaced=True)
_ACCOUNT: Final = _served_kind("v1", "ServiceAccount", namespaced=True)
_BINDING: Final = _served_kind(_REGISTRATION, "ValidatingAdmissionPolicyBinding", namespaced=False)
_POLICY: Final = ServedKind(
    _REGISTRATION, "ValidatingAdmissionPolicy", "validatingadmissionpolicies", False, ("list",), True
)
_MUTATING: Final = (
    _served_kind(_REGISTRATION, "MutatingAdmissionPolicyBinding", namespaced=False),
    ServedKind(_REGISTRATION, "MutatingAdmissionPolicy", "mutatingadmissionpolicies", False, ("list",), True),
)
_WEBHOOKS: Final = tuple(
    _served_kind(_REGISTRATION, f"{what}WebhookConfiguration", namespaced=False) for what in ("Mutating", "Validating")
)
_POD: Final = ("", "Pod")
_CLAIM: Final = ("", "PersistentVolumeClaim")
_CLASSES: Final = {
    _CLAIM: (ServedKind("storage.k8s.io/v1", "StorageClass", "storageclasses", False, ("list",), True),),
    ("networking.k8s.io", "Ingress"): (
        ServedKind("networking.k8s.io/v1", "IngressClass", "ingressclasses", False, ("list",), True),
    ),
    _POD: (
        ServedKind("scheduling.k8s.io/v1", "PriorityClass", "priorityclasses", False, ("list",), True),
        ServedKind("node.k8s.io/v1", "RuntimeClass", "runtimeclasses", False, ("list",), True),
    ),
}
"""The classes that provide defaults for new objects, or that decide whether a claim can be resized."""
_GIVING: Final = (_ACCOUNT, *(kind for kinds in _CLASSES.values() for kind in kinds))
"""Kinds whose objects provide default values; an outcome reports itself which of them it does not have."""
_SHELF: Final[ListScope] = ("", "Namespace", "")
_ALWAYS_THERE: Final = "kube-system"
_RESTRICTED: Final = (_POD, _CLAIM)
"""Kinds whose resources a LimitRange bounds."""
_MEASURED: Final = (_CLAIM, ("", "Service"))
"""Kinds that quotas check on updates as well, not only on creation."""

KindsOf: TypeAlias = Callable[[Collection[Gvk]], Mapping[Gvk, ServedKind]]
"""Returns the served kinds, including the requested ones if they are served."""
Live: TypeAlias = Callable[[Iterable[ObjectRef]], States]
_Question: TypeAlias = tuple[ServedKind, str]
_Reply: TypeAlias = tuple[ServedKind, str, Listing | FailedRequest]


def in_snapshot(found: Snapshot) -> Callable[[Mapping[ObjectRef, Knowledge]], Neighbours]:
    """Return a function that finds the admission objects of applied objects in a snapshot.

    The parts that all applies share are computed once. A namespace counts as missing only if the snapshot seems to
    contain all of them.
    """
    view = cache(lambda: _view_of_snapshot(found))
    return lambda states: _of_states(*view(), states)


def _view_of_snapshot(found: Snapshot) -> tuple[ClusterView, frozenset[str]]:
    """Return the admission objects of a snapshot, and the namespaces that it names or has objects in."""
    named = {ref.name for ref in found.objects if (ref.group, ref.kind) == _SHELF[:2]}
    inhabited = {ref.namespace for ref in found.objects} - {""}
    kinds = input_kinds(found.objects.values())
    objects = [item for ref, item in found.objects.items() if (ref.group, ref.kind) in kinds]
    is_whole = _ALWAYS_THERE in named and inhabited <= named
    start = ClusterView(whole=frozenset({_SHELF})) if is_whole else UNSEEN
    return (start.with_objects(objects) if is_whole or objects else start), frozenset(named | inhabited)


def _of_states(view: ClusterView, there: frozenset[str], states: Mapping[ObjectRef, Knowledge]) -> Neighbours:
    if _SHELF in view.whole:
        return Neighbours(view)
    own = {ref.name for ref in states if (ref.group, ref.kind) == _SHELF[:2]}
    doubtful = {ref.namespace for ref, live in states.items() if isinstance(live, Absent)}
    doubtful -= {"", "default", *there, *own}
    notes = (f"could not check whether these namespaces exist: {', '.join(sorted(doubtful))}",) if doubtful else ()
    return Neighbours(view, notes)


def in_cluster(get: Get, live: Live, kinds: KindsOf, states: Mapping[ObjectRef, Knowledge]) -> Neighbours:
    """Fetch the admission objects for the objects of ``states`` from a cluster."""
    looked = [ref for ref, state in states.items() if not isinstance(state, Unknown)]
    if not looked:
        return Neighbours()
    places = sorted({ref.namespace for ref in looked if ref.namespace})
    namespaces = live(ObjectRef("v1", "Namespace", "", place) for place in places).states
    get = fail_fast(get)
    replies = list(_replies(get, (*_questions(looked, states), *_EVERYWHERE)))
    chosen, choices = _parameters(_objects(replies), places, kinds)
    replies += _replies(get, choices)
    named = live(chosen).states if chosen else {}
    lists = [(kind, place) for kind, place, reply in replies if isinstance(reply, Listing)]
    known = ClusterView(whole=frozenset((kind.group, kind.kind, place) for kind, place in lists))
    got = {ref.identity: state for each_states in (namespaces, named) for ref, state in each_states.items()}
    return Neighbours(
        known.with_objects(_objects(replies)).with_knowledge(got), tuple(_unread_notes(namespaces, replies))
    )


def _objects(replies: Iterable[_Reply]) -> list[JsonObject]:
    return [item for _, _, reply in replies if isinstance(reply, Listing) for item in reply.objects]


def _parameters(
    objects: Iterable[JsonObject], places: Sequence[str], kinds: KindsOf
) -> tuple[list[ObjectRef], list[_Question]]:
    """Return the policy parameters that bindings name, and the lists from which they select others."""
    by_name = {str(dig(item, "metadata", "name")): item for item in objects if parameter_kind(item)}
    served = kinds({_gvk(policy) for policy in by_name.values()}) if by_name else {}
    named: list[ObjectRef] = []
    lists: list[_Question] = []
    for ref, kind in _references(objects, by_name, served):
        own = [str(ref["namespace"])] if ref.get("namespace") else places
        for place in own if kind.namespaced else [""]:
            if ref.get("name"):
                named.append(ObjectRef(kind.api_version, kind.kind, place, str(ref["name"])))
            else:
                lists.append((kind, place))
    return named, lists


def _references(
    objects: Iterable[JsonObject], policies: Mapping[str, JsonObject], served: Mapping[Gvk, ServedKind]
) -> Iterator[tuple[JsonObject, ServedKind]]:
    """Yield how each binding refers to the parameters of its policy, with the kind of these."""
    for item in objects:
        policy, ref = policies.get(str(dig(item, "spec", "policyName"))), mapping(dig(item, "spec", "paramRef"))
        kind = served.get(_gvk(policy)) if policy is not None else None
        if kind is not None and ref:
            yield ref, kind


def _gvk(policy: JsonObject) -> Gvk:
    kind = mapping(dig(policy, "spec", "paramKind"))
    return str(kind.get("apiVersion")), str(kind.get("kind"))


_EVERYWHERE: Final[tuple[_Question, ...]] = tuple((kind, "") for kind in (_BINDING, _POLICY, *_MUTATING, *_WEBHOOKS))


def _questions(refs: Iterable[ObjectRef], states: Mapping[ObjectRef, Knowledge]) -> Iterator[_Question]:
    """Yield the lists that matter, each with its namespace."""
    for ref in refs:
        kind, is_new = (ref.group, ref.kind), isinstance(states[ref], Absent)
        if ref.namespace and kind in _RESTRICTED and is_new:
            yield _LIMITS, ref.namespace
        if ref.namespace and (is_new or kind in _MEASURED):
            yield _QUOTA, ref.namespace
        if is_new and kind == _POD:
            yield _ACCOUNT, ref.namespace
        if is_new or kind == _CLAIM:
            yield from ((of, "") for of in _CLASSES.get(kind, ()))


def _replies(get: Get, questions: Iterable[_Question]) -> Iterator[_Reply]:
    """Yield the answer to each question; kinds needed in many namespaces are listed at once if permitted."""
    places: dict[ServedKind, list[str]] = {}
    for kind, place in dict.fromkeys(questions):
        places.setdefault(kind, []).append(place)
    wide = [kind for kind, every in places.items() if len(every) >= MANY]
    whole = {kind: found for kind, _, found in ask_all(partial(_list, get), [(kind, "") for kind in wide])}
    permitted = {kind: found for kind, found in whole.items() if not _is_forbidden(found)}
    for kind, found in permitted.items():
        yield from ((kind, place, _in_namespace(found, place)) for place in places[kind])
    yield from ask_all(
        partial(_list, get),
        [(kind, place) for kind, every in places.items() if kind not in permitted for place in every],
    )


def _list(get: Get, question: _Question) -> _Reply:
    return (*question, list_objects(get, *question))


def _is_forbidden(found: Listing | FailedRequest) -> bool:
    return isinstance(found, FailedRequest) and found.failure_class is FailureClass.FORBIDDEN


def _in_namespace(found: Listing | FailedRequest, place: str) -> Listing | FailedRequest:
    if isinstance(found, FailedRequest):
        return found
    return replace(found, objects=tuple(item for item in found.objects if ref_of(item).namespace == place))


def _unread_notes(namespaces: Mapping[ObjectRef, Knowledge], replies: Iterable[_Reply]) -> Iterator[str]:
    """Yield a note about each list that could not be read; kinds that the server does not serve need none."""
    kinds = [str(_NAMESPACE)] if any(isinstance(state, Unknown) for state in namespaces.values()) else []
    for kind, _, reply in replies:
        if (
            isinstance(reply, FailedRequest)
            and reply.failure_class is not FailureClass.UNSERVED
            and kind not in _GIVING
        ):
            kinds.append(str(kind))
    if kinds:
        yield f"not predicted: rejections by these kinds, which could not be read: {', '.join(dict.fromkeys(kinds))}"
