"""Template functions of charts that return other values at each rendering: passwords, certificates, the time."""

from collections.abc import Iterable
from typing import Final

from kubectl_applylint.core.regex import regex

_ARCHIVES: Final = (".tgz", ".tar.gz")
_TEXTS: Final = (".md", ".markdown", ".txt", "values.schema.json")
"""The ends of the names of files that Helm does not render into objects."""
_FUNCTION: Final = regex(
    rb"\{\{(?!-?[ \t\r\n]*/\*)[^}]*?(?<![.$\w])"
    rb"(?:rand(?:Alpha|AlphaNum|Ascii|Numeric|Bytes|Int)|gen(?:PrivateKey|CA|SignedCert|SelfSignedCert)(?:WithKey)?"
    rb"|uuidv4|htpasswd|bcrypt|encryptAES|shuffle|now|ago)\b"
)
"""A template action, no comment, that calls a function whose result differs each time."""
_PARTS: Final = (
    *(b"randA", b"randNumeric", b"randBytes", b"randInt", b"genPrivateKey", b"genCA", b"genSelfSigned", b"genSigned"),
    *(b"uuidv4", b"htpasswd", b"bcrypt", b"encryptAES", b"shuffle", b"now", b"ago"),
)
"""Parts of the names of these functions: most files have none of them, and looking for these is faster."""


def may_be_random(path: str, text: bytes) -> bool:
    """Return whether a file of a chart, or of values that it renders, may make other values at each rendering.

    Archives are not examined and count as such.
    """
    if path.endswith(_ARCHIVES):
        return True
    is_rendered = not path.endswith(_TEXTS)
    return is_rendered and any(part in text for part in _PARTS) and _FUNCTION.search(text) is not None


def are_random(files: Iterable[tuple[str, bytes]]) -> bool:
    """Return whether any of some files of a chart or of its values may make other values at each rendering."""
    return any(may_be_random(path, text) for path, text in files)
