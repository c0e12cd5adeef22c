from collections.abc import Callable, Mapping, Sequence

import pytest

from kubectl_applylint.core.state import Absent, ObjectRef, Present
from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.sources.cluster.discovery import ServedKind
from kubectl_applylint.sources.cluster.fetch import (
    MANY,
    PAGE,
    SMALL_PAGE,
    Listing,
    ObjectLocation,
    fail_fast,
    fetch,
    list_objects,
)
from kubectl_applylint.sources.cluster.fetch_errors import FetchError
from kubectl_applylint.sources.cluster.http_result import JSON, Answer, FailedRequest, FailureClass, Get
from kubectl_applylint.sources.system.workers import WORKERS

CONFIG_MAP = ServedKind("v1", "ConfigMap", "configmaps", namespaced=True, verbs=("get", "list"), preferred=True)
NODE = ServedKind("v1", "Node", "nodes", namespaced=False, verbs=("get",), preferred=True)
LIST = "/api/v1/namespaces/shop/configmaps"
FORBIDDEN = FailedRequest(FailureClass.FORBIDDEN, 'User "jane" cannot')
MISSING = FailedRequest(FailureClass.MISSING, "not found")


class Server:
    """Holds config maps by name, lists them page by page, and fails on request."""

    def __init__(
        self, names: Sequence[str], failures: Mapping[str, FailedRequest] | None = None, page: int = PAGE
    ) -> None:
        self.objects = [{"metadata": {"name": name}, "data": {}} for name in sorted(names)]
        self.failures = failures or {}
        self.page = page
        self.asked: list[tuple[str, Mapping[str, str]]] = []

    def __call__(self, path: str, query: Mapping[str, str] | None = None, accept: str = JSON) -> Answer | FailedRequest:
        query = query or {}
        self.asked.append((path, query))
        failure = self.failures.get(f"{path}?continue={query['continue']}" if "continue" in query else path)
        if failure is not None:
            return failure
        if path == LIST:
            return Answer(self._list_page(query), JSON)
        name = path.rpartition("/")[2]
        known = [item for item in self.objects if item["metadata"]["name"] == name]
        return Answer(known[0], JSON) if known else MISSING

    def _list_page(self, query: Mapping[str, str]) -> JsonObject:
        start = int(query.get("continue", "0"))
        end = start + self.page if "limit" in query else len(self.objects)
        metadata: dict[str, Json] = {"resourceVersion": "1"}
        if end < len(self.objects):
            metadata |= {"continue": str(end), "remainingItemCount": len(self.objects) - end}
        return {"kind": "ConfigMapList", "metadata": metadata, "items": self.objects[start:end]}


def config_map(name: str) -> ObjectLocation:
    return ObjectLocation(ObjectRef("v1", "ConfigMap", "shop", name), CONFIG_MAP, "shop", name)


def locations(count: int, start: int = 0) -> list[ObjectLocation]:
    return [config_map(f"o{number:05}") for number in range(start, start + count)]


def names(count: int) -> list[str]:
    return [f"o{number:05}" for number in range(count)]


def states(get: Get, asked: Sequence[ObjectLocation]) -> list[Json]:
    """Return in the order of the questions: the name of what is there, else what was found instead."""
    found = fetch(get, asked)
    return [
        state.object["metadata"]["name"] if isinstance(state, Present) else state
        for state in (found[each.ref] for each in asked)
    ]


def test_few_objects_are_asked_for_one_by_one() -> None:
    server = Server(names(2))

    assert states(server, locations(MANY - 1)) == ["o00000", "o00001", Absent()]
    assert sorted(path for path, _ in server.asked) == [f"{LIST}/{name}" for name in names(3)]


def test_many_objects_are_listed() -> None:
    server = Server(names(9))

    assert states(server, [*locations(MANY), config_map("other")]) == [*names(MANY), Absent()]
    assert server.asked == [(LIST, {"limit": "500"})]


