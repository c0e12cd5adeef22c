"""Templates of an ``ApplicationSet``: ``{{path.basename}}``, or with ``goTemplate`` ``{{ .path.basename }}``.

Go templates may have blocks, pipelines, and the functions of ``template_functions``. Other actions are left unchanged,
and so are names without a value, unless all names are known: Go prints ``<no value>`` for these, or rejects them.
"""

import re
from collections.abc import Mapping, Sequence
from enum import Enum
from functools import partial
from typing import Final

from kubectl_applylint.core.gotext import show
from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.tools.argocd.clusters import TextMap

LINE_ACTION: Final = regex(r"\{\{[^{}\n]*\}\}")
"""An action on one line, in a path or another field."""
_ACTION: Final = regex(r"\{\{([^{}]*)\}\}")
_GO_ACTION: Final = regex(r"""(?s)\{\{(-?\s*/\*.*?\*/\s*-?|(?:"(?:\\.|[^"\\\n])*"|`[^`]*`|[^"`}]|\}(?!\}))*)\}\}""")
"""A comment, or an action, whose quoted texts may have braces."""
_GO_NAME: Final = regex(r"\.([\w.]+)")
_FUNCTION: Final = regex(r"\{\{-?\s*(?:[A-Za-z$(\"`]|[^{}]*\|)")
"""An action that is more than a name."""
_TEXT_MAPS: Final = ("labels", "annotations")
_TEXT_DEPTH: Final = 2
"""The number of keys above the name of a label: ``metadata.labels``."""
_SEGMENT: Final = regex(r"(.*)\[(\d+)\]")
_GO_INDEX: Final = regex(r"index\s+\.([\w.]+)\.segments\s+(\d+)")


class MissingName(Enum):
    """What a name without a value is."""

    UNKNOWN = "unknown"
    EMPTY = "empty"
    REJECTED = "rejected"


class RejectedNameError(Exception):
    """A name without a value that Argo CD rejects; the text is the reason."""


def has_actions(text: str) -> bool:
    """Return whether a text has template actions."""
    return "{{" in text


def render(value: Json, values: Mapping[str, Json], *, is_go: bool, missing: MissingName = MissingName.UNKNOWN) -> Json:
    """Return a JSON value with the template actions in its texts replaced by ``values``.

    Raise ``RejectedNameError`` for a name without a value that a Go template rejects.
    """
    if isinstance(value, str):
        return _render_text(value, values, is_go, missing) if "{{" in value else value
    if isinstance(value, list):
        return [render(item, values, is_go=is_go, missing=missing) for item in value]
    if isinstance(value, dict):
        return {key: render(item, values, is_go=is_go, missing=missing) for key, item in value.items()}
    return value


def _render_text(text: str, values: Mapping[str, Json], is_go: bool, missing: MissingName) -> str:
    has_functions = is_go and (missing is not MissingName.UNKNOWN or _FUNCTION.search(text)) and "<<" not in text
    filled = _render_functions(text, values, missing) if has_functions else None
    return _ACTION.sub(partial(_value, values, is_go), text) if filled is None else filled


def _render_functions(text: str, values: Mapping[str, Json], missing: MissingName) -> str | None:
    """Return the text of a Go template, ``None`` if it has blocks that depend on what is not known."""
    # Few templates have functions.
    from kubectl_applylint.tools.argocd.template_functions import FUNCTIONS  # noqa: PLC0415  15 ms
    from kubectl_applylint.tools.flux.set_functions import MissingFieldError, TemplateError  # noqa: PLC0415  15 ms
    from kubectl_applylint.tools.flux.set_template import render_with_dot  # noqa: PLC0415  15 ms

    template = _GO_ACTION.sub(r"<<\1>>", text)
    show = None if missing is MissingName.REJECTED else "{{{{{}}}}}".format
    is_lenient = missing is MissingName.EMPTY
    try:
        return render_with_dot(template, _nest(values), FUNCTIONS, is_lenient=is_lenient, show_unknown=show)
    except MissingFieldError as error:
        if missing is MissingName.REJECTED:
            raise RejectedNameError(str(error)) from error
        return None
    except TemplateError:
        return None


def _nest(values: Mapping[str, Json]) -> JsonObject:
    """Return values by dotted names as nested objects, ``path[0]`` as ``path.segments``, ``a.`` as an empty object."""
    found: dict[str, Json] = {}
    for name, value in values.items():
        segment = _SEGMENT.fullmatch(name)
        *above, last = _keys(f"{segment[1]}.segments" if segment else name)
        inside = found
        for one in above:
            below = inside.get(one)
            inside[one] = below if isinstance(below, dict) else {}
            inside = inside[one]
        if not last:
            continue
        if segment:
            listed = inside.setdefault(last, [])
            inside[last] = [*listed, value] if isinstance(listed, list) else [value]
        else:
            inside[last] = value
    metadata = found.get("metadata")
    if isinstance(metadata, dict):
        texts = {name: TextMap(metadata[name]) for name in _TEXT_MAPS if isinstance(metadata.get(name), dict)}
        return {**found, "metadata": {**metadata, **texts}}
    return found


def _keys(name: str) -> Sequence[str]:
    """Return the keys of a dotted name; the names of labels and annotations may have dots."""
    keys = name.split(".")
    is_text = keys[0] == "metadata" and len(keys) > _TEXT_DEPTH and keys[1] in _TEXT_MAPS
    return (*keys[:_TEXT_DEPTH], ".".join(keys[_TEXT_DEPTH:])) if is_text else keys


def _value(values: Mapping[str, Json], is_go: bool, action: re.Match[str]) -> str:
    """Return the value of an action, or the action itself if it is unknown."""
    name = _go_name(action[1].strip()) if is_go else action[1].strip()
    return show(values[name]) if values.get(name) is not None else action[0]


def _go_name(expression: str) -> str:
    """Return the parameter name that a Go expression refers to, ``""`` for unsupported expressions."""
    indexed = _GO_INDEX.fullmatch(expression)
    if indexed:
        return f"{indexed[1]}[{indexed[2]}]"
    named = _GO_NAME.fullmatch(expression)
    return named[1] if named else ""
