"""Differences between libyaml 0.2.5 and go-yaml v2, and repairs that make libyaml read as go-yaml does.

Found by comparing both on some hundred thousand generated texts. All differences concern quotes and brackets. Text
after a bracket that closes the whole document is not covered: go-yaml ignores it.
"""

import re
from collections.abc import Callable

from kubectl_applylint.core.regex import regex
from kubectl_applylint.sources.text.yaml_events import OwnMark, SeenScalar, YamlError

_MOST_CHARACTERS_REREAD = 4_000_000
_COLON_STAND_IN = "\uf8ff"
_MARKS = ("?", "!", "\\/")
_ESCAPE = regex(r"\\.", re.DOTALL)
_ESCAPED_SLASH = regex(r"(?<!\\)(?:\\\\)*\\/")
_OF_A_TAG = r"[0-9A-Za-z_\-;/?:@&=+$,.!~*'()\[\]%]"
_LONGEST_TAG = 200
_TAG_BEFORE = regex(rf"!{_OF_A_TAG}*$")
_TAG_AND_COMMA = regex(r"![^\s,]*,")
_NO_END_OF_TAG = "did not find expected whitespace or line break"

# The errors of libyaml: a pattern for the place, and an equivalent of what go-yaml reads there that both understand.
# Positions stay the same, except that columns after an escaped apostrophe are one too small.
_REPAIRS: dict[str, tuple[re.Pattern[str], Callable[[re.Match[str]], str]]] = {
    # The colon of ``{a:}`` belongs to the word before it.
    "found unexpected ':'": (regex(":"), lambda found: _COLON_STAND_IN),
    # In double quotes the escape of an apostrophe is an apostrophe.
    "found unknown escape character": (
        regex(r'(?:[^"\\]|\\.)*', re.DOTALL),
        lambda found: _ESCAPE.sub(lambda escape: escape[0].replace("\\'", "'"), found[0]),
    ),
    # Commas and square brackets are allowed in a tag. Such a tag is unknown, and makes strings as the empty tag does.
    _NO_END_OF_TAG: (regex(rf"!{_OF_A_TAG}*(?=\s)"), lambda found: "!".ljust(len(found[0]))),
}


def max_repairs(text: str) -> int:
    """Return how often ``text`` may be repaired: each repair requires parsing it again from the start."""
    # A text that already contains the stand-in is not repaired.
    return 0 if _COLON_STAND_IN in text else _MOST_CHARACTERS_REREAD // (len(text) + 1)


def repair(text: str, error: YamlError) -> str:
    """Return ``text`` respelled at the place of ``error`` so that libyaml accepts it, else unchanged."""
    if error.problem not in _REPAIRS:
        return text
    pattern, respell = _REPAIRS[error.problem]
    found = pattern.match(text, _start_of_tag(text, error.mark.index))
    return text[: found.start()] + respell(found) + text[found.end() :] if found else text


def _start_of_tag(text: str, index: int) -> int:
    """Return the start of the tag that ends at ``index``, or ``index`` itself if there is none."""
    found = _TAG_BEFORE.search(text[max(0, index - _LONGEST_TAG) : index])
    return index - len(found[0]) if found else index


def may_differ(text: str) -> bool:
    """Return whether the scalars of ``text`` have to be checked with ``check``."""
    return any(mark in text for mark in _MARKS)


def may_be_escaped_slash(text: str) -> bool:
    """Return whether ``check`` may reject a quoted scalar of ``text``: those with the escape ``"\\/"``."""
    return "\\" in text and "\\/" in text


def may_end_flow(value: str, style: str | None) -> bool:
    """Return whether ``check`` may reject a scalar without tag in brackets."""
    return not style and "?" in value


def restore_scalar(scalar: str) -> str:
    """Return the original value of a scalar of a repaired text."""
    return scalar.replace(_COLON_STAND_IN, ":")


def check(event: SeenScalar, text: str, *, in_flow: bool) -> None:
    r"""Raise ``YamlError`` for a scalar of ``text`` that go-yaml reads differently; ``in_flow`` if it is in brackets.

    go-yaml rejects ``[a?b]`` and the escape ``"\/"``; in ``[!tag, a]`` it treats the comma as a part of the tag, which
    ``repair`` handles.
    """
    if in_flow and not event.style:
        _check_plain(event, text)
    if event.style == '"' and "/" in event.value:
        written = text[event.start_mark.index : event.end_mark.index]
        if _ESCAPED_SLASH.search(written):
            raise YamlError("found unknown escape character", event.start_mark)


def _check_plain(event: SeenScalar, text: str) -> None:
    if "?" in event.value:
        raise YamlError("did not find expected ',' or the closing bracket before '?'", event.start_mark)
    if event.tag and not event.value:
        start = event.start_mark
        # An anchor may precede the tag.
        offset = text.index("!", start.index) - start.index
        if _TAG_AND_COMMA.match(text, start.index + offset):
            raise YamlError(_NO_END_OF_TAG, OwnMark(start.line, start.column + offset, start.index + offset))
