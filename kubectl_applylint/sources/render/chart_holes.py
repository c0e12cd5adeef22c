"""Charts without the dependencies that the repository does not have: Helm renders the rest, which may be all of it."""

import hashlib
import json
import posixpath
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.holes import Hole
from kubectl_applylint.core.paths import Field, Index
from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.values import Json, JsonObject, items, mapping, text_at
from kubectl_applylint.sources.render.chart_files import NAMES, MissingDependency
from kubectl_applylint.sources.text.manifests import decode, first_document
from kubectl_applylint.sources.text.positions import TextPositions
from kubectl_applylint.sources.text.stream import pieces

_LIST: Final = "dependencies"
_VALUES: Final = "values.yaml"


@dataclass(frozen=True, slots=True)
class _Entry:
    """A dependency in a file of a chart (``Chart.yaml`` or ``requirements.yaml``)."""

    file: str
    position: int
    value: JsonObject
    missing: MissingDependency


def without_dependencies(texts: Mapping[str, bytes], missing: Sequence[MissingDependency]) -> Mapping[str, bytes]:
    """Return the files of a chart without the dependencies that are missing."""
    left_out: dict[str, set[int]] = {}
    for entry in _entries(texts, missing):
        left_out.setdefault(entry.file, set()).add(entry.position)
    return {**texts, **{file: _without_entries(texts[file], lost) for file, lost in left_out.items()}}


def _without_entries(text: bytes, lost: set[int]) -> bytes:
    document = mapping(first_document(text))
    kept = [one for position, one in enumerate(items(document.get(_LIST))) if position not in lost]
    return json.dumps({**document, _LIST: kept}).encode()


def _entries(texts: Mapping[str, bytes], missing: Iterable[MissingDependency]) -> Iterator[_Entry]:
    for one in missing:
        names = (one.dependency.name, one.dependency.repository)
        yield from (
            _Entry(file, position, value, one)
            for file in sorted(posixpath.join(one.chart, name) for name in NAMES)
            for position, value in enumerate(_listed_dependencies(texts.get(file, b"")))
            if (text_at(value, "name"), text_at(value, "repository")) == names
        )


def _listed_dependencies(text: bytes) -> list[JsonObject]:
    return list(map(mapping, items(mapping(first_document(text)).get(_LIST))))


def chart_holes(
    texts: Mapping[str, bytes],
    missing: Sequence[MissingDependency],
    values: Iterable[bytes],
    rendered: Sequence[Document],
    label: Callable[[str], str],
) -> tuple[Hole, ...]:
    """Return the holes of a chart: its missing dependencies, with the ``values`` that they get."""
    every = [mapping(first_document(text)) for text in values]
    objects = [one.object for one in rendered]
    return tuple(_hole(entry, texts, every, objects, label) for entry in _entries(texts, missing))


def _hole(
    entry: _Entry,
    texts: Mapping[str, bytes],
    values: Sequence[JsonObject],
    objects: Sequence[JsonObject],
    label: Callable[[str], str],
) -> Hole:
    own = [mapping(first_document(texts.get(posixpath.join(entry.missing.chart, _VALUES), b""))), *values]
    depends: list[Json] = [entry.value, [_relevant(one, entry) for one in own]]
    # The values that it exports may change the other objects.
    exports = [*objects] if entry.value.get("import-values") else []
    what = f"{_LIST}[{entry.position}]: {entry.missing.words}"
    where = f"{label(entry.file)}{_place(texts[entry.file], entry)}"
    return Hole(where, what, _digest(entry.value), _digest([*depends, exports]))


def _relevant(values: JsonObject, entry: _Entry) -> Json:
    """Return the values that a dependency may get; all of them for one of a chart inside of the chart."""
    if not entry.missing.is_direct:
        return values
    condition = text_at(entry.value, "condition").replace(",", ".").split(".")[0]
    names = {text_at(entry.value, "alias") or entry.missing.dependency.name, "global", "tags", condition}
    return {name: value for name, value in values.items() if name in names}


def _place(text: bytes, entry: _Entry) -> str:
    (piece, *_) = pieces(decode(text)[0])
    span = TextPositions(piece.nodes, piece.value, piece.first_line).value((Field(_LIST), Index(entry.position)))
    return f":{span.line}:{span.column}" if span else ""


def _digest(value: Json) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True, default=str).encode()).hexdigest()
