"""Words that stand for unknown parameters of an ``ApplicationSet`` while its sources are rendered.

A chart would read ``{{ .hostname }}`` as its own template. The same action is the same word in all revisions.
"""

import hashlib
import json
import re
from collections.abc import Mapping
from typing import Final

from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.values import Json, map_texts
from kubectl_applylint.tools.argocd.templates import LINE_ACTION

_TOKEN: Final = regex(r"hole-[0-9a-f]{8}")
"""A word. Two of them leave 27 of the 53 characters that a name of a release may have."""


def with_tokens(value: Json) -> tuple[Json, Mapping[str, str]]:
    """Return a value with a word in place of each template action, and the actions by their words."""
    actions: dict[str, str] = {}

    def word(action: re.Match[str]) -> str:
        token = f"hole-{hashlib.sha256(action[0].encode()).hexdigest()[:8]}"
        actions[token] = action[0]
        return token

    return map_texts(value, lambda text: LINE_ACTION.sub(word, text) if "{{" in text else text), actions


def has_tokens(value: Json) -> bool:
    """Return whether a value contains such a word."""
    return _TOKEN.search(json.dumps(value)) is not None


def without_tokens(value: Json, actions: Mapping[str, str]) -> Json:
    """Return a value with the actions in place of their words."""
    return map_texts(value, lambda text: _TOKEN.sub(lambda token: actions.get(token[0], token[0]), text))
