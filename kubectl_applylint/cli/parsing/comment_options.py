"""The flags of ``comment`` and their values."""

import argparse
from collections.abc import Mapping
from typing import Any

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


def reports(parser: argparse.ArgumentParser) -> None:
    """Add the arguments for reports, and the flags."""
    parser.add_argument(
        "files", nargs="+", metavar="REPORT", help="reports of plan or check (-o json=REPORT), or - for stdin"
    )
    parser.add_argument(
        "--marker",
        metavar="NAME",
        help="name in the hidden marker, for several comments on one pull request (default: plan or check)",
    )
    parser.add_argument(
        "--limit", type=int, metavar="N", help="maximum length in characters (default: 65536, the limit of GitHub)"
    )
    parser.add_argument("--commit", metavar="NAME", help="commit to name in the last line")
    parser.add_argument(
        "--artifact", metavar="URL", help="address of the whole report, linked if something is left out"
    )
