"""Templates of an ``ApplicationSet``: ``{{path.basename}}``, or with ``goTemplate`` ``{{ .path.basename }}``.

Of Go templates only names and ``index`` are supported. Other actions, and names without a value, are left unchanged.
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
    """Return whether a text has template actions."""
    return "{{" in text


def render(value: Json, values: Mapping[str, str], *, is_go: bool) -> Json:
    """Return a JSON value with the template actions in its texts replaced by ``values``."""
    if isinstance(value, str):
        return _ACTION.sub(partial(_value, values, is_go), value) if "{{" in value else value
    if isinstance(value, list):
        return [render(item, values, is_go=is_go) for item in value]
    if isinstance(value, dict):
        return {key: render(item, values, is_go=is_go) for key, item in value.items()}
    return value


def _value(values: Mapping[str, str], is_go: bool, action: re.Match[str]) -> str:
    """Return the value of an action, or the action itself if it is unknown."""
    name = _go_name(action[1].strip()) if is_go else action[1].strip()
    return values.get(name, action[0])


def _go_name(expression: str) -> str:
    """Return the parameter name that a Go expression refers to, ``""`` for unsupported expressions."""
    indexed = _GO_INDEX.fullmatch(expression)
    if indexed:
        return f"{indexed[1]}[{indexed[2]}]"
    named = _GO_NAME.fullmatch(expression)
    return named[1] if named else ""