def test_listed_objects_say_what_they_are() -> None:
    found = fetch(Server(names(9)), locations(MANY))

    assert found[locations(1)[0].ref] == Present(
        {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "o00000"}, "data": {}}
    )


def test_kinds_and_namespaces_are_asked_for_apart() -> None:
    other = [ObjectLocation(ObjectRef("v1", "ConfigMap", "x", name), CONFIG_MAP, "x", name) for name in names(MANY - 1)]
    nodes = [ObjectLocation(ObjectRef("v1", "Node", "", name), NODE, "", name) for name in names(MANY)]
    server = Server(names(9))

    fetch(server, [*locations(MANY), *other, *nodes])

    assert sorted(path for path, _ in server.asked) == sorted(
        [
            LIST,
            *(f"/api/v1/namespaces/x/configmaps/{name}" for name in names(MANY - 1)),
            *(f"/api/v1/nodes/{name}" for name in names(MANY)),
        ]
    )


def test_objects_are_read_one_by_one_if_listing_is_forbidden() -> None:
    server = Server(names(9), {LIST: FORBIDDEN, f"{LIST}/o00001": FORBIDDEN})

    found = states(server, locations(MANY))

    assert found == ["o00000", FetchError(FORBIDDEN, "get", CONFIG_MAP, "shop"), "o00002", "o00003"]


@pytest.mark.parametrize("trouble", [FailureClass.FAULTY, FailureClass.SLOW, FailureClass.GARBLED, FailureClass.BROKEN])
def test_a_list_that_fails_leaves_all_of_it_unknown(trouble: FailureClass) -> None:
    failure = FailedRequest(trouble, "no")
    server = Server(names(9), {LIST: failure})

    assert states(server, locations(MANY)) == [FetchError(failure, "list", CONFIG_MAP, "shop")] * MANY
    assert len(server.asked) == 1


def test_a_list_is_read_page_by_page() -> None:
    server = Server(names(25), page=10)

    found = list_objects(server, CONFIG_MAP, "shop", selector="app=web")

    assert isinstance(found, Listing)
    assert [item["metadata"]["name"] for item in found.objects] == names(25)
    assert found.complete
    assert [query for _, query in server.asked] == [
        {"labelSelector": "app=web", "limit": "500"},
        {"labelSelector": "app=web", "limit": "500", "continue": "10"},
        {"labelSelector": "app=web", "limit": "500", "continue": "20"},
    ]


def test_a_list_that_expires_is_asked_for_in_one_piece() -> None:
    server = Server(names(25), {f"{LIST}?continue=20": FailedRequest(FailureClass.GONE, "expired")}, page=10)

    found = list_objects(server, CONFIG_MAP, "shop")

    assert isinstance(found, Listing)
    assert [item["metadata"]["name"] for item in found.objects] == names(25)
    assert server.asked[-1] == (LIST, {})


def test_a_list_that_breaks_off_fails() -> None:
    failure = FailedRequest(FailureClass.GARBLED, "cut")
    server = Server(names(25), {f"{LIST}?continue=10": failure}, page=10)

    assert list_objects(server, CONFIG_MAP, "shop") == failure


def test_gone_at_the_first_page_is_no_expired_list() -> None:
    gone = FailedRequest(FailureClass.GONE, "gone")

    assert list_objects(Server([], {LIST: gone}), CONFIG_MAP, "shop") == gone


def test_a_few_objects_among_very_many_are_got() -> None:
    server = Server(names(9000))

    found = states(server, locations(MANY, 5000))

    assert found == names(9000)[5000 : 5000 + MANY]
    assert len(server.asked) == 1 + MANY


def test_as_many_as_there_are_pages_are_listed_to_the_end() -> None:
    server = Server(names(1100))

    assert states(server, locations(600, 500)) == names(1100)[500:1100]
    assert [path for path, _ in server.asked] == [LIST] * 3


