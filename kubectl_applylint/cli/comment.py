"""The command ``comment``: converts JSON reports to the text of a comment. It posts nothing."""

import json
import re
from pathlib import Path
from typing import Final

from kubectl_applylint.cli.parsing.arguments import Arguments
from kubectl_applylint.cli.terminal.clock import now
from kubectl_applylint.cli.terminal.output import read_stdin, write
from kubectl_applylint.config.configuration import Config, ConfigError
from kubectl_applylint.core.problem import Problem, UnreadableError
from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.safe_text import Target
from kubectl_applylint.core.values import Json
from kubectl_applylint.report.review.markdown import LIMIT, CommentTooLongError, Frame
from kubectl_applylint.report.review.markdown import comment as comment_text
from kubectl_applylint.report.review.review import Review
from kubectl_applylint.report.review.review_json import ReviewFormatError, read_review

_MARKER: Final = regex(r"[A-Za-z0-9](?:[A-Za-z0-9._/:]|-(?!-|$))*")
"""Valid markers: they cannot end an HTML comment."""
_ADDRESS: Final = regex(r"https?://[\w.~:/?#@!$&*+,;=%\-]+", re.ASCII)
"""Valid link targets: without brackets and spaces."""
_ADVICE: Final = "write it with applylint plan -o json=FILE"


def comment(program: str, arguments: Arguments, config: Config) -> int:
    """Print reports as one comment; raise ``UnreadableError`` for a file that is not a report."""
    frame = _frame(arguments)
    reviews = [_review(file) for file in arguments.files]
    try:
        text = comment_text(reviews, frame)
    except CommentTooLongError as fault:
        raise ConfigError([f"--limit: {fault}"]) from None
    write(text, target=Target.XML)
    return 0


def _frame(arguments: Arguments) -> Frame:
    given = arguments.comment
    if given.marker and not _MARKER.fullmatch(given.marker):
        raise ConfigError([f"--marker: {given.marker!r} is not valid: use letters, digits and single . _ / : -"])
    if given.artifact and not _ADDRESS.fullmatch(given.artifact):
        raise ConfigError([f"--artifact: {given.artifact!r} is not a valid address (https://...)"])
    return Frame(given.marker, given.limit or LIMIT, given.commit, given.artifact)


def _review(file: str) -> Review:
    try:
        return read_review(_report(file), now())
    except ReviewFormatError as fault:
        raise UnreadableError(Problem(file, str(fault), _ADVICE)) from None


def _report(file: str) -> Json:
    try:
        content = read_stdin(-1) if file == "-" else Path(file).read_bytes()
    except OSError as fault:
        raise UnreadableError(Problem(file, f"cannot be read: {fault.strerror}", _ADVICE)) from None
    try:
        return json.loads(content)
    except (ValueError, RecursionError):
        raise UnreadableError(Problem(file, "not valid JSON", _ADVICE)) from None
