"""Parses a manifest file into objects with positions, problems, and skipped documents."""

import codecs
import gc
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from itertools import chain
from typing import Final, TypeAlias

from kubectl_applylint.appliers import object_meta
from kubectl_applylint.appliers.object_meta import json_type
from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.holes import Hole
from kubectl_applylint.core.nesting import KUBECTL_LEVELS
from kubectl_applylint.core.paths import Field, Index, Path, fields
from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.records import dataclass, field, replace
from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.state import ref_of
from kubectl_applylint.core.values import Json, JsonObject, mapping, text_at
from kubectl_applylint.sources.system.contents import STDIN
from kubectl_applylint.sources.text.classify import SkipReason, is_template, reason_to_skip, without_actions
from kubectl_applylint.sources.text.json_text import place
from kubectl_applylint.sources.text.positions import TextPositions, duplicate_keys
from kubectl_applylint.sources.text.quoting import quotable
from kubectl_applylint.sources.text.stream import BYTE_ORDER_MARK, Piece, is_readable, pieces
from kubectl_applylint.sources.text.yaml_events import OwnMark, YamlError, is_yaml
from kubectl_applylint.sources.text.yaml_nodes import TOO_DEEP


@dataclass(frozen=True, slots=True)
class Skipped:
    """A document that is not a manifest. ``line`` is where it starts, from 1."""

    file: str
    line: int
    why: SkipReason
    value: JsonObject = field(default_factory=dict, repr=False, compare=False)
    """The contents of a tool's configuration, for predicting the tool; empty for other documents."""
    problem: Problem | None = field(default=None, repr=False, compare=False)
    """The error that kubectl reports for it, if there is another one than that it is not a manifest."""


@dataclass(frozen=True, slots=True)
class Input:
    """The result of reading: the objects in kubectl's order, the problems, and the skipped documents."""

    documents: tuple[Document, ...] = ()
    problems: tuple[Problem, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    texts: Mapping[str, str] = field(default_factory=dict, repr=False, compare=False)
    """The texts by file name, for excerpts and for comments in them."""
    remarks: tuple[tuple[str, str], ...] = ()
    """Remarks that do not prevent the apply: the file, and the message."""
    holes: tuple[Hole, ...] = ()
    """The parts that were not rendered."""
    parts: int = field(default=0, compare=False)
    """The number of parts with those that were not rendered, if there are any."""
    is_random: bool = field(default=False, compare=False)
    """Whether another rendering may have other values: passwords, certificates, the time."""


Found: TypeAlias = Document | Problem | Skipped

_BYTE_ORDER_MARKS = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}
_LONGEST_COMPLAINT = 200
_SEPARATOR = regex(r"---(?:\s|$)")
_CONFLICT = "<<<<<<< "
_CONFLICT_LINES = regex(r"^<<<<<<< .*?^=======$.*?^>>>>>>> ", re.MULTILINE | re.DOTALL)
_COMMENT = regex(r"(?:^|(?<=[ \t]))#.*$", re.MULTILINE)
UNPARSED = "error parsing the file: "
"""Prefix of a problem after which kubectl stops reading a file."""
_STOPS_HERE: Final = "kubectl stops reading the file here and skips the rest; "
_SKIPS_OBJECT: Final = "kubectl skips this object and applies the others; "
_NO_HEADER = "error validating data: "
"""Prefix of the error for an object without apiVersion or kind, which is meant for kubectl."""
_INVALID_BYTES = "the file is not UTF-8 text: kubectl would replace the invalid bytes with U+FFFD"
_EXPLOSIVE = "excessive aliasing"
"""Part of the error for a text with exponential expansion, which is a fault for every reader."""
_ADVICE = (
    ("cannot start any token", "indent with spaces, not tabs, and quote values that begin with @ ` or %"),
    ("found a tab", "indent with spaces, not tabs"),
    ("mapping values are not allowed", "check the indentation, and quote values that contain ': '"),
    ("could not find expected ':'", "check the indentation, and that every key has ': ' after it"),
    ("UTF-8", "save the file as UTF-8"),
    ("characters are not allowed", "the file is not text, or not saved as UTF-8"),
    ("end of stream", "close the quote or bracket that is opened there"),
    ("unknown anchor", "define the anchor with & before it is used"),
    (_EXPLOSIVE, "replace aliases with their values"),
    ("unsupported value", "quote the value"),
    ("map key", "quote the key"),
    ("document separator", "put nothing else on the separator line"),
    ("byte order mark", "remove the byte order mark before the line"),
    ("not set", "set apiVersion and kind"),
    ("", "check the indentation, the quotes and the brackets up to there"),
)


