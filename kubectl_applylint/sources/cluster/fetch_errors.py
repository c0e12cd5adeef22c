"""Errors of reading a cluster, grouped by reason into problems."""

from collections.abc import Iterable, Sequence
from typing import Final, TypeAlias

from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.regex import regex
from kubectl_applylint.sources.cluster.discovery import ServedKind
from kubectl_applylint.sources.cluster.http_result import FailedRequest, FailureClass

_MOST_NAMED: Final = 5
_OF_THE_CONNECTION: Final = (FailureClass.SLOW, FailureClass.BROKEN, FailureClass.GARBLED, FailureClass.TOO_LARGE)
_USER = regex(r'User "([^"]*)" cannot')
_SAID_BY_ITSELF: Final = (FailureClass.UNREACHABLE, FailureClass.TLS, FailureClass.UNAUTHORIZED, FailureClass.UNSERVED)


@dataclass(frozen=True, slots=True)
class FetchError:
    """A failed read: the action, the kind, and the namespace (empty for all, or for cluster-scoped objects)."""

    failure: FailedRequest
    verb: str
    kind: ServedKind | None = None
    """``None`` if the failure is not specific to a kind."""
    namespace: str = ""


_Key: TypeAlias = tuple[str, str, str, str]


def reason(fetch_error: FetchError) -> str:
    """Return the reason, for the state of one object."""
    return _message(fetch_error, [str(fetch_error.kind)])


def problems_of(fetch_errors: Iterable[FetchError], where: str, *, counted: bool) -> tuple[Problem, ...]:
    """Group errors by reason into one problem each; kinds that do not have the same permission are named together.

    ``counted``: each error is about one object, and the problem includes their number.
    """
    grouped: dict[_Key, list[FetchError]] = {}
    for fetch_error in fetch_errors:
        grouped.setdefault(_key(fetch_error), []).append(fetch_error)
    return tuple(_problem(group, where, counted=counted) for group in grouped.values())


def _key(fetch_error: FetchError) -> _Key:
    """Return the grouping key of an error; without the server's message, which may name an object."""
    if fetch_error.failure.failure_class is FailureClass.FORBIDDEN:
        return ("", _user(fetch_error), fetch_error.verb, _scope(fetch_error))
    if _is_independent_of_kind(fetch_error):
        return (fetch_error.failure.message, "", "", "")
    if fetch_error.failure.failure_class in _OF_THE_CONNECTION:
        return (fetch_error.failure.message, "", "", _scope(fetch_error))
    return (fetch_error.failure.failure_class, str(fetch_error.kind), "", _scope(fetch_error))


def _is_independent_of_kind(fetch_error: FetchError) -> bool:
    """Return whether the failure is independent of the kind; a rejected list has an invalid selector."""
    trouble = fetch_error.failure.failure_class
    is_selector = trouble is FailureClass.REFUSED and fetch_error.verb == "list"
    return fetch_error.kind is None or trouble in _SAID_BY_ITSELF or is_selector


def _problem(group: Sequence[FetchError], where: str, *, counted: bool) -> Problem:
    kinds = list(dict.fromkeys(str(fetch_error.kind) for fetch_error in group))
    left_out = f" ({len(group)} object{'s' if len(group) > 1 else ''} skipped)" if counted else ""
    return Problem(where, _message(group[0], kinds) + left_out, _advice(group[0], kinds))


def _message(fetch_error: FetchError, kinds: Sequence[str]) -> str:
    failure = fetch_error.failure
    if failure.failure_class is FailureClass.FORBIDDEN and fetch_error.kind is not None:
        denied = f"{fetch_error.verb} {_enumerate_kinds(kinds)}{_scope(fetch_error)}"
        return f"forbidden: user {_user(fetch_error)} cannot {denied}"
    if _is_independent_of_kind(fetch_error):
        return failure.message
    return f"cannot read {_enumerate_kinds(kinds)}{_scope(fetch_error)}: {failure.message}"


def _enumerate_kinds(kinds: Sequence[str]) -> str:
    if len(kinds) <= _MOST_NAMED:
        return ", ".join(kinds)
    named = kinds[: _MOST_NAMED - 1]
    return f"{', '.join(named)} and {len(kinds) - len(named)} more kinds"


def _user(fetch_error: FetchError) -> str:
    match = _USER.search(fetch_error.failure.message)
    return match[1] if match else "of the kubeconfig"


def _scope(fetch_error: FetchError) -> str:
    if fetch_error.kind is None or not fetch_error.kind.namespaced:
        return ""
    return f" in namespace {fetch_error.namespace}" if fetch_error.namespace else " in all namespaces"


def _advice(fetch_error: FetchError, kinds: Sequence[str]) -> str:
    if fetch_error.failure.failure_class is not FailureClass.FORBIDDEN or fetch_error.kind is None:
        return fetch_error.failure.advice
    where = f" -n {fetch_error.namespace}" if fetch_error.namespace else " -A" if fetch_error.kind.namespaced else ""
    check = f"{fetch_error.verb} {kinds[0]}" if len(kinds) == 1 else "--list"
    return f"request the verbs get and list; check with: kubectl auth can-i {check}{where}"
