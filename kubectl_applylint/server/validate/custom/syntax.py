"""Rewrites optional fields and elements (``self.?a``, ``self[?'a']``) as calls that ``cel-python`` can parse."""

import re
from typing import Final

from kubectl_applylint.core.regex import regex

_TOKENS: Final = regex(
    r"""(?P<text>[rRbB]{0,2}(?:\"{3}.*?\"{3}|'{3}.*?'{3}|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'))"""
    r"""|\.\?\s*(?P<field>[A-Za-z_]\w*)|(?P<index>\[\?)|(?P<open>\[)|(?P<close>\])""",
    re.DOTALL,
)


def rewrite_optional(expression: str) -> str:
    """Return an expression with its optional fields and elements rewritten as calls of ``optSelect``."""
    if "?" not in expression:
        return expression
    optional: list[bool] = []
    return _TOKENS.sub(lambda token: _replacement(token, optional), expression)


def _replacement(token: re.Match[str], optional: list[bool]) -> str:
    """Return the replacement of one token; ``optional`` is whether each open bracket belongs to a call."""
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