def join(inputs: Iterable[Input]) -> Input:
    """Merge several inputs into one, in their order."""
    every = tuple(inputs)
    return Input(
        tuple(chain.from_iterable(one.documents for one in every)),
        tuple(chain.from_iterable(one.problems for one in every)),
        tuple(chain.from_iterable(one.skipped for one in every)),
        {file: text for one in every for file, text in one.texts.items()},
        tuple(chain.from_iterable(one.remarks for one in every)),
        tuple(chain.from_iterable(one.holes for one in every)),
        sum(one.parts for one in every),
        any(one.is_random for one in every),
    )


def read_text(text: str | bytes, file: str) -> Input:
    """Parse ``text`` as kubectl does; ``file`` is its name in locations and messages.

    Never raises: what kubectl rejects is a ``Problem``, and what is clearly not a manifest is skipped. A broken
    document with template actions counts as a Helm template, unless kubectl applies another one before it.
    """
    decoded, damage = decode(text) if isinstance(text, bytes) else (text, None)
    if damage and isinstance(text, bytes) and text.startswith(codecs.BOM_UTF8):
        return Input(problems=(_unreadable(file, YamlError("invalid UTF-8 after a byte order mark", damage)),))
    with _without_garbage_collection():
        found = _parse_all(decoded, file)
    return replace(_build_input(found, _damage(file, damage) if damage else None), texts={file: decoded})


def with_undecodable(found: Input) -> Input:
    """Return input with the objects whose metadata kubectl does not decode, for programs that read untyped objects."""
    others = [problem.document for problem in found.problems if problem.document]
    if not others:
        return found
    documents = sorted((*found.documents, *others), key=lambda one: one.locate(()).span.line)
    problems = tuple(one for one in found.problems if not one.document)
    return replace(found, documents=tuple(documents), problems=problems)


def without_undecodable(found: Input) -> Input:
    """Return input with a problem in place of each object whose metadata kubectl does not decode."""
    faults = [object_meta.fault(one.object) for one in found.documents]
    pairs = [*zip(found.documents, faults, strict=True)]
    problems = (_decoding_problem(one, one.file, fault) for one, fault in pairs if fault)
    documents = tuple(one for one, fault in pairs if not fault)
    return replace(found, documents=documents, problems=(*found.problems, *problems))


