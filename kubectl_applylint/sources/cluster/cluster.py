"""Reads live state from a cluster: only GET and LIST requests, for the objects that a run needs."""

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Final, Protocol, TypeAlias, TypeVar, assert_never

from kubectl_applylint.appliers.kubectl_client import was_applied
from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.records import dataclass, field, replace
from kubectl_applylint.core.spelling import meant
from kubectl_applylint.core.state import Absent, Knowledge, ObjectRef, Present, Unknown, last_applied_text, ref_of
from kubectl_applylint.core.values import JsonObject, mapping
from kubectl_applylint.schema.names import ObjectArgument, is_name_of_kind
from kubectl_applylint.schema.types import Gvk
from kubectl_applylint.sources.cluster.connection import Connection, Environment, process_environment
from kubectl_applylint.sources.cluster.discovery import (
    Discovery,
    ServedKind,
    advice_on,
    discover,
    is_segment,
    not_discovered_failure,
    not_served_failure,
)
from kubectl_applylint.sources.cluster.discovery_cache import cache_directory, cache_file, read_cached, write_cached
from kubectl_applylint.sources.cluster.fetch import Found, Listing, ObjectLocation, fail_fast, fetch, list_objects
from kubectl_applylint.sources.cluster.fetch_errors import FetchError, problems_of, reason
from kubectl_applylint.sources.cluster.http_result import Answer, FailedRequest, FailureClass, Get, NoCluster
from kubectl_applylint.sources.cluster.kubeconfig import Kubeconfig, read_kubeconfig
from kubectl_applylint.sources.cluster.read_results import Objects, States
from kubectl_applylint.sources.cluster.response_schema import unexpected_form
from kubectl_applylint.sources.cluster.target import ClusterTarget, select
from kubectl_applylint.sources.system.workers import ask_all

MANY_DEFINITIONS: Final = 16
"""Number of CustomResourceDefinitions from which on all are listed: each may be hundreds of kilobytes."""
_DEFINITION: Final = ("apiextensions.k8s.io/v1", "CustomResourceDefinition")
_NAMESPACE: Final = ServedKind("v1", "Namespace", "namespaces", namespaced=False, verbs=("list",), preferred=True)
_APPLIED_VERBS: Final = frozenset(("create", "get", "list", "patch"))
_NEVER_APPLIED: Final = ("Event",)
_List: TypeAlias = tuple[JsonObject, ...] | FetchError

_Asked = TypeVar("_Asked")


class Discover(Protocol):
    """Returns the served kinds, from the discovery cache."""

    def __call__(self, wanted: Collection[Gvk] = (), *, afresh: bool = False) -> Discovery | FailedRequest:
        """Query the server, at most once, if the cache does not have one of ``wanted``, or if ``afresh``."""


