"""Finds the part of a kustomization that sets a value of a rendered object: a patch, ``images`` or ``replicas``.

A patch or entry is the origin if it applies to the object and has the rendered value at the same path.
"""

import posixpath
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.location import Location, Positions, Span
from kubectl_applylint.core.paths import ByKey, Field, Index, Path, PathStep, child, fields, get
from kubectl_applylint.core.records import dataclass, field
from kubectl_applylint.core.values import MISSING, Json, JsonObject, dig, equal, items, mapping
from kubectl_applylint.sources.text.classify import is_kustomization
from kubectl_applylint.sources.text.manifests import decode
from kubectl_applylint.sources.text.positions import TextPositions
from kubectl_applylint.sources.text.stream import Piece, pieces
from kubectl_applylint.sources.text.yaml_events import YamlError

_PATCHES: Final = ("patches", "patchesJson6902", "patchesStrategicMerge")
_SETTING: Final = ("add", "replace")


@dataclass(frozen=True, slots=True)
class Patch:
    """A patch: its file, its target, its parsed text and the position of that."""

    file: str
    target: JsonObject
    """The ``target`` field; empty for a patch that names its object itself."""
    value: Json
    positions: Positions = field(repr=False)


@dataclass(frozen=True, slots=True)
class Origins:
    """The kustomizations of some rendered objects, and the patches in them."""

    kustomizations: tuple[tuple[str, Piece], ...] = ()
    patches: tuple[Patch, ...] = ()

    def location(self, rendered: Document, path: Path) -> Location | None:
        """Return where the value at a path of a rendered object is set, or ``None`` if not in a kustomization."""
        value = get(rendered.object, path)
        if value is MISSING or isinstance(value, dict | list):
            return None
        named = (found for patch in self.patches if (found := _patch_location(patch, rendered, path, value)))
        others = (
            found for file, piece in self.kustomizations for found in _list_locations(file, piece, rendered, path)
        )
        return next(named, None) or next(others, None)


def origins(texts: Mapping[str, bytes]) -> Origins:
    """Return the patches and kustomizations among some files; files that cannot be read are ignored."""
    found = [(file, piece) for file, text in texts.items() if is_kustomization(file) for piece in _pieces(text)]
    patches = (patch for file, piece in found for patch in _patches(file, piece, texts))
    return Origins(tuple(found), tuple(patches))


def _pieces(text: bytes) -> Sequence[Piece]:
    try:
        return list(pieces(decode(text)[0]))
    except YamlError:
        return ()


def _positions(piece: Piece) -> Positions:
    return TextPositions(piece.nodes, piece.value, piece.first_line)


def _patches(file: str, piece: Piece, texts: Mapping[str, bytes]) -> Iterator[Patch]:
    folder = posixpath.dirname(file)
    for name in _PATCHES:
        for position, entry in enumerate(items(mapping(piece.value).get(name))):
            target = mapping(mapping(entry).get("target"))
            path = entry if isinstance(entry, str) else mapping(entry).get("path")
            place = posixpath.normpath(posixpath.join(folder, path)) if isinstance(path, str) else ""
            if place in texts:
                yield from (Patch(place, target, one.value, _positions(one)) for one in _pieces(texts[place]))
                continue
            steps: Path = (Field(name), Index(position))
            where = steps if isinstance(entry, str) else (*steps, Field("patch"))
            text, span = get(piece.value, where), _positions(piece).value(where)
            if isinstance(text, str) and span:
                yield from (Patch(file, target, one.value, _InlinePositions(span)) for one in _pieces(text.encode()))


@dataclass(frozen=True, slots=True)
class _InlinePositions:
    """Positions in an inline patch: each is the start of its text."""

    span: Span

    def key(self, path: Path) -> Span | None:
        return self.span

    def value(self, path: Path) -> Span | None:
        return self.span


