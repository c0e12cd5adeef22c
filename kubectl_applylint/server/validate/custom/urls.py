"""URLs as Go reads those of requests: absolute ones, and absolute paths.

Mirrors ``ParseRequestURI`` of Go's ``net/url``.
"""

import re
from typing import Final
from urllib.parse import quote, unquote_to_bytes

from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.regex import regex

_SCHEME: Final = regex(r"([A-Za-z][-+.A-Za-z0-9]*):(.*)", re.DOTALL)
_PORT: Final = regex(":([0-9]*)\\Z")
_USER: Final = regex(r"[-A-Za-z0-9._:~!$&'()*+,;=%@]*")
_NOT_IN_HOSTS: Final = regex(r"[\x00-\x20#/?@\\^`{|}\x7f]")
_BAD_ESCAPE: Final = regex("%(?![0-9A-Fa-f]{2})")
_BAD_ESCAPE_IN_HOST: Final = regex("%(?!25|[89A-Fa-f][0-9A-Fa-f])")
_PLAIN_PATH: Final = regex(r"[-A-Za-z0-9._~!$&'()*+,;=:@/\[\]%]*")
_CONTROL: Final = regex(r"[\x00-\x1f\x7f]")


@dataclass(frozen=True, slots=True)
class Url:
    """A URL: its scheme in lower case, its host with the port, its path as written, and the whole text.

    Two URLs are the same if their whole texts are.
    """

    scheme: str
    host: str
    path: str
    text: str

    @property
    def hostname(self) -> str:
        """The host without its port, and without the brackets of an IPv6 address."""
        name = _PORT.sub("", self.host)
        return name[1:-1] if name.startswith("[") and name.endswith("]") else name

    @property
    def port(self) -> str:
        """The digits of the port, the empty text if there is none."""
        found = _PORT.search(self.host)
        return found[1] if found else ""

    @property
    def escaped_path(self) -> str:
        """The path as written if that is valid, or else with escapes."""
        if _PLAIN_PATH.fullmatch(self.path):
            return self.path
        return quote(unquote_to_bytes(self.path), safe="$&+,/:;=@-_.~")


def parse_url(text: str) -> Url:
    """Return the URL in a text; raise ``ValueError`` if it is not one."""
    found = _SCHEME.fullmatch(text)
    scheme, whole = (found[1].lower(), found[2]) if found else ("", text)
    rest = whole.partition("?")[0]
    spelled = f"{scheme}:{whole}"
    if not text or _CONTROL.search(text) or not (scheme or rest.startswith("/")):
        raise ValueError("not a URL")
    if not rest.startswith("/"):
        return Url(scheme, "", "", spelled)
    if not scheme or not rest.startswith("//"):
        return Url(scheme, "", _valid_path(rest), spelled)
    authority, slash, path = rest[2:].partition("/")
    return Url(scheme, _host(authority), _valid_path(slash + path), spelled)


def _valid_path(path: str) -> str:
    if _BAD_ESCAPE.search(path):
        raise ValueError("invalid URL escape")
    return path


def _host(authority: str) -> str:
    """Return the host, and the port, of the authority between ``//`` and the path."""
    user, _, host = authority.rpartition("@")
    if not _USER.fullmatch(user) or _BAD_ESCAPE.search(user):
        raise ValueError("invalid userinfo")
    end = host.rpartition("]")[2] if host.startswith("[") else host
    port = end[end.rfind(":") :] if ":" in end else ""
    if not re.fullmatch("(:[0-9]*)?", port) or _NOT_IN_HOSTS.search(host) or _BAD_ESCAPE_IN_HOST.search(host):
        raise ValueError("invalid host")
    if host.startswith("[") and ("]" not in host or end != port):
        raise ValueError("invalid host")
    return host
