"""Draws the edits that an author might make to a manifest: fields set, removed, added, emptied, lists changed."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from random import Random
from typing import TypeAlias

from kubectl_applylint.core.state import LAST_APPLIED
from kubectl_applylint.core.values import Json, JsonObject
from tests.fidelity.vocabulary import ADDITIONS, ALTERNATIVES, CONTAINER, MERGE_KEYS, POD

Place: TypeAlias = tuple[str | int, ...]
"""Keys and positions from the root of an object."""
Nodes: TypeAlias = list[tuple[Place, Json]]

_SERVER_METADATA = {
    ("metadata", name)
    for name in (
        "name",
        "namespace",
        "managedFields",
        "uid",
        "resourceVersion",
        "creationTimestamp",
        "generation",
        "selfLink",
    )
}


def walk(value: Json, place: Place = ()) -> Iterator[tuple[Place, Json]]:
    """Yield every value inside ``value`` with its place, outer ones first, beginning with ``value`` itself."""
    yield place, value
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, item in entries:
        yield from walk(item, (*place, step))


def put(value: Json, place: Place, new: Json) -> Json:
    """Return ``value`` with ``new`` at ``place``; the map or list around it must exist."""
    if not place:
        return new
    step, *rest = place
    inner = put(value[step], tuple(rest), new) if rest else new
    if isinstance(value, dict):
        return {**value, step: inner}
    return [inner if position == step else item for position, item in enumerate(value)]


def without_place(value: Json, place: Place) -> Json:
    """Return ``value`` without the item at ``place``."""
    *cluster_view, last = place
    outer = value
    for step in cluster_view:
        outer = outer[step]
    if isinstance(outer, dict):
        return put(value, tuple(cluster_view), {key: item for key, item in outer.items() if key != last})
    return put(value, tuple(cluster_view), [item for position, item in enumerate(outer) if position != last])


def kind_of_place(kind: str, place: Place) -> Place:
    """Return the place without positions, cut so that pod specs and containers of all kinds share theirs."""
    generic = tuple("*" if isinstance(step, int) else step for step in place)
    for position in reversed(range(len(generic))):
        if generic[position] in ("containers", "initContainers"):
            return (CONTAINER, *generic[position + 1 :])
    if "template" in generic and "spec" in generic[generic.index("template") :]:
        last = len(generic) - 1 - generic[::-1].index("spec")
        return (POD, *generic[last + 1 :])
    if kind == "Pod" and place[:1] == ("spec",):
        return (POD, *generic[1:])
    return (kind, *generic)


@dataclass(frozen=True, slots=True)
class Donors:
    """All values of the base manifests by kind of place, to be transplanted into others."""

    values: Mapping[Place, list[Json]]
    children: Mapping[Place, frozenset[str | int]]
    """The keys seen at each kind of place."""


def donors(bases: Iterable[JsonObject]) -> Donors:
    """Return what the manifests ``bases`` have to give."""
    values: dict[Place, list[Json]] = {}
    children: dict[Place, frozenset[str | int]] = {}
    for base in bases:
        for place, value in walk(base):
            if place and place[0] not in ("apiVersion", "kind", "status") and not _is_identity(place):
                key = kind_of_place(base["kind"], place)
                values.setdefault(key, []).append(value)
                children[key[:-1]] = children.get(key[:-1], frozenset()) | {key[-1]}
    return Donors(values, children)


def _is_identity(place: Place) -> bool:
    return place[:2] in (("metadata", "name"), ("metadata", "namespace"))


def _is_authors(place: Place) -> bool:
    """Whether an author may edit what stands there."""
    return (
        bool(place)
        and place[0] not in ("apiVersion", "kind")
        and place != ("metadata",)
        and place[:2] not in _SERVER_METADATA
        and place[:3] != ("metadata", "annotations", LAST_APPLIED)
    )


@dataclass(frozen=True, slots=True)
class Draw:
    """The input from which one edit is drawn."""

    rng: Random
    object: Json
    nodes: Nodes
    """All that an author may edit."""
    place: Place
    """One of them."""
    donors: Donors

    @property
    def maps(self) -> Nodes:
        """The maps among the nodes, and the whole object."""
        return [(place, value) for place, value in [*self.nodes, ((), self.object)] if isinstance(value, dict)]

    @property
    def lists(self) -> Nodes:
        """The lists among the nodes that hold anything."""
        return [(place, value) for place, value in self.nodes if isinstance(value, list) and value]

    def key(self, place: Place) -> Place:
        """The kind of a place of this object."""
        return kind_of_place(self.object["kind"], place)

    def given(self, place: Place) -> list[Json]:
        """The values of the base manifests at such places."""
        return self.donors.values.get(self.key(place), [])


Edited: TypeAlias = tuple[Json, Place]
"""The object after an edit, and where it was edited."""
Operation: TypeAlias = Callable[[Draw], Edited | None]
"""Edits once; ``None`` if the object offers no occasion."""


def edit(rng: Random, manifest: JsonObject, given: Donors, *, count: int = 0) -> tuple[JsonObject, list[str]]:
    """Return the manifest after ``count`` edits (1 to 3 if not said), and in words what they were."""
    descriptions: list[str] = []
    for _ in range(count or rng.choice((1, 1, 1, 2, 2, 3))):
        nodes = [(place, value) for place, value in walk(manifest) if _is_authors(place)]
        if not nodes:
            break
        name = rng.choices(tuple(OPERATIONS), [weight for weight, _ in OPERATIONS.values()])[0]
        edited = OPERATIONS[name][1](Draw(rng, manifest, nodes, rng.choice(nodes)[0], given))
        if edited is not None:
            manifest, place = edited
            descriptions.append(f"{name} {'.'.join(map(str, place))}")
    return manifest, descriptions


def _set(draw: Draw) -> Edited | None:
    leaves = [(place, value) for place, value in draw.nodes if not isinstance(value, dict | list)]
    if not leaves:
        return None
    place, value = draw.rng.choice(leaves)
    given = draw.given(place)
    new = draw.rng.choice(given) if given and draw.rng.random() < 0.35 else other(draw.rng, value, place[-1])
    return put(draw.object, place, new), place


def other(rng: Random, value: Json, name: str | int) -> Json:
    """Return another scalar than ``value`` for the field ``name``."""
    if name in ALTERNATIVES and rng.random() < 0.5:
        return rng.choice(ALTERNATIVES[name])
    match value:
        case bool():
            return not value
        case int():
            return value + rng.choice((1, -1, 10))
        case float():
            return value + 1
        case str() if _is_quantity(value):
            return rng.choice(("1Gi", "1024Mi", "2Gi", "500m", "0.5"))
        case str():
            variants = (f"{value}x", f"{value}-b", "new", value.upper(), "")
            return rng.choices(variants, (6, 6, 4, 1, 1))[0]
        case _:
            return "v"


def _is_quantity(text: str) -> bool:
    return (text[:1].isdigit() and text[-1:] in "imGK") or text.endswith(("Gi", "Mi"))


def _delete(draw: Draw) -> Edited:
    return without_place(draw.object, draw.place), draw.place


def _null(draw: Draw) -> Edited:
    return put(draw.object, draw.place, None), draw.place


def _retype(draw: Draw) -> Edited:
    return put(draw.object, draw.place, draw.rng.choice(("text", 5, True, {"a": 1}, ["a"]))), draw.place


def _add(draw: Draw) -> Edited | None:
    """Add a field that another manifest has at such a place."""
    place, value = draw.rng.choice(draw.maps)
    known = draw.donors.children.get(draw.key(place), frozenset())
    absent = [key for key in sorted(known, key=str) if key not in value and key != "*"]
    if not absent:
        return None
    inner = (*place, draw.rng.choice(absent))
    return put(draw.object, inner, draw.rng.choice(draw.given(inner))), inner


def _inject(draw: Draw) -> Edited | None:
    """Add or replace a field as authors commonly do."""
    offers = [(place, ADDITIONS[draw.key(place)]) for place, _ in draw.maps if draw.key(place) in ADDITIONS]
    if not offers:
        return None
    place, additions = draw.rng.choice(offers)
    name = draw.rng.choice(sorted(additions))
    return put(draw.object, (*place, name), draw.rng.choice(additions[name])), (*place, name)


def _in_list(change: Callable[[Draw, Place, list[Json]], list[Json] | None]) -> Operation:
    """Return the operation that applies ``change`` to some list of the object."""

    def operation(draw: Draw) -> Edited | None:
        if not draw.lists:
            return None
        place, items = draw.rng.choice(draw.lists)
        new = change(draw, place, items)
        return None if new is None else (put(draw.object, place, new), place)

    return operation


def _without_one(draw: Draw, place: Place, items: list[Json]) -> list[Json]:
    position = draw.rng.randrange(len(items))
    return items[:position] + items[position + 1 :]


def _with_another(draw: Draw, place: Place, items: list[Json]) -> list[Json]:
    position = draw.rng.randrange(len(items) + 1)
    given = draw.given((*place, 0))
    return [*items[:position], draw.rng.choice(given) if given else items[0], *items[position:]]


def _with_twin(draw: Draw, place: Place, items: list[Json]) -> list[Json]:
    return [*items, draw.rng.choice(items)]


def _shuffle(draw: Draw, place: Place, items: list[Json]) -> list[Json]:
    shuffled = list(items)
    draw.rng.shuffle(shuffled)
    return shuffled


def _rename(draw: Draw, place: Place, items: list[Json]) -> list[Json] | None:
    """Change the merge key of one element."""
    position = draw.rng.choice(range(len(items)))
    item = items[position]
    keys = [key for key in MERGE_KEYS if key in item] if isinstance(item, dict) else []
    if not keys:
        return None
    renamed = {**item, keys[0]: other(draw.rng, item[keys[0]], keys[0])}
    return [*items[:position], renamed, *items[position + 1 :]]


def _empty(draw: Draw) -> Edited | None:
    full = [(place, value) for place, value in draw.nodes if isinstance(value, dict | list) and value]
    if not full:
        return None
    place, value = draw.rng.choice(full)
    return put(draw.object, place, {} if isinstance(value, dict) else []), place


def _metadata(draw: Draw) -> Edited | None:
    """Set a label or an annotation, sometimes finalizers too."""
    place = ("metadata", draw.rng.choice(("labels", "annotations")))
    entries = draw.object["metadata"].get(place[1], {})
    if entries is None:
        return None
    value = draw.rng.choice(("one", "two", "3"))
    name = draw.rng.choice(("app", "team", "added", "x/y"))
    if not isinstance(entries, dict):
        return None
    changed = put(draw.object, place, {**entries, name: value})
    if draw.rng.random() < 0.2:
        finalizers = draw.rng.choice((["example.com/f"], ["example.com/f", "example.com/g"], []))
        changed = put(changed, ("metadata", "finalizers"), finalizers)
    return changed, place


OPERATIONS: Mapping[str, tuple[int, Operation]] = {
    "set": (20, _set),
    "del": (18, _delete),
    "null": (6, _null),
    "add": (16, _add),
    "inject": (14, _inject),
    "lrm": (8, _in_list(_without_one)),
    "lapp": (8, _in_list(_with_another)),
    "ldup": (3, _in_list(_with_twin)),
    "lord": (5, _in_list(_shuffle)),
    "lkey": (7, _in_list(_rename)),
    "empty": (3, _empty),
    "meta": (6, _metadata),
    "retype": (2, _retype),
}
"""How often each operation is drawn, and what it does. Changing anything here changes what a seed stands for."""
