"""Fetches many objects with few requests: a list for several of one kind and namespace, else one by one."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Final, TypeAlias

from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.state import Absent, ObjectRef, Present
from kubectl_applylint.core.values import JsonObject, dig, items
from kubectl_applylint.sources.cluster.discovery import ServedKind, not_served_failure
from kubectl_applylint.sources.cluster.fetch_errors import FetchError
from kubectl_applylint.sources.cluster.http_result import JSON, Answer, FailedRequest, FailureClass, Get
from kubectl_applylint.sources.cluster.response_schema import check_list, check_object, unexpected_form
from kubectl_applylint.sources.system.workers import WORKERS, ask_all

MANY: Final = 4
"""Minimum number of objects of one kind and namespace for a list request."""
PAGE: Final = 500
"""Objects per page of a list, as in kubectl."""
SMALL_PAGE: Final = 40
"""Objects per page if the answer would be too large otherwise."""
_MOST_PAGES: Final = 20_000


@dataclass(frozen=True, slots=True)
class ObjectLocation:
    """An object to fetch: its kind as served, and its namespace (empty for cluster-scoped objects)."""

    ref: ObjectRef
    kind: ServedKind
    namespace: str
    name: str


@dataclass(frozen=True, slots=True)
class Listing:
    """The objects of a list; not ``complete`` if the caller stopped it early."""

    objects: tuple[JsonObject, ...]
    complete: bool


Found: TypeAlias = Present | Absent | FetchError
_Group: TypeAlias = tuple[ObjectLocation, ...]


def fail_fast(get: Get) -> Get:
    """Return a ``get`` that sends no more requests after a failure that all further ones would share.

    So many timeouts in a row as requests may run at a time count as such a failure as well.
    """
    ended: list[FailedRequest] = []
    slow: list[FailedRequest] = []

    def ask(path: str, query: Mapping[str, str] | None = None, accept: str = JSON) -> Answer | FailedRequest:
        if ended:
            return ended[0]
        answer = get(path, query, accept)
        match answer:
            case FailedRequest(failure_class=FailureClass.SLOW):
                slow.append(answer)
            case _:
                slow.clear()
        if isinstance(answer, FailedRequest) and (answer.failure_class.ends_all or len(slow) >= WORKERS):
            ended.append(answer)
        return answer

    return ask


def fetch(get: Get, wanted: Iterable[ObjectLocation], *, many: int = MANY) -> Mapping[ObjectRef, Found]:
    """Return the state of each object; lists are used for ``many`` or more of one kind and namespace."""
    groups: dict[tuple[ServedKind, str], list[ObjectLocation]] = {}
    for each in wanted:
        groups.setdefault((each.kind, each.namespace), []).append(each)
    hung: dict[tuple[ServedKind, str], FetchError] = {}
    questions: list[_Group] = []
    for (kind, _), members in groups.items():
        is_listed = len(members) >= many and "list" in kind.verbs
        questions += [tuple(members)] if is_listed else [(each,) for each in members]
    found: dict[ObjectRef, Found] = {}
    for reply in ask_all(partial(_ask, get, hung), questions):
        found.update(reply)
    left = [each for group in groups.values() for each in group if each.ref not in found]
    for each, state in zip(left, ask_all(partial(_fetch_one, get, hung), left), strict=True):
        found[each.ref] = state
    return found


def _ask(get: Get, hung: dict[tuple[ServedKind, str], FetchError], group: _Group) -> Mapping[ObjectRef, Found]:
    """Return the states from one list; objects for which it is inconclusive are left out and fetched singly."""
    if len(group) == 1:
        return {group[0].ref: _fetch_one(get, hung, group[0])}
    kind, namespace = group[0].kind, group[0].namespace
    names = {each.name for each in group}
    listing = list_objects(get, kind, namespace, enough=partial(_is_enough, names))
    match listing:
        case FailedRequest(failure_class=FailureClass.FORBIDDEN):
            # Without the permission to list, there may still be one to get.
            return {}
        case FailedRequest():
            fetch_error = FetchError(_list_states(listing, kind), "list", kind, namespace)
            return {each.ref: fetch_error for each in group}
        case Listing(objects=objects, complete=complete):
            by_name = {dig(item, "metadata", "name"): Present(item) for item in objects}
            missing: Mapping[ObjectRef, Found] = {each.ref: Absent() for each in group} if complete else {}
            return {**missing, **{each.ref: by_name[each.name] for each in group if each.name in by_name}}


def _is_enough(names: set[str], objects: Sequence[JsonObject], pages_left: int) -> bool:
    """Return whether getting the rest one by one takes fewer requests."""
    seen = {dig(item, "metadata", "name") for item in objects}
    return len(names - seen) <= pages_left


def _fetch_one(get: Get, hung: dict[tuple[ServedKind, str], FetchError], wanted: ObjectLocation) -> Found:
    kind, namespace = wanted.kind, wanted.namespace
    if (kind, namespace) in hung:
        return hung[kind, namespace]
    answer = get(kind.path(namespace, wanted.name))
    match answer:
        case Answer(body=body):
            other = check_object(body, kind, namespace, wanted.name)
            return FetchError(other, "get", kind, namespace) if other else Present(body)
        case FailedRequest(failure_class=FailureClass.MISSING):
            return Absent()
        case FailedRequest():
            fetch_error = FetchError(_list_states(answer, kind), "get", kind, namespace)
            if answer.failure_class is FailureClass.SLOW:
                hung[kind, namespace] = fetch_error
            return fetch_error


def _list_states(failure: FailedRequest, kind: ServedKind) -> FailedRequest:
    return (
        not_served_failure(kind.api_version, kind.kind) if failure.failure_class is FailureClass.UNSERVED else failure
    )


def _is_never_enough(objects: Sequence[JsonObject], pages_left: int) -> bool:
    return False


def list_objects(
    get: Get,
    kind: ServedKind,
    namespace: str = "",
    *,
    selector: str = "",
    enough: Callable[[Sequence[JsonObject], int], bool] = _is_never_enough,
) -> Listing | FailedRequest:
    """List the objects of a kind, in one namespace or in all, page by page.

    ``enough`` is called after each page except the last, with the objects so far and the minimum number of pages left.
    A list that expires in between is requested once more in one piece.
    """
    path, query = kind.path(namespace), {"labelSelector": selector} if selector else {}
    objects: list[JsonObject] = []
    tokens: list[str] = []
    size = PAGE
    while True:
        page = {**query, "limit": str(size), **({"continue": tokens[-1]} if tokens else {})}
        answer = _page(get, path, page, kind)
        if isinstance(answer, FailedRequest) and answer.failure_class is FailureClass.TOO_LARGE and size > SMALL_PAGE:
            size = SMALL_PAGE
            continue
        if tokens and isinstance(answer, FailedRequest) and answer.failure_class is FailureClass.GONE:
            objects, answer = [], _page(get, path, query, kind)
        if isinstance(answer, FailedRequest):
            return answer
        objects += _items(answer.body, kind)
        token = dig(answer.body, "metadata", "continue")
        if not isinstance(token, str) or not token:
            return Listing(tuple(objects), complete=True)
        if token in tokens[-1:] or len(tokens) > _MOST_PAGES:
            return unexpected_form(f"a list of {kind}", "its pages never end")
        tokens.append(token)
        if enough(objects, _pages_left(answer.body, size)):
            return Listing(tuple(objects), complete=False)


def _page(get: Get, path: str, query: Mapping[str, str], kind: ServedKind) -> Answer | FailedRequest:
    answer = get(path, query)
    return answer if isinstance(answer, FailedRequest) else check_list(answer.body, kind) or answer


def _pages_left(body: JsonObject, size: int) -> int:
    remaining = dig(body, "metadata", "remainingItemCount")
    return -(-remaining // size) if isinstance(remaining, int) else 1


def _items(body: JsonObject, kind: ServedKind) -> list[JsonObject]:
    """Return the objects of a page with kind and apiVersion, which servers omit for built-in ones."""
    return [{"apiVersion": kind.api_version, "kind": kind.kind, **item} for item in items(body.get("items"))]
