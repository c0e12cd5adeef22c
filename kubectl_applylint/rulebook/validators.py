"""Validators of the keys in our YAML files, and the places of their errors."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from string import Formatter
from typing import TypeAlias

import yaml

from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.values import Json, JsonObject

_ID = regex(r"[a-z0-9]+(-[a-z0-9]+)+\Z")
_PLACEHOLDER = regex(r"[a-z][a-z0-9_]*\Z")

Trail: TypeAlias = tuple[str | int, ...]
"""The path of a value in a file: keys and positions."""
Fault: TypeAlias = tuple[Trail, str]
Faults: TypeAlias = Iterator[Fault]
Validator: TypeAlias = Callable[[Json], Faults]


def names_in(text: str) -> set[str]:
    """Return the names of the placeholders of a template."""
    return {name for _, name, _, _ in Formatter().parse(text) if name}


def keys(content: JsonObject, validators: Mapping[str, Validator], required: Iterable[str] = ()) -> Faults:
    """Yield missing, unknown and invalid keys."""
    for key in required:
        if key not in content:
            yield (), f"{key} is missing"
    for key, value in content.items():
        if key in validators:
            yield from (((key, *trail), f"{key}: {message}") for trail, message in validators[key](value))
        else:
            yield (key,), f"unknown key {key!r}; known are {', '.join(validators)}"


def plain_text(value: Json) -> Faults:
    """Yield an error unless a value is text that is not empty."""
    if not isinstance(value, str):
        yield (), "not text"
    elif not value.strip():
        yield (), "empty"


def rule_id(value: Json) -> Faults:
    """Yield an error unless a value can be the id of a rule."""
    if not isinstance(value, str) or not _ID.match(value):
        yield (), "not lower-case words joined by hyphens, such as port-listed-twice"


def template(value: Json) -> Faults:
    """Yield the errors in a template: placeholders are plain names in braces, other braces are doubled."""
    if not isinstance(value, str) or not value.strip():
        yield from plain_text(value)
        return
    try:
        names = [(name, spec, conversion) for _, name, spec, conversion in Formatter().parse(value) if name is not None]
    except ValueError as fault:
        yield (), f"{str(fault).lower()}; double braces that are not placeholders: {{{{ }}}}"
        return
    for name, spec, conversion in names:
        if spec or conversion or not _PLACEHOLDER.match(name):
            yield (), f"{{{name}}} is not a placeholder; double braces that are not placeholders: {{{{ }}}}"


def pattern(value: Json) -> Faults:
    """Yield the errors in a pattern, whose placeholders represent facts that are extracted from a text."""
    faults = list(template(value))
    yield from faults
    names = [] if faults else [name for _, name, _, _ in Formatter().parse(value) if name]
    for name in sorted({name for name in names if names.count(name) > 1}):
        yield (), f"{{{name}}} occurs twice"


def one_of(*words: str) -> Validator:
    """Return a validator that accepts only some words."""

    def validate(value: Json) -> Faults:
        if value not in words:
            yield (), f"{value!r} is not one of {', '.join(words)}"

    return validate


def list_of(item: Validator) -> Validator:
    """Return a validator of a list with valid items."""

    def validate(value: Json) -> Faults:
        if not isinstance(value, list):
            yield (), "not a list"
            return
        for position, inner in enumerate(value):
            yield from (((position, *trail), message) for trail, message in item(inner))

    return validate


def one_or_list_of(item: Validator) -> Validator:
    """Return a validator of one valid item, or a list of them."""

    def validate(value: Json) -> Faults:
        return list_of(item)(value) if isinstance(value, list) else item(value)

    return validate


def mapping_of(validators: Mapping[str, Validator]) -> Validator:
    """Return a validator of a mapping with these keys."""

    def validate(value: Json) -> Faults:
        return keys(value, validators) if isinstance(value, dict) else iter([((), "not a map")])

    return validate


def flag(value: Json) -> Faults:
    """Yield an error unless a value is true or false."""
    if not isinstance(value, bool):
        yield (), "not true or false"


def count(value: Json) -> Faults:
    """Yield an error unless a value is a positive integer."""
    if type(value) is not int or value < 1:
        yield (), "not a number from 1 on"


def duplicates(node: yaml.Node | None, trail: Trail = ()) -> Faults:
    """Yield duplicate keys at the top or one level below; YAML would silently keep the last one."""
    if not isinstance(node, yaml.MappingNode) or len(trail) > 1:
        return
    seen: set[str] = set()
    for key, value in node.value:
        if key.value in seen:
            yield (*trail, key.value), f"{key.value} is set twice"
        seen.add(key.value)
        yield from duplicates(value, (*trail, key.value))


def place(node: yaml.Node | None, trail: Trail) -> tuple[int, int]:
    """Return line and column of the key or list element at the end of ``trail``."""
    mark = node.start_mark if node else None
    for step in trail:
        for key, value in _children(node):
            if key == step:
                mark, node = value[0].start_mark, value[1]
    return (mark.line + 1, mark.column + 1) if mark else (1, 1)


def _children(node: yaml.Node | None) -> list[tuple[str | int, tuple[yaml.Node, yaml.Node]]]:
    """Return the keys or positions of a node with their nodes."""
    if isinstance(node, yaml.MappingNode):
        return [(key.value, (key, value)) for key, value in node.value]
    if isinstance(node, yaml.SequenceNode):
        return [(position, (item, item)) for position, item in enumerate(node.value)]
    return []
