"""Shards of a run: ``--shard 2/4`` is the second of four."""

import heapq
from collections.abc import Hashable, Mapping
from typing import Final, TypeVar

from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.regex import regex

AUTO: Final = "auto"
"""The value of ``--shard`` that takes the shard from the environment of the CI."""
SHARD_VARIABLE: Final = "APPLYLINT_SHARD"
"""The variable with a shard as I/N, for a CI without such variables of its own."""
_GITLAB: Final = ("CI_NODE_INDEX", "CI_NODE_TOTAL")
_KUBERNETES: Final = ("JOB_COMPLETION_INDEX", "APPLYLINT_SHARDS")
"""An Indexed Job counts from 0; its pods do not get the total from Kubernetes."""
_SHARD: Final = regex(r"([1-9]\d{0,5})/([1-9]\d{0,5})")
_Key = TypeVar("_Key", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Shard:
    """One of ``count`` parts of a run, ``number`` from 1."""

    number: int
    count: int


def parse_shard(text: str, environment: Mapping[str, str]) -> Shard:
    """Return the shard of a text I/N, or of the environment for ``auto``; raise ``ValueError`` for any other text."""
    typed = _from_environment(environment) if text == AUTO else text
    found = _SHARD.fullmatch(typed)
    if found is None or int(found[1]) > int(found[2]):
        shown = f"{text} ({typed})" if text == AUTO and typed else text
        variables = f"{SHARD_VARIABLE}, {' and '.join(_GITLAB)}, or {' and '.join(_KUBERNETES)}"
        raise ValueError(
            f"{shown} is not a valid shard; use I/N, for example 2/4, or {AUTO} in a CI that sets {variables}"
        )
    return Shard(int(found[1]), int(found[2]))


def _from_environment(environment: Mapping[str, str]) -> str:
    if environment.get(SHARD_VARIABLE):
        return environment[SHARD_VARIABLE]
    index, total = _KUBERNETES
    if environment.get(index, "").isdecimal() and environment.get(total):
        return f"{int(environment[index]) + 1}/{environment[total]}"
    return "/".join(environment.get(name, "") for name in _GITLAB).strip("/")


def balanced_share(weights: Mapping[_Key, int], shard: Shard) -> frozenset[_Key]:
    """Return the keys of a shard from keys with weights; each key is in exactly one shard.

    The heaviest key is assigned first, each to the shard with the least weight. The result is the same on all machines.
    """
    loads = [(0, number) for number in range(1, shard.count + 1)]
    mine: list[_Key] = []
    for key in sorted(weights, key=lambda one: (-weights[one], repr(one))):
        load, number = heapq.heappop(loads)
        heapq.heappush(loads, (load + max(weights[key], 1), number))
        if number == shard.number:
            mine.append(key)
    return frozenset(mine)
