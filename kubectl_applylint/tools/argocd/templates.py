"""The templates of an ``ApplicationSet``: ``{{path.basename}}``, and with ``goTemplate`` ``{{ .path.basename }}``.

Of Go's template language only names and ``index`` are understood. An action that is anything else, or names what
nothing gives, is left as it stands.
"""

import re
from collections.abc import Mapping
from functools import partial
from typing import Final

from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.values import Json

_ACTION: Final = regex(r"\{\{([^{}]*)\}\}")
_GO_NAME: Final = regex(r"\.([\w.]+)")
_GO_INDEX: Final = regex(r"index\s+\.([\w.]+)\.segments\s+(\d+)")


def has_actions(text: str) -> bool:
    """Tell whether a text still has actions in it."""
    return "{{" in text


def render(value: Json, values: Mapping[str, str], *, is_go: bool) -> Json:
    """Return a JSON value with each action in its texts replaced by what ``values`` has of its name."""
    if isinstance(value, str):
        return _ACTION.sub(partial(_value, values, is_go), value) if "{{" in value else value
    if isinstance(value, list):
        return [render(item, values, is_go=is_go) for item in value]
    if isinstance(value, dict):
        return {key: render(item, values, is_go=is_go) for key, item in value.items()}
    return value


def _value(values: Mapping[str, str], is_go: bool, action: re.Match[str]) -> str:
    name = _go_name(action[1].strip()) if is_go else action[1].strip()
    return values.get(name, action[0])


def _go_name(expression: str) -> str:
    """Return the name that the parameters have of what a Go expression means, ``""`` for any other expression."""
    indexed = _GO_INDEX.fullmatch(expression)
    if indexed:
        return f"{indexed[1]}[{indexed[2]}]"
    named = _GO_NAME.fullmatch(expression)
    return named[1] if named else ""