@dataclass(frozen=True, slots=True)
class Cluster:
    """A cluster that can be queried."""

    name: str
    """The displayed name: ``cluster CONTEXT``."""
    server: str
    """Its URL, without credentials."""
    version: str
    """Kubernetes version as reported by the server (``v1.36.3``); empty if reading it is forbidden."""
    default_namespace: str
    problems: tuple[Problem, ...]
    """The problems of connecting."""
    get: Get = field(repr=False)
    discover: Discover = field(repr=False)
    close: Callable[[], None] = field(repr=False)
    """Closes the pooled connections."""

    def kinds(self, wanted: Collection[Gvk] = ()) -> Mapping[Gvk, ServedKind]:
        """Return all served kinds; none if discovery fails (``live`` reports why).

        The server is queried again if the cache does not have one of ``wanted``.
        """
        discovery = self.discover(wanted)
        return {} if isinstance(discovery, FailedRequest) else discovery.kinds

    def live(self, refs: Iterable[ObjectRef]) -> States:
        """Return the live objects, each in the version that its ref names, as kubectl fetches them.

        A ref of a namespaced kind without a namespace refers to the default namespace.
        """
        requested = dict.fromkeys(refs)
        discovery = self.discover(set(map(_gvk, requested)))
        results = self._ask_current(discovery, partial(self._results, requested), lambda found: found.values())
        known = self.discover()
        kinds = {} if isinstance(known, FailedRequest) else known.kinds
        unserved = {gvk: advice_on(gvk, kinds) for gvk in map(_gvk, requested) if _is_unserved(gvk, known)}
        fetch_errors = [
            found for ref, found in results.items() if isinstance(found, FetchError) and _gvk(ref) not in unserved
        ]
        states = {ref: _knowledge(result) for ref, result in results.items()}
        served = frozenset(gvk for gvk in map(_gvk, requested) if gvk in kinds)
        return States(states, problems_of(fetch_errors, self.name, counted=True), served, unserved)

    def _results(
        self, refs: Iterable[ObjectRef], discovery: Discovery | FailedRequest
    ) -> Mapping[ObjectRef, Found | Unknown]:
        plan = {ref: _plan(ref, discovery, self.default_namespace) for ref in refs}
        found = fetch(fail_fast(self.get), [each for each in plan.values() if isinstance(each, ObjectLocation)])
        return {ref: (found[step.ref] if isinstance(step, ObjectLocation) else step) for ref, step in plan.items()}

    def _ask_current(
        self,
        discovery: Discovery | FailedRequest,
        ask: Callable[[Discovery | FailedRequest], _Asked],
        each: Callable[[_Asked], Iterable[object]],
    ) -> _Asked:
        """Return the result of ``ask``, after fresh discovery if a cached kind is not served any more."""
        answers = ask(discovery)
        if not any(
            isinstance(one, FetchError) and one.failure.failure_class is FailureClass.UNSERVED for one in each(answers)
        ):
            return answers
        newer = self.discover(afresh=True)
        return answers if newer is discovery else ask(newer)

    def crds(self, kinds: Iterable[Gvk]) -> Objects:
        """Return the CustomResourceDefinitions of the custom kinds among ``kinds``."""
        requested = list(dict.fromkeys(kinds))
        discovery = self.discover(requested)
        if isinstance(discovery, FailedRequest) or _DEFINITION not in discovery.kinds:
            return Objects((), ())
        served = [discovery.kinds[gvk] for gvk in requested if gvk in discovery.kinds]
        # The group of a custom resource is a domain, unlike those of built-in resources such as apps.
        names = sorted({str(kind) for kind in served if "." in kind.group})
        wanted = [
            ObjectLocation(ObjectRef(*_DEFINITION, "", name), discovery.kinds[_DEFINITION], "", name) for name in names
        ]
        found = fetch(fail_fast(self.get), wanted, many=MANY_DEFINITIONS)
        fetch_errors = [state for state in found.values() if isinstance(state, FetchError)]
        return Objects(
            _sort_objects(_present_objects(found.values())), problems_of(fetch_errors, self.name, counted=True)
        )

    def list_applied(self, namespace: str = "", selector: str = "") -> Objects:
        """Return the objects of a namespace (or all objects) that were written by client-side apply.

        Each is in the version in which it was last applied, if that is served, else in the server's preferred version.
        """
        if namespace and not is_segment(namespace):
            return Objects((), (Problem(self.name, f"no namespace can have the name {namespace!r}"),))
        lists = self._lists(lambda kind: [namespace] if _is_applied(kind, namespace) else [], selector, was_applied)
        fetch_errors = [each for each in lists if isinstance(each, FetchError)]
        objects = [item for each in lists if isinstance(each, tuple) for item in each]
        served = self.kinds()
        other = {ref: item for item in objects for ref in _as_applied(item, served)}
        again = self.live(other)
        replaced = {id(item) for ref, item in other.items() if not isinstance(again.states[ref], Unknown)}
        kept = [item for item in objects if id(item) not in replaced]
        return Objects(
            _sort_objects([*kept, *_present_objects(again.states.values())]),
            (*problems_of(fetch_errors, self.name, counted=False), *again.problems),
        )

    def objects_of_kinds(self, words: Collection[str], namespaces: Collection[str]) -> Objects:
        """Return the objects of the named kinds in these namespaces, and cluster-scoped ones."""
        inside = sorted(filter(None, namespaces))

        def places(kind: ServedKind) -> Sequence[str]:
            is_asked = kind.preferred and "list" in kind.verbs and any(_matches_word(word, kind) for word in words)
            return (inside if kind.namespaced else [""]) if is_asked else []

        return self._join_lists(self._lists(places, "", bool))

    def labelled_objects(self, words: Collection[str], selector: str, namespaces: Collection[str]) -> Objects:
        """Return the objects of the named kinds (all kinds if none are named) that match a label selector.

        They are listed across all namespaces, or per given namespace if that is forbidden.
        """

        def is_asked(kind: ServedKind) -> bool:
            is_meant = not words or any(_matches_word(word, kind) for word in words)
            return kind.preferred and "list" in kind.verbs and is_meant

        lists = self._lists(lambda kind: [""] if is_asked(kind) else [], selector, bool)
        barred = {each.kind for each in lists if isinstance(each, FetchError) and _is_list_forbidden(each)}
        inside = sorted(filter(None, namespaces))
        if not barred or not inside:
            return self._join_lists(lists)
        permitted = [each for each in lists if not (isinstance(each, FetchError) and each.kind in barred)]
        apart = self._lists(lambda kind: inside if kind in barred else [], selector, bool)
        return self._join_lists([*permitted, *apart])

    def _join_lists(self, lists: Iterable[_List]) -> Objects:
        every = tuple(lists)
        fetch_errors = [each for each in every if isinstance(each, FetchError)]
        objects = [item for each in every if isinstance(each, tuple) for item in each]
        return Objects(_sort_objects(objects), problems_of(fetch_errors, self.name, counted=False))

    def _lists(
        self, places: Callable[[ServedKind], Sequence[str]], selector: str, is_kept: Callable[[JsonObject], bool]
    ) -> list[_List]:
        """Return the objects, or the error, of each kind in each of its namespaces according to ``places``."""

        def ask(discovery: Discovery | FailedRequest) -> list[_List]:
            if isinstance(discovery, FailedRequest):
                return [FetchError(discovery, "list")]
            collections = [(kind, place) for kind in discovery.kinds.values() for place in places(kind)]
            return ask_all(partial(_list_collection, fail_fast(self.get), selector, is_kept), collections)

        return self._ask_current(self.discover(), ask, lambda found: found)

    def named_object(self, spelled: ObjectArgument, namespace: str) -> Objects:
        """Return the object that the argument names, none if it does not exist; its kind may be misspelled."""
        kind = self._kind_named(spelled.word)
        if isinstance(kind, FailedRequest):
            return Objects((), problems_of([FetchError(kind, "get")], self.name, counted=False))
        if kind is None:
            problem = Problem(self.name, f"the cluster has no kind {spelled.word!r}", self._kind_advice(spelled.word))
            return Objects((), (problem,))
        ref = ObjectRef(kind.api_version, kind.kind, namespace if kind.namespaced else "", spelled.name)
        found = self.live([ref])
        return Objects(tuple(_present_objects(found.states.values())), found.problems)

    def _kind_named(self, word: str) -> ServedKind | FailedRequest | None:
        """Return the first kind that a word names, or ``None``; the server is queried again before giving up."""
        for wanted in ((), (("", word),)):
            discovery = self.discover(wanted)
            if isinstance(discovery, FailedRequest):
                return discovery
            found = [kind for kind in discovery.kinds.values() if "get" in kind.verbs and _matches_word(word, kind)]
            if found:
                return next((kind for kind in found if kind.preferred), found[0])
        return None

    def _kind_advice(self, word: str) -> str:
        """Return advice for a word that names no kind: the kind that was probably meant, or where to look."""
        kinds = [kind for kind in self.kinds().values() if "get" in kind.verbs]
        known = {name for kind in kinds for name in (kind.kind.lower(), kind.resource, *kind.names)}
        return meant(word, known, otherwise="list the kinds with: kubectl api-resources")

    def namespaces(self) -> tuple[str, ...]:
        """Return the names of all namespaces, none if listing them is forbidden."""
        match list_objects(self.get, _NAMESPACE):
            case Listing(objects=objects):
                return tuple(sorted(ref_of(item).name for item in objects))
            case FailedRequest():
                return ()


