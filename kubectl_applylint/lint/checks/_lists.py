"""Paths and elements of lists, for the checks about them."""

from collections.abc import Iterator, Sequence

from kubectl_applylint.core.gotext import encode
from kubectl_applylint.core.outcome import plain
from kubectl_applylint.core.paths import ByKey, Field, Index, Path, PathStep, child, get
from kubectl_applylint.core.state import Unknown
from kubectl_applylint.core.values import Json, JsonObject, equal, text_at
from kubectl_applylint.lint.model import Params
from kubectl_applylint.schema.lookup import at
from kubectl_applylint.schema.types import Node

_NOTHING: tuple[Json, ...] = (None, "", {}, [])


def covers(whole: Json, part: Json) -> bool:
    """Return whether ``whole`` contains everything in ``part``; servers may drop empty values and add others.

    An unknown value may be the same.
    """
    if isinstance(part, dict) and isinstance(whole, dict):
        return all(covers(whole[key], value) if key in whole else value in _NOTHING for key, value in part.items())
    if isinstance(part, list) and isinstance(whole, list):
        return len(part) == len(whole) and all(map(covers, whole, part))
    return isinstance(whole, Unknown) or equal(whole, part)


def with_merge_keys(value: Json, node: Node, path: Path) -> Path:
    """Return ``path`` with merge keys instead of positions in lists that merge by them."""
    return tuple(_steps_with_keys(value, node, path))


def _steps_with_keys(value: Json, node: Node | None, path: Path) -> Iterator[PathStep]:
    """Yield the steps of ``with_merge_keys``."""
    for step in path:
        key = node.merge_key if node and node.merges and isinstance(step, Index) else ""
        value, node = child(value, step), at(node, (step,)) if node else None
        yield ByKey(((key, value[key]),)) if key and isinstance(value, dict) and key in value else step


def lists(value: Json, path: Path = ()) -> Iterator[tuple[Path, list[Json]]]:
    """Yield every list that is reached only through maps."""
    if isinstance(value, list):
        yield path, value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from lists(inner, (*path, Field(key)))


def is_in_scope(path: Path, params: Params) -> bool:
    """Return whether a path contains one of the fields ``params["only"]``, if given, and none of ``["except"]``."""
    names = {step.name for step in path if isinstance(step, Field)}
    return not names.isdisjoint(params.get("only", names)) and names.isdisjoint(params.get("except", ()))


def entry_name(entry: Json) -> str:
    """Return a list entry for messages: its name, or else its shortened value."""
    if isinstance(entry, dict) and isinstance(entry.get("name"), str):
        return str(entry["name"])
    text = entry if isinstance(entry, str) else encode(plain(entry))
    return text if len(text) <= 60 else f"{text[:59]}…"


def element_names(item: JsonObject, path: Path) -> Sequence[str]:
    """Return the names of the list elements in a path."""
    ends = (end for end, step in enumerate(path, 1) if isinstance(step, Index))
    return [text_at(get(item, path[:end]), "name") for end in ends]