def test_a_list_of_nothing_may_have_null_for_its_items() -> None:
    get, _ = counting(lambda path: Answer({"kind": "ConfigMapList", "metadata": {}, "items": None}, JSON))

    assert list_objects(get, CONFIG_MAP, "shop") == Listing((), complete=True)


def test_a_page_that_is_too_large_is_asked_for_in_smaller_ones() -> None:
    server = Server(names(90), page=SMALL_PAGE)

    def get(path: str, query: Mapping[str, str] | None = None, accept: str = JSON) -> Answer | FailedRequest:
        if query and query.get("limit") == str(PAGE) and query.get("continue", "0") == "0":
            return FailedRequest(FailureClass.TOO_LARGE, "more than 64 MiB")
        return server(path, query, accept)

    found = list_objects(get, CONFIG_MAP, "shop")

    assert isinstance(found, Listing)
    assert [item["metadata"]["name"] for item in found.objects] == names(90)
    assert [query["limit"] for _, query in server.asked] == [str(SMALL_PAGE)] * 3


@pytest.mark.parametrize("count", [1, MANY], ids=["got", "listed"])
def test_a_removed_kind_is_reported(count: int) -> None:
    def get(path: str, query: Mapping[str, str] | None = None, accept: str = JSON) -> Answer | FailedRequest:
        return FailedRequest(FailureClass.UNSERVED, "page not found")

    (fetch_error, *_) = fetch(get, locations(count)).values()

    assert isinstance(fetch_error, FetchError)
    assert fetch_error.failure.message == "the cluster has no kind ConfigMap in v1, so kubectl apply rejects it"


def counting(answer: Callable[[str], Answer | FailedRequest]) -> tuple[Get, list[str]]:
    asked: list[str] = []

    def get(path: str, query: Mapping[str, str] | None = None, accept: str = JSON) -> Answer | FailedRequest:
        asked.append(path)
        return answer(path)

    return get, asked


def test_a_kind_that_hangs_does_not_keep_us_for_each_object() -> None:
    slow = FailedRequest(FailureClass.SLOW, "no answer")
    get, asked = counting(lambda path: slow)
    nodes = [ObjectLocation(ObjectRef("v1", "Node", "", name), NODE, "", name) for name in names(50)]

    found = fetch(get, nodes)

    assert set(found.values()) == {FetchError(slow, "get", NODE, "")}
    assert len(asked) < 20


@pytest.mark.parametrize("trouble", [FailureClass.UNREACHABLE, FailureClass.TLS, FailureClass.UNAUTHORIZED])
def test_a_failure_of_the_server_ends_all_requests(trouble: FailureClass) -> None:
    failure = FailedRequest(trouble, "no")
    get, asked = counting(lambda path: failure if path == "/b" else Answer({}, JSON))
    ask = fail_fast(get)

    assert [ask(path) for path in ("/a", "/b", "/c")] == [Answer({}, JSON), failure, failure]
    assert asked == ["/a", "/b"]


def test_a_server_that_is_silent_for_long_is_asked_no_more() -> None:
    slow = FailedRequest(FailureClass.SLOW, "no")
    get, asked = counting(lambda path: Answer({}, JSON) if path == "/5" else slow)
    ask = fail_fast(get)

    for number in range(40):
        ask(f"/{number}")

    assert len(asked) == 6 + WORKERS


@pytest.mark.parametrize(
    "trouble", [FailureClass.FORBIDDEN, FailureClass.SLOW, FailureClass.FAULTY, FailureClass.BROKEN]
)
def test_a_failure_of_one_request_ends_no_other(trouble: FailureClass) -> None:
    get, asked = counting(lambda path: FailedRequest(trouble, "no") if path == "/b" else Answer({}, JSON))
    ask = fail_fast(get)

    assert [type(ask(path)) for path in ("/b", "/c")] == [FailedRequest, Answer]
    assert asked == ["/b", "/c"]
