"""Restores values as they were sent, for ownership, which is computed before the server stores anything.

Before that the server distinguishes an empty list from none, while a client gets null for both. And it compares the
elements of atomic lists as Go values, for which ``1024Mi`` and ``1Gi`` differ; everywhere else it compares the
encoding. Observed on kube-apiserver 1.36.3 with limit ranges, autoscalers and resource slices.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache, partial
from typing import Final, TypeAlias

from kubectl_applylint.core import gotext
from kubectl_applylint.core.values import Json, mapping
from kubectl_applylint.merge.typed import MergeForm, form_of
from kubectl_applylint.schema.types import Node
from kubectl_applylint.server.encode import is_null_when_empty

LoadFields: TypeAlias = Callable[[], Mapping[str, Node]]
_Restore: TypeAlias = Callable[[Json, Json], Json]
_PLANS: Final = 4096


def restore_sent_values(encoded: Json, sent: Json, node: Node) -> Json:
    """Return an encoded object with empty values instead of nulls and amounts of atomic lists as they were sent."""
    return _in_struct(node.load_fields, encoded, sent)


@lru_cache(maxsize=_PLANS)
def _plan(load_fields: LoadFields) -> Mapping[str, _Restore]:
    """Return the restorers of the fields of a type that need one; most types have none."""
    found = ((name, _restorer(node)) for name, node in load_fields().items())
    return {name: restore for name, restore in found if restore is not None}


def _restorer(node: Node) -> _Restore | None:
    if _is_list_of_amounts(node):
        return partial(_amounts, node)
    if any(_is_restored(field) for inner in _below(node) for field in inner.fields.values()):
        return _walker(node)
    return _as_sent if is_null_when_empty(node) else None


def _is_restored(node: Node) -> bool:
    return is_null_when_empty(node) or _is_list_of_amounts(node)


def _walker(node: Node) -> _Restore:
    """Return the restorer of the fields anywhere inside a value."""
    if node.item is not None:
        return partial(_in_list, _walker(node.item))
    return partial(_in_struct, node.load_fields) if node.value is None else partial(_in_map, _walker(node.value))


def _is_list_of_amounts(node: Node) -> bool:
    is_whole = node.item is not None and form_of(node, []) is MergeForm.ATOMIC
    return is_whole and any(inner.format == "quantity" for inner in _below(node))


def _below(node: Node) -> Iterator[Node]:
    """Yield a node and all nodes inside it, each type once."""
    seen, waiting = set[str](), [node]
    while waiting:
        here = waiting.pop()
        yield here
        waiting += [inner for inner in (here.item, here.value) if inner is not None]
        if here.struct not in seen:
            seen.add(here.struct)
            waiting += here.fields.values()


def _as_sent(encoded: Json, sent: Json) -> Json:
    return sent if encoded is None and sent in ([], {}) else encoded


def _in_struct(load_fields: LoadFields, encoded: Json, sent: Json) -> Json:
    plan = _plan(load_fields)
    if not plan or not isinstance(encoded, dict) or not isinstance(sent, dict):
        return encoded
    there = ((name, restore) for name, restore in plan.items() if name in encoded and name in sent)
    return {**encoded, **{name: restore(encoded[name], sent[name]) for name, restore in there}}


def _in_map(restore: _Restore, encoded: Json, sent: Json) -> Json:
    if not isinstance(encoded, dict) or not isinstance(sent, dict):
        return _as_sent(encoded, sent)
    return {key: restore(item, sent[key]) if key in sent else item for key, item in encoded.items()}


def _in_list(restore: _Restore, encoded: Json, sent: Json) -> Json:
    if not isinstance(encoded, list) or not isinstance(sent, list) or len(encoded) != len(sent):
        return _as_sent(encoded, sent)
    return list(map(restore, encoded, sent))


def _amounts(node: Node, encoded: Json, sent: Json) -> Json:
    """Return a value with every amount in it as it was sent."""
    if node.format == "quantity":
        return gotext.show(sent) if isinstance(sent, (str, int, float)) else encoded
    if node.item is not None:
        return _in_list(partial(_amounts, node.item), encoded, sent)
    if not isinstance(encoded, dict):
        return _as_sent(encoded, sent)
    known = {name: node.value or node.fields.get(name) for name in encoded.keys() & mapping(sent).keys()}
    inner = {name: _amounts(below, encoded[name], sent[name]) for name, below in known.items() if below is not None}
    return {**encoded, **inner}