def open_cluster(connection: Connection, environment: Environment | None = None) -> Cluster | NoCluster:
    """Connect to the cluster that the flags and the kubeconfig select, and read its version."""
    environment = environment or process_environment()
    kubeconfig = read_kubeconfig(connection, environment)
    target = select(kubeconfig, connection, environment) if isinstance(kubeconfig, Kubeconfig) else kubeconfig
    if isinstance(target, NoCluster):
        return target
    # The client library takes 0.4 s to import; runs without a cluster do without it.
    from kubectl_applylint.sources.cluster.client import connect  # noqa: PLC0415

    transport = connect(target)
    if isinstance(transport, NoCluster):
        return transport
    path = cache_file(cache_directory(connection, environment), target.server)
    return _new_cluster(target, transport.get, _cached_discovery(transport.get, path), transport.close)


def _new_cluster(
    target: ClusterTarget, get: Get, discovery: Discover, close: Callable[[], None]
) -> Cluster | NoCluster:
    problems: tuple[Problem, ...] = ()
    version = ""
    match get("/version"):
        case Answer(body={"gitVersion": str() as git_version}):
            version = git_version
        case Answer():
            close()
            other = unexpected_form("a version", "it has no gitVersion")
            return NoCluster(Problem(target.name, f"{target.server} answered, but {other.message}", other.advice))
        case FailedRequest(failure_class=FailureClass.FORBIDDEN, message=message):
            problems = (Problem(target.name, f"the server did not report its version: {message}"),)
        case FailedRequest(failure_class=trouble, message=message, advice=advice):
            close()
            # The server's message may quote a value of a manifest, and no manifest is read yet, so secrets are not
            # known yet.
            is_quoting = trouble in (FailureClass.FAULTY, FailureClass.REFUSED)
            return NoCluster(Problem(target.name, message.partition(": ")[0] if is_quoting else message, advice))
    return Cluster(target.name, target.server, version, target.namespace, problems, get, discovery, close)


