"""Lines of files for excerpts, each cut where a credential, or a comment beside a value of a Secret, begins."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Final

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.location import Span
from kubectl_applylint.core.paths import Field, Path
from kubectl_applylint.core.values import Json, JsonObject, mapping
from kubectl_applylint.secrets.credential_forms import without_entries
from kubectl_applylint.secrets.credential_places import credential_places, may_have_places
from kubectl_applylint.secrets.literals import Hider, hider, maps
from kubectl_applylint.secrets.secret_places import MASK, is_secret, masked_values

_ALL_LINES: Final[Mapping[str, Collection[int]]] = {}


def mask_sources(
    sources: Mapping[str, tuple[str, ...]],
    documents: Iterable[Document],
    known: Sequence[JsonObject] = (),
    shown: Mapping[str, Collection[int]] = _ALL_LINES,
) -> Mapping[str, tuple[str, ...]]:
    """Return the lines of the files, each cut where a value of a Secret of ``known``, or another credential, begins.

    ``shown`` are the numbers of the lines that matter; the others of these files come back empty.
    """
    kept = {file: _only(lines, shown[file]) if file in shown else lines for file, lines in sources.items()}
    hide = hider(known, ["\n".join(lines) for lines in kept.values()], sources)
    cuts: dict[str, dict[int, int]] = {file: {} for file in sources}
    for document in documents:
        if document.file in sources:
            _keep_first_columns(_hidden_columns(document, sources[document.file]), cuts[document.file])
    for file, lines in kept.items():
        _keep_first_columns(_credential_columns(lines, hide), cuts[file])
    return {file: _cut(lines, cuts[file]) for file, lines in kept.items()}


def _only(lines: tuple[str, ...], numbers: Collection[int]) -> tuple[str, ...]:
    """Return lines with all but some empty; which lines a private key has only the whole text tells."""
    if any("PRIVATE KEY-----" in line for line in lines):
        return lines
    return tuple(line if number in numbers else "" for number, line in enumerate(lines, start=1))


def _hidden_columns(document: Document, lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield line and column where something begins that may not be shown."""
    if not is_secret(document.ref):
        yield from _columns_of_credentials(document, lines)
        return
    yield from _comments(document, lines)
    yield from _columns(document, (path for path, _ in masked_values(document.object)))
    for name, value in document.object.items():
        span = document.positions.value((Field(name),))
        if span is not None and isinstance(value, Mapping) and name != "metadata":
            yield from _columns_of_entries(span, lines, mapping(value))
    for path, line in document.repeated():
        if path[:1] not in ((Field("metadata"),), (Field("kind"),), (Field("apiVersion"),)) and len(path) == 1:
            yield from _below(lines, line)


def _comments(document: Document, lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield where comments begin in a document of YAML, which may say what the object holds."""
    spans = [document.positions.value((Field(name),)) for name in document.object]
    first = last = next((span.line for span in spans if span), 0)
    while first > 1 and not lines[first - 1].startswith("---"):
        first -= 1
    while 0 < last < len(lines) and not lines[last].startswith("---"):
        last += 1
    for number in range(max(first, 1), last + 1):
        if comment := re.search(r"(?:^|\s)#", lines[number - 1]):
            yield number, comment.end()


def _below(lines: Sequence[str], first: int) -> Iterator[tuple[int, int]]:
    """Yield the lines of an entry that a later one overrides: its value may be a credential as well."""
    start = len(lines[first - 1]) - len(lines[first - 1].lstrip())
    key = re.match(r"[^:]*:\s*", lines[first - 1])
    yield first, (key.end() if key else 0) + 1
    for number in range(first + 1, len(lines) + 1):
        text = lines[number - 1]
        if text.strip() and len(text) - len(text.lstrip()) <= start and not text.lstrip().startswith("- "):
            return
        yield number, 1


def _columns_of_entries(span: Span, lines: Sequence[str], held: JsonObject) -> Iterator[tuple[int, int]]:
    """Yield where values begin on the lines of a map: the first value of a key that is written twice has no effect."""
    keys = "|".join(map(re.escape, sorted(held, key=lambda key: (-len(key), key)))) or "(?!)"
    entry = re.compile(rf"""[\s{{,]*["']?(?:{keys})["']?\s*:\s*""")
    for number in _lines_of(span):
        start = span.column - 1 if number == span.line else 0
        match = entry.match(lines[number - 1], start)
        if lines[number - 1][start:].strip():
            yield number, (match.end() if match else start) + 1


def _columns(document: Document, paths: Iterable[Path]) -> Iterator[tuple[int, int]]:
    for path in paths:
        span = document.positions.value(path) or document.locate(path).span
        for number in _lines_of(span):
            yield number, span.column if number == span.line else 1


def _lines_of(span: Span) -> range:
    # A block of text ends in front of the line that follows it.
    return range(span.line, span.end_line + 1 - (span.end_column == 1 and span.end_line > span.line))


def _keep_first_columns(columns: Iterable[tuple[int, int]], cuts: dict[int, int]) -> None:
    for line, column in columns:
        cuts[line] = min(column, cuts.get(line, column))


def _columns_of_credentials(document: Document, lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    # Nearly no object has any: to make all paths of a definition takes ten times as long as to see that.
    entries = [*maps(document.object)]
    if not may_have_places(entries) and not any(map(_has_lines, entries)):
        return
    for path, _, shown in credential_places(document.object):
        every = [*_columns(document, [path])]
        first, last = min(every)[0], max(every)[0]
        text = "\n".join(lines[first - 1 : last])
        clean = text if shown == MASK else without_entries(text, dict)
        cut = [(first + place, column) for place, column in _first_differences(text, clean)]
        yield from cut or every


def _has_lines(entry: Mapping[str, Json]) -> bool:
    return any(isinstance(value, str) and "\n" in value for value in entry.values())


def _first_differences(text: str, clean: str) -> Iterator[tuple[int, int]]:
    """Yield the lines, counted from 0, in which two texts differ, and the columns from which on they do."""
    for place, (line, other) in enumerate(zip(text.split("\n"), clean.split("\n"), strict=False)):
        if line != other:
            yield place, _common_length(line, other) + 1


def _common_length(one: str, other: str) -> int:
    """Return how many characters two texts have in common at their beginning."""
    shorter = min(len(one), len(other))
    return next((place for place in range(shorter) if one[place] != other[place]), shorter)


def _credential_columns(lines: Sequence[str], hide: Hider) -> Iterator[tuple[int, int]]:
    """Yield where a credential begins in a line, all lines of a private key among them."""
    text = "\n".join(lines)
    if hide.clean(text) == text:
        return
    is_key = False
    for number, line in enumerate(lines, start=1):
        clean = hide.clean(line)
        if is_key or clean != line:
            yield number, 1 if is_key else _common_length(line, clean) + 1
        is_key = (is_key or "PRIVATE KEY-----" in line) and "-----END" not in line


def _cut(lines: tuple[str, ...], cuts: Mapping[int, int]) -> tuple[str, ...]:
    return tuple(line[: cuts[n] - 1] + MASK if n in cuts else line for n, line in enumerate(lines, start=1))
