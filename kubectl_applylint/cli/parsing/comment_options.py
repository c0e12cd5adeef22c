"""The flags of ``comment`` and their values."""

from collections.abc import Mapping
from typing import Any

from kubectl_applylint.cli.parsing.option import option
from kubectl_applylint.core.records import dataclass


@dataclass(frozen=True, slots=True)
class CommentOptions:
    """The values of the flags of ``comment``; empty or 0 if not given."""

    marker: str = ""
    limit: int = 0
    commit: str = ""
    artifact: str = ""


def comment_options(found: Mapping[str, Any]) -> CommentOptions:
    """Return the options from parsed values."""
    given = {name: found[name] for name in CommentOptions.__slots__ if name in found}
    return CommentOptions(**given)


REPORTS = (
    option("files", nargs="+", metavar="REPORT", help="reports of plan or check (-o json=REPORT), or - for stdin"),
    option(
        "--marker",
        metavar="NAME",
        help="name in the hidden marker, for several comments on one pull request (default: plan or check)",
    ),
    option("--limit", type=int, metavar="N", help="maximum length in characters (default: 60000)"),
    option("--commit", metavar="NAME", help="commit to name in the last line"),
    option("--artifact", metavar="URL", help="address of the whole report, linked if something is left out"),
)
"""The reports and the options of ``comment``."""
