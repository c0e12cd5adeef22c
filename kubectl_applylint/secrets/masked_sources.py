"""Lines of files for excerpts, each cut before a credential or a comment next to a Secret's value."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Final

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.location import Span
from kubectl_applylint.core.paths import Field, Path
from kubectl_applylint.core.values import Json, JsonObject, mapping
from kubectl_applylint.secrets.credential_forms import without_entries
from kubectl_applylint.secrets.credential_places import credential_places, may_have_places
from kubectl_applylint.secrets.literals import Masker, make_masker, maps
from kubectl_applylint.secrets.secret_places import MASK, is_secret, masked_values

_ALL_LINES: Final[Mapping[str, Collection[int]]] = {}


def mask_sources(
    sources: Mapping[str, tuple[str, ...]],
    documents: Iterable[Document],
    known: Sequence[JsonObject] = (),
    shown: Mapping[str, Collection[int]] = _ALL_LINES,
) -> Mapping[str, tuple[str, ...]]:
    """Return the lines of the files, each cut before a value of a Secret of ``known`` or another credential.

    ``shown`` are the numbers of the relevant lines; the others of these files are returned empty.
    """
    kept = {file: _keep_lines(lines, shown[file]) if file in shown else lines for file, lines in sources.items()}
    hide = make_masker(known, ["\n".join(lines) for lines in kept.values()], sources)
    cuts: dict[str, dict[int, int]] = {file: {} for file in sources}
    for document in documents:
        if document.file in sources:
            _keep_first_columns(_hidden_columns(document, sources[document.file]), cuts[document.file])
    for file, lines in kept.items():
        _keep_first_columns(_credential_columns(lines, hide), cuts[file])
    return {file: _cut_lines(lines, cuts[file]) for file, lines in kept.items()}


def _keep_lines(lines: tuple[str, ...], numbers: Collection[int]) -> tuple[str, ...]:
    """Return lines with the others emptied; files with a private key stay whole, to find the end of the key."""
    if any("PRIVATE KEY-----" in line for line in lines):
        return lines
    return tuple(line if number in numbers else "" for number, line in enumerate(lines, start=1))


def _hidden_columns(document: Document, lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield line and column of each start of a text that must not be shown."""
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
            yield from _overridden_lines(lines, line)


def _comments(document: Document, lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield the starts of comments in a YAML document, which may contain a value."""
    spans = [document.positions.value((Field(name),)) for name in document.object]
    first = last = next((span.line for span in spans if span), 0)
    while first > 1 and not lines[first - 1].startswith("---"):
        first -= 1
    while 0 < last < len(lines) and not lines[last].startswith("---"):
        last += 1
    for number in range(max(first, 1), last + 1):
        if comment := re.search(r"(?:^|\s)#", lines[number - 1]):
            yield number, comment.end()


def _overridden_lines(lines: Sequence[str], first: int) -> Iterator[tuple[int, int]]:
    """Yield the lines of an overridden entry: its value may be a credential as well."""
    start = len(lines[first - 1]) - len(lines[first - 1].lstrip())
    key = re.match(r"[^:]*:\s*", lines[first - 1])
    yield first, (key.end() if key else 0) + 1
    for number in range(first + 1, len(lines) + 1):
        text = lines[number - 1]
        if text.strip() and len(text) - len(text.lstrip()) <= start and not text.lstrip().startswith("- "):
            return
        yield number, 1


def _columns_of_entries(span: Span, lines: Sequence[str], held: JsonObject) -> Iterator[tuple[int, int]]:
    """Yield the starts of values on the lines of a map, including those of duplicate keys."""
    keys = "|".join(map(re.escape, sorted(held, key=lambda key: (-len(key), key)))) or "(?!)"
    entry = re.compile(rf"""[\s{{,]*["']?(?:{keys})["']?\s*:\s*""")
    for number in _lines_of(span):
        start = span.column - 1 if number == span.line else 0
        match = entry.match(lines[number - 1], start)
        if lines[number - 1][start:].strip():
            yield number, (match.end() if match else start) + 1


def _columns(document: Document, paths: Iterable[Path]) -> Iterator[tuple[int, int]]:
    """Yield the starts of the values at some paths on each of their lines."""
    for path in paths:
        span = document.positions.value(path) or document.locate(path).span
        for number in _lines_of(span):
            yield number, span.column if number == span.line else 1


def _lines_of(span: Span) -> range:
    # A block of text ends in front of the line that follows it.
    """Return the line numbers of a span."""
    return range(span.line, span.end_line + 1 - (span.end_column == 1 and span.end_line > span.line))


def _keep_first_columns(columns: Iterable[tuple[int, int]], cuts: dict[int, int]) -> None:
    """Record the first column for each line."""
    for line, column in columns:
        cuts[line] = min(column, cuts.get(line, column))


def _columns_of_credentials(document: Document, lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    # Hardly any object has one: computing all paths of a definition takes ten times as long as this test.
    """Yield the starts of credentials at known places of an object."""
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
    """Return whether a map has a value of several lines."""
    return any(isinstance(value, str) and "\n" in value for value in entry.values())


def _first_differences(text: str, clean: str) -> Iterator[tuple[int, int]]:
    """Yield the different lines of two texts, counted from 0, with the first different column."""
    for place, (line, other) in enumerate(zip(text.split("\n"), clean.split("\n"), strict=False)):
        if line != other:
            yield place, _common_length(line, other) + 1


def _common_length(one: str, other: str) -> int:
    """Return the length of the common beginning of two texts."""
    shorter = min(len(one), len(other))
    return next((place for place in range(shorter) if one[place] != other[place]), shorter)


def _credential_columns(lines: Sequence[str], hide: Masker) -> Iterator[tuple[int, int]]:
    """Yield the starts of credentials in lines, including all lines of a private key."""
    text = "\n".join(lines)
    if hide.clean(text) == text:
        return
    is_key = False
    for number, line in enumerate(lines, start=1):
        clean = hide.clean(line)
        if is_key or clean != line:
            yield number, 1 if is_key else _common_length(line, clean) + 1
        is_key = (is_key or "PRIVATE KEY-----" in line) and "-----END" not in line


def _cut_lines(lines: tuple[str, ...], cuts: Mapping[int, int]) -> tuple[str, ...]:
    """Return the lines, cut at the recorded columns."""
    return tuple(line[: cuts[n] - 1] + MASK if n in cuts else line for n, line in enumerate(lines, start=1))
