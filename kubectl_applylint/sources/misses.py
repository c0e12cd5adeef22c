"""Objects that a cluster did not tell of: why, in words, once for everything that shares the reason."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from kubectl_applylint.core.problem import Problem
from kubectl_applylint.sources.answer import FailedRequest, Trouble
from kubectl_applylint.sources.discovery import ServedKind

_MOST_NAMED: Final = 5
_OF_THE_CONNECTION: Final = (Trouble.SLOW, Trouble.BROKEN, Trouble.GARBLED, Trouble.TOO_LARGE)
_USER = re.compile(r'User "([^"]*)" cannot')
_SAID_BY_ITSELF: Final = (Trouble.UNREACHABLE, Trouble.TLS, Trouble.UNAUTHORIZED, Trouble.UNSERVED)


@dataclass(frozen=True, slots=True)
class FetchError:
    """A question without an answer: what was to be done to which kind, in which namespace (empty: all, or none)."""

    failure: FailedRequest
    verb: str
    kind: ServedKind | None = None
    """``None`` where the failure came before any kind."""
    namespace: str = ""


_Key: TypeAlias = tuple[str, str, str, str]


def reason(miss: FetchError) -> str:
    """Return why, for the state of one object."""
    return _message(miss, [str(miss.kind)])


def problems_of(misses: Iterable[FetchError], where: str, *, counted: bool) -> tuple[Problem, ...]:
    """Return one problem for all misses of one reason; kinds that share a missing right are named together.

    ``counted``: each miss stands for an object, and how many there are is told.
    """
    grouped: dict[_Key, list[FetchError]] = {}
    for miss in misses:
        grouped.setdefault(_key(miss), []).append(miss)
    return tuple(_problem(group, where, counted=counted) for group in grouped.values())


def _key(miss: FetchError) -> _Key:
    """Return what misses of one problem share; the words of a server may name an object and so differ."""
    if miss.failure.trouble is Trouble.FORBIDDEN:
        return ("", _user(miss), miss.verb, _scope(miss))
    if _is_of_the_server(miss):
        return (miss.failure.message, "", "", "")
    if miss.failure.trouble in _OF_THE_CONNECTION:
        return (miss.failure.message, "", "", _scope(miss))
    return (miss.failure.trouble, str(miss.kind), "", _scope(miss))


def _is_of_the_server(miss: FetchError) -> bool:
    """Tell whether the failure has nothing to do with the kind; a list that is refused has a faulty selector."""
    trouble = miss.failure.trouble
    is_selector = trouble is Trouble.REFUSED and miss.verb == "list"
    return miss.kind is None or trouble in _SAID_BY_ITSELF or is_selector


def _problem(group: Sequence[FetchError], where: str, *, counted: bool) -> Problem:
    kinds = list(dict.fromkeys(str(miss.kind) for miss in group))
    left_out = f" ({len(group)} object{'s' if len(group) > 1 else ''} skipped)" if counted else ""
    return Problem(where, _message(group[0], kinds) + left_out, _advice(group[0], kinds))


def _message(miss: FetchError, kinds: Sequence[str]) -> str:
    failure = miss.failure
    if failure.trouble is Trouble.FORBIDDEN and miss.kind is not None:
        return f"forbidden: user {_user(miss)} cannot {miss.verb} {_enumerated(kinds)}{_scope(miss)}"
    if _is_of_the_server(miss):
        return failure.message
    return f"cannot read {_enumerated(kinds)}{_scope(miss)}: {failure.message}"


def _enumerated(kinds: Sequence[str]) -> str:
    if len(kinds) <= _MOST_NAMED:
        return ", ".join(kinds)
    named = kinds[: _MOST_NAMED - 1]
    return f"{', '.join(named)} and {len(kinds) - len(named)} more kinds"


def _user(miss: FetchError) -> str:
    told = _USER.search(miss.failure.message)
    return told[1] if told else "of the kubeconfig"


def _scope(miss: FetchError) -> str:
    if miss.kind is None or not miss.kind.namespaced:
        return ""
    return f" in namespace {miss.namespace}" if miss.namespace else " in all namespaces"


def _advice(miss: FetchError, kinds: Sequence[str]) -> str:
    if miss.failure.trouble is not Trouble.FORBIDDEN or miss.kind is None:
        return miss.failure.advice
    where = f" -n {miss.namespace}" if miss.namespace else " -A" if miss.kind.namespaced else ""
    check = f"{miss.verb} {kinds[0]}" if len(kinds) == 1 else "--list"
    return f"request the verbs get and list; check with: kubectl auth can-i {check}{where}"
