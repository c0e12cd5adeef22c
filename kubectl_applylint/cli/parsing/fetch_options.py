"""The flags of ``fetch`` and their values."""

from collections.abc import Mapping
from typing import Any

from kubectl_applylint.cli.parsing.option import option
from kubectl_applylint.core.records import dataclass


@dataclass(frozen=True, slots=True)
class FetchOptions:
    """The values of the flags of ``fetch``."""

    update: bool = False
    """Whether ranges are resolved again."""
    dry_run: bool = False
    """Whether the sources are only listed."""
    include_private: bool = False
    """Whether the file has what was downloaded with a login."""
    pack: str = ""
    """The file to write the store into, or ``json``; empty for text."""


def fetch_options(found: Mapping[str, Any]) -> FetchOptions:
    """Return the options from parsed values."""
    return FetchOptions(
        update="update" in found,
        dry_run="list_only" in found,
        include_private="include_private" in found,
        pack=found.get("pack", ""),
    )


ALLOW_HOST = option(
    "--allow-host",
    action="append",
    metavar="HOST[/PATH]",
    help="allow downloads from this host, and logins of yours for the path",
)
"""The option that allows a host."""
STORE = option("--store", metavar="FILE", help="read charts from this file, which fetch -o FILE has written")
"""The option that names a store in one file."""
FETCHED = (
    option("files", nargs="*", metavar="PATH", help="the units to fetch for (default: the current directory)"),
    option("--against", metavar="REV", help="fetch also for this revision (REF, REF..., A..B); its hosts are allowed"),
    option("--update", action="store_true", help="resolve version ranges again"),
    option("--dry-run", dest="list_only", action="store_true", help="only list what would be downloaded"),
    STORE,
    option("-o", "--output", dest="pack", metavar="FILE|json", help="pack the store into this file, or print JSON"),
    option("--include-private", action="store_true", help="with -o FILE: also what was downloaded with a login"),
    ALLOW_HOST,
)
"""The paths and options of ``fetch``."""
