"""The JSON schema of ``.applylint.yaml`` and ``[tool.applylint]`` for editors, from the table of options."""

from collections.abc import Mapping
from typing import Final

from kubectl_applylint.config.conclusions import CONCLUSIONS_SCHEMA
from kubectl_applylint.config.configuration import OPTIONS, TARGET_OPTIONS, UNIT_OPTIONS, Config
from kubectl_applylint.config.definitions import DEFINITION_OPTIONS, VERSION_OF_PROJECT
from kubectl_applylint.config.downloads import MAPPING_SCHEMA
from kubectl_applylint.config.entries import ENTRY_OPTIONS
from kubectl_applylint.config.incomplete import INCOMPLETE_OPTIONS
from kubectl_applylint.config.severities import SEVERITIES_SCHEMA
from kubectl_applylint.config.types import Option
from kubectl_applylint.core.values import Json, JsonObject

_SCHEMA: Final = "http://json-schema.org/draft-07/schema#"
"""The JSON schema draft that editors support best."""


def config_schema(rules: Mapping[str, str], families: Mapping[str, str]) -> JsonObject:
    """Return the schema of a configuration file with these rules and families, each with its summary."""
    options = {name: _property(option, **_default(name)) for name, option in OPTIONS.items()}
    return {
        "$schema": _SCHEMA,
        "$id": "urn:kubectl-applylint:config",
        "title": "kubectl applylint, .applylint.yaml",
        "type": "object",
        "properties": options | {name: _several(OPTIONS[name], entry) for name, entry in _ENTRIES.items()},
        "additionalProperties": False,
        "definitions": {"rule": _names(rules), "rules": _names({**families, **rules})},
    }


def _names(words: Mapping[str, str]) -> JsonObject:
    return {"enum": [*words], "enumDescriptions": [*words.values()]}


def _property(option: Option, **more: Json) -> JsonObject:
    if option.many:
        return _several(option)
    return {**option.type.schema, "description": option.words, **more}


def _several(option: Option, *others: JsonObject) -> JsonObject:
    """Return the schema of one value, or a list of any number of values."""
    one = [option.type.schema, *others]
    listed = {"type": "array", "items": {"anyOf": one}}
    return {"anyOf": [*one, listed], "description": option.words}


def _entry(options: Mapping[str, Option], *required: str) -> JsonObject:
    """Return the schema of a mapping with these keys, some of them required."""
    return {
        "type": "object",
        "properties": {name: _property(option) for name, option in options.items()},
        "required": [*required],
        "additionalProperties": False,
    }


_ENTRIES: Final[Mapping[str, JsonObject]] = {
    "ignore": _entry(ENTRY_OPTIONS, "rule"),
    "severity": SEVERITIES_SCHEMA,
    "units": _entry(UNIT_OPTIONS, "path"),
    "targets": _entry(TARGET_OPTIONS, "name"),
    "incomplete": _entry(INCOMPLETE_OPTIONS, "unit", "reason"),
    "mirrors": MAPPING_SCHEMA,
    "own-sources": MAPPING_SCHEMA,
    "conclusion": CONCLUSIONS_SCHEMA,
    "definitions": {**_entry(DEFINITION_OPTIONS), "additionalProperties": VERSION_OF_PROJECT.schema},
}


def _default(name: str) -> JsonObject:
    """Return the default of an option, if a file can express it."""
    value = getattr(Config(), name.replace("-", "_"))
    return {"default": value} if isinstance(value, str | int) and value != "" else {}