def _patch_location(patch: Patch, rendered: Document, path: Path, value: Json) -> Location | None:
    if not _applies_to(patch, rendered):
        return None
    places = _set_by_operation(patch.value, rendered.object, path) if isinstance(patch.value, list) else (path,)
    for place in (_path_by_names(rendered.object, path),) if isinstance(patch.value, dict) else places:
        if equal(get(patch.value, place), value):
            span = patch.positions.key(place) or patch.positions.value(place)
            return Location(patch.file, span) if span else None
    return None


def _applies_to(patch: Patch, rendered: Document) -> bool:
    """Return whether a patch applies to an object, by its kind and by its original or final name."""
    kinds = {patch.target.get("kind"), mapping(patch.value).get("kind") if not patch.target else None}
    own = dig(patch.value, "metadata", "name") if not patch.target else MISSING
    names = {dig(rendered.source, "metadata", "name"), rendered.ref.name}
    wanted = patch.target.get("name", own if isinstance(own, str) else None)
    return kinds <= {None, rendered.ref.kind} and (wanted is None or wanted in names)


def _path_by_names(value: Json, path: Path) -> Path:
    """Return a path with list elements selected by name, as patches do."""
    steps: list[PathStep] = []
    for step in path:
        value = child(value, step)
        name = mapping(value).get("name")
        steps.append(ByKey((("name", name),)) if isinstance(step, Index) and isinstance(name, str) else step)
    return tuple(steps)


def _set_by_operation(operations: Sequence[Json], value: Json, path: Path) -> Iterator[Path]:
    """Yield the paths in a JSON patch that set the value at a path: that of an operation, or a part of it."""
    pointer = list(_pointer(value, path))
    for position, one in reversed([*enumerate(operations)]):
        tokens = [part.replace("~1", "/").replace("~0", "~") for part in str(mapping(one).get("path")).split("/")[1:]]
        if mapping(one).get("op") in _SETTING and tokens == pointer[: len(tokens)]:
            yield (Index(position), Field("value"), *path[len(tokens) :])


def _pointer(value: Json, path: Path) -> Iterator[str]:
    for step in path:
        inner = child(value, step)
        if isinstance(step, Field):
            yield step.name
        else:
            yield str(next((number for number, one in enumerate(items(value)) if one is inner), -1))
        value = inner


def _list_locations(file: str, piece: Piece, rendered: Document, path: Path) -> Iterator[Location]:
    """Yield the entries of ``images`` or ``replicas`` in a kustomization that set a value."""
    value, places = get(rendered.object, path), _positions(piece)
    if path[-1:] == (Field("image"),) and isinstance(value, str):
        yield from _key_locations(
            file, places, _entries(piece, "images", _is_image(value), ("newTag", "digest", "newName"))
        )
    elif path == fields("spec", "replicas"):
        names = {dig(rendered.source, "metadata", "name"), rendered.ref.name}
        found = _entries(
            piece, "replicas", lambda one: one.get("name") in names and one.get("count") == value, ("count",)
        )
        yield from _key_locations(file, places, found)


def _is_image(value: str) -> Callable[[JsonObject], bool]:
    def matches(one: JsonObject) -> bool:
        name = one.get("newName") or one.get("name")
        tag, digest = one.get("newTag"), one.get("digest")
        end = f"@{digest}" if digest else f":{tag}" if tag else ""
        return value == f"{name}{end}" if end else value.startswith(f"{name}:")

    return matches


def _entries(piece: Piece, name: str, matches: Callable[[JsonObject], bool], keys: Sequence[str]) -> Iterator[Path]:
    for position, one in enumerate(items(mapping(piece.value).get(name))):
        if matches(mapping(one)):
            yield from ((Field(name), Index(position), Field(key)) for key in keys if key in mapping(one))


def _key_locations(file: str, places: Positions, found: Iterable[Path]) -> Iterator[Location]:
    for path in found:
        span = places.key(path)
        if span:
            yield Location(file, span)