def _cached_discovery(get: Get, path: str) -> Discover:
    held: Discovery | None = None
    is_fresh = False

    def discovery(wanted: Collection[Gvk] = (), *, afresh: bool = False) -> Discovery | FailedRequest:
        nonlocal held, is_fresh
        held = held or read_cached(path)
        if held is not None and (is_fresh or (not afresh and all(gvk in held.kinds for gvk in wanted))):
            return held
        found = discover(get)
        if isinstance(found, FailedRequest):
            return found
        held, is_fresh = found, True
        write_cached(path, found)
        return found

    return discovery


def _gvk(ref: ObjectRef) -> Gvk:
    return ref.api_version, ref.kind


def _is_unserved(gvk: Gvk, discovery: Discovery | FailedRequest) -> bool:
    return not isinstance(discovery, FailedRequest) and gvk not in discovery.kinds and gvk[0] not in discovery.stale


def _plan(
    ref: ObjectRef, discovery: Discovery | FailedRequest, namespace: str
) -> ObjectLocation | Absent | Unknown | FetchError:
    """Return how to fetch an object, or its state if no request can or need be sent."""
    if isinstance(discovery, FailedRequest):
        return FetchError(discovery, "get")
    kind = discovery.kinds.get((ref.api_version, ref.kind))
    if kind is None:
        is_stale = ref.api_version in discovery.stale
        return FetchError(
            not_discovered_failure(ref.api_version) if is_stale else not_served_failure(ref.api_version, ref.kind),
            "get",
        )
    if kind.verbs and "get" not in kind.verbs:
        return Absent()
    where = (ref.namespace or namespace) if kind.namespaced else ""
    if not is_segment(ref.name) or (kind.namespaced and not is_segment(where)):
        return Unknown("the name is not valid" if ref.name else "the manifest has no name")
    return ObjectLocation(ref, kind, where, ref.name)


def _knowledge(result: Found | Unknown) -> Knowledge:
    match result:
        case FetchError():
            return Unknown(reason(result))
        case Present() | Absent() | Unknown():
            return result
        case _:
            assert_never(result)


def _present_objects(states: Iterable[Found | Unknown]) -> list[JsonObject]:
    return [state.object for state in states if isinstance(state, Present)]


def _sort_objects(objects: Iterable[JsonObject]) -> tuple[JsonObject, ...]:
    return tuple(sorted(objects, key=_order))


def _order(item: JsonObject) -> tuple[str, str, str, str]:
    ref = ref_of(item)
    return (ref.namespace, ref.kind, ref.group, ref.name)


def _matches_word(word: str, kind: ServedKind) -> bool:
    return is_name_of_kind(word, kind.api_version, kind.kind, (kind.resource, *kind.names))


def _is_applied(kind: ServedKind, namespace: str) -> bool:
    is_within = kind.namespaced or not namespace
    return is_within and kind.preferred and kind.kind not in _NEVER_APPLIED and set(kind.verbs) >= _APPLIED_VERBS


def _is_list_forbidden(error: FetchError) -> bool:
    """Return whether listing across all namespaces is forbidden, while single namespaces may be permitted."""
    is_namespaced = error.kind is not None and error.kind.namespaced
    return is_namespaced and error.failure.failure_class is FailureClass.FORBIDDEN


def _list_collection(
    get: Get, selector: str, is_kept: Callable[[JsonObject], bool], collection: tuple[ServedKind, str]
) -> _List:
    kind, namespace = collection
    match list_objects(get, kind, namespace, selector=selector):
        case Listing(objects=objects):
            return tuple(filter(is_kept, objects))
        case FailedRequest() as failure:
            return FetchError(failure, "list", kind, namespace)


def _as_applied(item: JsonObject, served: Collection[Gvk]) -> Iterator[ObjectRef]:
    """Yield the ref of an object in its last applied version, if that is another one."""
    ref = ref_of(item)
    try:
        version = mapping(json.loads(last_applied_text(Present(item)) or "")).get("apiVersion")
    except (ValueError, RecursionError):
        return
    if isinstance(version, str) and version != ref.api_version and (version, ref.kind) in served:
        other = replace(ref, api_version=version)
        if other.group == ref.group:
            yield other
