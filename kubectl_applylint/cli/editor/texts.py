"""The open documents of an editor, with the changes that it sends."""

from collections.abc import Sequence
from typing import Final
from urllib.parse import quote, unquote, urlsplit

from kubectl_applylint.core.records import dataclass, replace
from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.utf16 import index_at
from kubectl_applylint.core.values import Json, JsonObject, dig, text_at

_SCHEME: Final = "file"
_LINE_BREAK: Final = regex(r"\r\n|\n|\r")


class InvalidParamsError(ValueError):
    """The parameters of a message do not have the form of the protocol; the message names the field."""


@dataclass(frozen=True, slots=True)
class OpenText:
    """A document that is open in the editor."""

    uri: str
    text: str
    version: Json = None

    @property
    def lines(self) -> list[str]:
        """The lines of the text, as findings count them."""
        return self.text.split("\n")

    @property
    def path(self) -> str:
        """The file of the document, empty if it is not a local file."""
        return path_of(self.uri)


def path_of(uri: str) -> str:
    """Return the path of a ``file:`` URI, empty for any other and for a path that cannot exist."""
    try:
        parts = urlsplit(uri)
    except ValueError:
        return ""
    path = unquote(parts.path)
    if parts.scheme != _SCHEME or parts.netloc not in ("", "localhost") or "\0" in path:
        return ""
    return path[1:] if path[2:3] == ":" else path


def uri_of(path: str) -> str:
    """Return the ``file:`` URI of an absolute path."""
    found = path.replace("\\", "/")
    return f"{_SCHEME}://{'' if found.startswith('/') else '/'}{quote(found, safe='/:~+@!$,;=')}"


def opened_document(params: JsonObject) -> OpenText:
    """Return the document of ``textDocument/didOpen``; raise ``InvalidParamsError`` if there is none."""
    text = dig(params, "textDocument", "text")
    if not isinstance(text, str):
        raise InvalidParamsError("textDocument.text is not a string")
    return OpenText(uri_in(params), text, dig(params, "textDocument", "version"))


def uri_in(params: JsonObject) -> str:
    """Return the URI of the document of a message; raise ``InvalidParamsError`` if there is none."""
    uri = text_at(params, "textDocument", "uri")
    if not uri:
        raise InvalidParamsError("textDocument.uri is not a string")
    return uri


def position_in(value: Json, where: str = "position") -> tuple[int, int]:
    """Return line and character of a position, from 0; raise ``InvalidParamsError`` if it is not valid."""
    counts = [dig(value, name) for name in ("line", "character")]
    line, character = (one if isinstance(one, int) and not isinstance(one, bool) else -1 for one in counts)
    if line < 0 or character < 0:
        raise InvalidParamsError(f"{where} has no line and character")
    return line, character


def with_changes(before: OpenText, params: JsonObject) -> OpenText:
    """Return a document after ``textDocument/didChange``; raise ``InvalidParamsError`` for invalid changes."""
    changes, text = params.get("contentChanges"), before.text
    if not isinstance(changes, list):
        raise InvalidParamsError("contentChanges is not a list")
    for change in changes:
        new = dig(change, "text")
        if not isinstance(new, str):
            raise InvalidParamsError("the text of a change is not a string")
        text = _with_change(text, change, new)
    return replace(before, text=text, version=dig(params, "textDocument", "version"))


def _with_change(text: str, change: JsonObject, new: str) -> str:
    """Return a text after one change: of a range, or of all of it."""
    extent = change.get("range")
    if extent is None:
        return new
    starts = [0, *(found.end() for found in _LINE_BREAK.finditer(text))]
    start, end = (_offset(text, starts, position_in(dig(extent, name), name)) for name in ("start", "end"))
    return text[:start] + new + text[max(start, end) :]


def _offset(text: str, starts: Sequence[int], position: tuple[int, int]) -> int:
    """Return the index of a position in a text whose lines begin at ``starts``; at most its length."""
    line, character = position
    if line >= len(starts):
        return len(text)
    end = starts[line + 1] if line + 1 < len(starts) else len(text)
    return starts[line] + index_at(text[starts[line] : end].rstrip("\r\n"), character)
