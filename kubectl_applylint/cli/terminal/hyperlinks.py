"""Hyperlinks to files (OSC 8, ``file://HOST/PATH``) in terminals that support them.

Specification: https://gist.github.com/egmontkob/eb114294efbcd5adb1944c9f3cb5feda. Links do not depend on colours.
"""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final
from urllib.parse import quote

from kubectl_applylint.report.context import UrlOf, no_url

FORCED: Final = "FORCE_HYPERLINK"
"""The variable that overrides detection unless it is empty; 0 disables links."""
_PROGRAMS: Final = ("iTerm.app", "WezTerm", "vscode", "ghostty", "Hyper", "terminology", "rio", "Tabby", "zed")
"""Values of ``TERM_PROGRAM``."""
_TERMS: Final = ("xterm-kitty", "xterm-ghostty", "alacritty", "foot", "wezterm", "contour")
"""Prefixes of ``TERM``."""
_SET: Final = ("WT_SESSION", "KONSOLE_VERSION", "DOMTERM", "KITTY_WINDOW_ID")
"""Variables that only such terminals set."""
_FIRST_VTE: Final = 5000
"""The first version of VTE (GNOME Terminal and others) with links, 0.50."""
_WITH_LINES: Final = ("iTerm.app", "vscode")
"""Values of ``TERM_PROGRAM`` of terminals that open a file at the line in the fragment; in others the link would fail.
"""


def url_of(environ: Mapping[str, str], *, is_terminal: bool) -> UrlOf:
    """Return the function from file and line to a URL; ``""`` for other texts, or if links are disabled."""
    if not has_links(environ, is_terminal=is_terminal):
        return no_url
    import socket  # noqa: PLC0415  3 ms to import, and most output has no links

    host = quote(socket.gethostname())
    with_lines = environ.get("TERM_PROGRAM") in _WITH_LINES or environ.get("TERM") == "xterm-kitty"

    def url(file: str, line: int) -> str:
        if not os.path.isfile(file):
            return ""
        fragment = f"#{line}" if line and with_lines else ""
        return f"file://{host}{Path(os.path.abspath(file)).as_uri().removeprefix('file://')}{fragment}"

    return url


def is_forced(environ: Mapping[str, str]) -> bool:
    """Return whether the caller requests links for any output."""
    return environ.get(FORCED, "") not in ("", "0")


def has_links(environ: Mapping[str, str], *, is_terminal: bool) -> bool:
    """Return whether output has links: by the caller's variable, else by the detected terminal."""
    if environ.get(FORCED):
        return is_forced(environ)
    # GNU screen shows sequences that it does not know.
    if not is_terminal or environ.get("TERM", "dumb") == "dumb" or environ.get("CI") or environ.get("STY"):
        return False
    version = environ.get("VTE_VERSION", "")
    return (
        (version.isdecimal() and len(version) < 10 and int(version) >= _FIRST_VTE)
        or environ.get("TERM_PROGRAM") in _PROGRAMS
        or environ.get("TERM", "").startswith(_TERMS)
        or any(environ.get(name) for name in _SET)
    )
