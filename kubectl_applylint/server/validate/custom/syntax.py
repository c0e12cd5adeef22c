"""Optional fields and elements (``self.?a``, ``self[?'a']``), which ``cel-python`` does not read, as functions."""

import re
from typing import Final

from kubectl_applylint.core.regex import regex

_TOKENS: Final = regex(
    r"""(?P<text>[rRbB]{0,2}(?:\"{3}.*?\"{3}|'{3}.*?'{3}|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'))"""
    r"""|\.\?\s*(?P<field>[A-Za-z_]\w*)|(?P<index>\[\?)|(?P<open>\[)|(?P<close>\])""",
    re.DOTALL,
)


def rewrite_optional(expression: str) -> str:
    """Return an expression with calls of ``optSelect`` where it has optional fields or elements."""
    if "?" not in expression:
        return expression
    optional: list[bool] = []
    return _TOKENS.sub(lambda token: _replacement(token, optional), expression)


def _replacement(token: re.Match[str], optional: list[bool]) -> str:
    """Return what stands for one token; ``optional`` tells of the brackets around it which are to be calls."""
    match token.lastgroup:
        case "field":
            return f'.optSelect("{token["field"]}")'
        case "index":
            optional.append(True)
            return ".optSelect("
        case "open":
            optional.append(False)
            return token[0]
        case "close":
            return ")" if optional and optional.pop() else token[0]
        case _:
            return token[0]