@contextmanager
def _without_garbage_collection() -> Iterator[None]:
    """Disable the garbage collector: it finds nothing in trees, and takes 40 % of the time for a file of 5 MB."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _parse_all(text: str, file: str) -> list[Found]:
    found: list[Found] = []
    try:
        for piece in pieces(text):
            found += _piece(piece, file)
    except YamlError as error:
        is_applied = any(isinstance(one, Document) for one in found)
        found.append(_broken(text, file, error, is_applied=is_applied))
    return [_conflict(text, file)] if _CONFLICT in text and _is_in_conflict(text, found) else found


def _is_in_conflict(text: str, found: Iterable[Found]) -> bool:
    return _CONFLICT_LINES.search(text) is not None and not any(isinstance(one, Document) for one in found)


def _conflict(text: str, file: str) -> Problem:
    line = next(number for number, each in enumerate(text.split("\n"), start=1) if each.startswith(_CONFLICT))
    return Problem(f"{file}:{line}:1", "a merge conflict of git is not resolved", "edit the file, then git add it")


def _broken(text: str, file: str, error: YamlError, *, is_applied: bool) -> Problem | Skipped:
    """Return the problem at which kubectl stops reading, or a skipped document if nothing is applied before it."""
    problem = _unreadable(file, error, text)
    line, document = _document_at(text, error.mark.line)
    is_meant = is_applied or _EXPLOSIVE in error.problem or error.problem.startswith(_NO_HEADER)
    why = None if is_meant else _skip_reason(_COMMENT.sub("", document), text)
    return problem if why is None else Skipped(file, line + 1, why, problem=problem)


def _document_at(text: str, line: int) -> tuple[int, str]:
    """Return the document that contains a line, counted from 0, and its first line."""
    lines = text.split("\n")
    marks = [number for number, each in enumerate(lines) if _SEPARATOR.match(each)]
    start = max((number + 1 for number in marks if number < line), default=0)
    end = min((number for number in marks if number > line), default=len(lines))
    return start, "\n".join(lines[start:end])


def _skip_reason(broken: str, text: str) -> SkipReason | None:
    """Return why a document that kubectl cannot read is no error: a template, or not for kubectl."""
    if is_template(broken):
        return SkipReason.HELM
    stripped = without_actions(broken)
    if stripped != broken and is_readable(stripped):
        return SkipReason.HELM
    return SkipReason.OTHER if "apiVersion" not in text and is_yaml(text) else None


def decode(content: bytes) -> tuple[str, OwnMark | None]:
    """Return ``content`` as text, and the position of the first invalid byte.

    The encoding is UTF-8, or UTF-16 with a byte order mark. Invalid bytes become U+FFFD, as in kubectl, which stops at
    them if a byte order mark declares UTF-8.
    """
    encoding = next((name for mark, name in _BYTE_ORDER_MARKS.items() if content.startswith(mark)), "utf-8")
    try:
        return content.decode(encoding).removeprefix(BYTE_ORDER_MARK), None
    except UnicodeDecodeError as error:
        before = content[: error.start].decode(encoding, "replace").removeprefix(BYTE_ORDER_MARK)
        return content.decode(encoding, "replace").removeprefix(BYTE_ORDER_MARK), place(before, len(before))


def first_document(content: bytes) -> Json:
    """Return the first document of a text, or ``None`` if it cannot be parsed."""
    try:
        return next((piece.value for piece in pieces(decode(content)[0])), None)
    except YamlError:
        return None


def all_documents(content: bytes) -> list[Json]:
    """Return the documents of a text, without those after one that cannot be parsed."""
    found: list[Json] = []
    with suppress(YamlError):
        found.extend(piece.value for piece in pieces(decode(content)[0]))
    return found


def _build_input(found: list[Found], damage: Problem | None) -> Input:
    documents = (one for one in found if isinstance(one, Document))
    problems = tuple(one for one in found if isinstance(one, Problem))
    numbered = tuple(replace(document, index=index) for index, document in enumerate(documents))
    # Invalid bytes matter only in what is going to be applied, and one problem per file is enough.
    damages = (damage,) if damage and numbered and not problems else ()
    return Input(numbered, problems + damages, tuple(one for one in found if isinstance(one, Skipped)))


def without_kubectl(problem: Problem) -> Problem:
    """Return a problem whose advice does not say how kubectl continues, for units that another program applies."""
    return replace(problem, advice=problem.advice.removeprefix(_STOPS_HERE).removeprefix(_SKIPS_OBJECT))


def stops_reading(problem: Problem) -> bool:
    """Return whether kubectl skips the rest of a file after a problem; else it skips a List or an item alone."""
    return problem.message.startswith((UNPARSED, TOO_DEEP))


def is_syntax_error(problem: Problem) -> bool:
    """Return whether a text cannot be parsed, by any program."""
    return problem.message.startswith(UNPARSED) and not problem.message.startswith(f"{UNPARSED}{_NO_HEADER}")


def is_applied_with_damage(problem: Problem) -> bool:
    """Return whether a problem is about invalid bytes in a text whose objects are applied."""
    return problem.message == _INVALID_BYTES


def _damage(file: str, where: OwnMark) -> Problem:
    return Problem(
        f"{file}:{where.line + 1}:{where.column + 1}",
        _INVALID_BYTES,
        "save the file as UTF-8",
        is_refused=True,
    )


def _unreadable(file: str, error: YamlError, text: str = "") -> Problem:
    where = f"{file}:{error.mark.line + 1}:{error.mark.column + 1}"
    if error.problem == TOO_DEEP:
        message = f"{TOO_DEEP}: this object and the rest of the file are not checked"
        return Problem(where, message, f"kubectl reads up to {KUBECTL_LEVELS} levels")
    return Problem(
        where,
        f"{UNPARSED}{quotable(error.problem, text, error.mark.line)[:_LONGEST_COMPLAINT]}",
        _STOPS_HERE + next(advice for part, advice in _ADVICE if part in error.problem),
        is_refused=True,
    )


def _piece(piece: Piece, file: str) -> Iterator[Found]:
    """Yield the objects, problems or skips of a document; raises ``YamlError`` if kubectl stops reading there."""
    why = reason_to_skip(piece.value, file)
    if why is not None:
        value = mapping(piece.value) if why is SkipReason.TOOL else {}
        return iter([Skipped(file, _place(piece).line + 1, why, value)])
    complaints = [complaint for key in ("apiVersion", "kind") if (complaint := _header_complaint(piece.value, key))]
    if complaints:
        raise YamlError(f"{_NO_HEADER}{', '.join(complaints)}", _place(piece))
    fault = object_meta.fault(piece.value)
    if fault:
        document = _document(piece, file, piece.value, ())
        return iter([_decoding_problem(document, "STDIN" if file == STDIN else file, fault)])
    return _objects(piece, file)


def _header_complaint(value: JsonObject, key: str) -> str:
    if not value.get(key):
        return f"{key} not set"
    return "" if isinstance(value[key], str) else f"{key} isn't string type"


def _place(piece: Piece) -> OwnMark:
    start = piece.extent.start
    return OwnMark(piece.first_line + start.line, start.column, start.index)


def _decoding_problem(document: Document, file: str, fault: object_meta.MetaFault) -> Problem:
    return Problem(
        str(document.locate(fault.path)),
        f'unable to decode "{file}": {fault.message}',
        _SKIPS_OBJECT + ("quote the value" if fault.message.endswith("of type string") else "correct the value"),
        document,
        is_refused=True,
    )


def _objects(piece: Piece, file: str) -> Iterator[Found]:
    """Yield the object, or the items of a List, as flattened by cli-runtime's ``FlattenListVisitor``."""
    if "items" not in piece.value:
        yield _document(piece, file, piece.value, ())
        return
    complaint = _list_complaint(piece.value["items"])
    if complaint:
        where = _document(piece, file, piece.value, ()).locate(fields("items"))
        yield Problem(str(where), complaint, "kubectl skips the whole List; correct it", is_refused=True)
        return
    for position, item in enumerate(piece.value["items"] or []):
        yield _item(piece, file, item or {}, position)


