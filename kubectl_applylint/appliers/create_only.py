"""Kinds whose objects are answered or executed instead of stored: reviews, bindings, component statuses.

A server accepts a POST of them and stores nothing, or accepts nothing. Mirrors the behaviour of kubectl 1.36 and of
``pkg/registry`` in a server of the same version: authorization, authentication and core.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Final, TypeAlias

from kubectl_applylint.appliers.attempt import Ask, Attempt
from kubectl_applylint.appliers.last_applied import as_created
from kubectl_applylint.appliers.request import Applier, ApplyRequest
from kubectl_applylint.core.outcome import CERTAIN, Confidence, FieldError, Level, Verdict, Write
from kubectl_applylint.core.state import Absent, Present
from kubectl_applylint.core.values import Json, mapping
from kubectl_applylint.schema.types import Gvk, Node
from kubectl_applylint.server.write import APPLY_PATCH, JSON_BODY, MERGE_PATCH, Refused

_BAD_REQUEST: Final = 400
_NOT_ALLOWED: Final = Refused(
    405, (FieldError("", "MethodNotAllowed", "the server does not allow this method on the requested resource"),)
)
_NO_RESOURCE: Final = Refused(404, (FieldError("", "NotFound", "the server could not find the requested resource"),))
_COMPONENT: Final = ("v1", "ComponentStatus")
_Create: TypeAlias = Callable[[ApplyRequest], Refused | Confidence]


def attempt(request: ApplyRequest, ask: Ask, *, exists: bool) -> Attempt | None:
    """Return the attempt to apply such a kind; ``None`` for a kind that is stored.

    A created object is not stored. ``exists`` states whether the server returns the object on a GET.
    """
    kind = request.kind
    if kind is None or kind.custom or request.applier not in (Applier.KUBECTL_CLIENT, Applier.KUBECTL_SERVER):
        return None
    gvk = kind.api_version, kind.name
    if gvk not in (_COMPONENT, *_CREATED):
        return None
    missing = tuple(_missing(request.manifest, kind.root, kind.name))
    if missing:
        return Attempt(Verdict.REJECTED, refusal=Refused(0, missing))
    write = _write(request, exists)
    if gvk == _COMPONENT or request.applier is Applier.KUBECTL_SERVER:
        return Attempt(Verdict.REJECTED, (write,), refusal=_NOT_ALLOWED if gvk == _COMPONENT else _NO_RESOURCE)
    unreadable = ask(write, None)
    if isinstance(unreadable, Refused) and unreadable.status == _BAD_REQUEST:
        return Attempt(Verdict.REJECTED, (write,), refusal=unreadable)
    answer = _CREATED[gvk](request)
    if isinstance(answer, Refused):
        return Attempt(Verdict.REJECTED, (write,), refusal=answer)
    return Attempt(Verdict.CREATED, (write,), confidence=answer)


def _write(request: ApplyRequest, exists: bool) -> Write:
    query = (("fieldManager", request.manager), ("fieldValidation", request.validation.value))
    if request.applier is Applier.KUBECTL_SERVER:
        return Write("PATCH", APPLY_PATCH, request.manifest, query)
    body = as_created(request.manifest)
    return Write("PATCH", MERGE_PATCH, body, query) if exists else Write("POST", JSON_BODY, body, query)


def _missing(value: Json, node: Node, place: str) -> Iterator[FieldError]:
    """Yield kubectl's errors about missing required fields, which kubectl checks itself for these kinds."""
    if not isinstance(value, dict):
        return
    for name in node.required:
        if value.get(name) is None:
            words = f'ValidationError({place}): missing required field "{name}" in {node.struct}'
            yield FieldError("", "", f"error validating data: {words}")
    for name, inner in value.items():
        if name in node.fields:
            yield from _missing(inner, node.fields[name], f"{place}.{name}")


def _binding(request: ApplyRequest) -> Refused | Confidence:
    """Return the rejection of a binding, or the confidence in its creation: its pod has to exist without a node."""
    name, target = request.ref.name, mapping(request.manifest.get("target"))
    if target.get("kind") not in (None, "", "Node"):
        words = f'Unsupported value: "{target["kind"]}": supported values: "Node", "<empty>"'
        return Refused(500, (FieldError("target.kind", "", words),))
    match request.cluster_view.lookup("", "Pod", name, request.ref.namespace):
        case Absent():
            return Refused(404, (FieldError("", "NotFound", f'pods "{name}" not found'),))
        case Present(pod) if node := mapping(pod.get("spec")).get("nodeName"):
            words = f'pod {name} is already assigned to node "{node}"'
            return Refused(409, (FieldError("", "Conflict", words),))
        case Present():
            return CERTAIN
        case _:
            return Confidence(Level.MEDIUM, (f"assumed: pod {name} exists and has no node yet",))


def _review(words: str) -> _Create:
    """Return the answer to a review, whose metadata must be empty: kubectl apply always adds an annotation."""
    return lambda _request: Refused(422, (FieldError("metadata", "FieldValueInvalid", words),))


def _rules_review(request: ApplyRequest) -> Refused | Confidence:
    if mapping(request.manifest.get("spec")).get("namespace"):
        return CERTAIN
    return Refused(_BAD_REQUEST, (FieldError("", "BadRequest", "no namespace on request"),))


_AUTHORIZATION: Final = "authorization.k8s.io/v1"
_AUTHENTICATION: Final = "authentication.k8s.io/v1"
_CREATED: Final[Mapping[Gvk, _Create]] = {
    ("v1", "Binding"): _binding,
    (_AUTHORIZATION, "SubjectAccessReview"): _review("must be empty"),
    (_AUTHORIZATION, "SelfSubjectAccessReview"): _review("must be empty"),
    (_AUTHORIZATION, "LocalSubjectAccessReview"): _review("must be empty except for namespace"),
    (_AUTHORIZATION, "SelfSubjectRulesReview"): _rules_review,
    (_AUTHENTICATION, "TokenReview"): lambda _request: CERTAIN,
    (_AUTHENTICATION, "SelfSubjectReview"): lambda _request: CERTAIN,
}
"""The answers to a POST of each kind."""