def _list_complaint(items: Json) -> str:
    """Return kubectl's error about the items of a List, empty if they are valid; null means no items."""
    if items is not None and not isinstance(items, list):
        found = json_type(items)
        return f"json: cannot unmarshal {found} into Go struct field decodeList.items of type []json.RawMessage"
    for item in items or []:
        if item is not None and not isinstance(item, dict):
            return f"json: cannot unmarshal {json_type(item)} into Go value of type map[string]interface {{}}"
    if any(isinstance(mapping(item).get("items"), list) for item in items or []):
        return "a List inside a List: *unstructured.Unstructured is not a list"
    return ""


def _item(piece: Piece, file: str, item: JsonObject, position: int) -> Found:
    inherited = {"apiVersion": piece.value["apiVersion"], "kind": piece.value["kind"].removesuffix("List")}
    whole = item if text_at(item, "kind") or text_at(item, "apiVersion") else {**item, **inherited}
    document = _document(piece, file, whole, (Field("items"), Index(position)))
    missing = [key for key in ("kind", "apiVersion") if not text_at(whole, key)]
    if missing:
        name = {"kind": "Kind"}.get(missing[0], missing[0])
        complaint = f"unable to get type info from the object: Object '{name}' is missing"
        advice = f"kubectl skips this item; set {missing[0]}"
        return Problem(str(document.locate(())), complaint, advice, is_refused=True)
    return document


def _document(piece: Piece, file: str, value: JsonObject, base: Path) -> Document:
    positions = TextPositions(piece.nodes, piece.value, piece.first_line, base, piece.extent, piece.section)
    twice = partial(duplicate_keys, piece.nodes, piece.first_line, base) if piece.may_repeat else tuple
    return Document(file, 0, value, ref_of(value), positions, repeated=twice)
