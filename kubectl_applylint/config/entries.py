"""Mappings in the list of an option: each key is read like an option."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, TypeVar

from kubectl_applylint.config.settings import ConfigFault, Setting, SettingEntry
from kubectl_applylint.config.types import DAY, FIELD, PATH, RESOURCE, RULE, TEXT, Option, printable
from kubectl_applylint.core.records import replace
from kubectl_applylint.core.spelling import meant, shorten_words
from kubectl_applylint.lint.hiding.waivers import Scope, Waiver

_Pair = TypeVar("_Pair")


def read(setting: Setting, options: Mapping[str, Option]) -> Iterator[Any]:
    """Yield the values of a setting, and an error for each invalid text."""
    option = options[setting.name]
    if not option.many and len(setting.texts) != 1:
        yield ConfigFault(f"{setting.place}: {setting.name} takes one value, got {len(setting.texts)}")
        return
    for text in setting.texts:
        try:
            yield option.type.read(printable(text), setting.folder)
        except ValueError as fault:
            yield ConfigFault(f"{setting.place}: {shorten_words(str(fault))}")


def suggestion(word: str, known: Mapping[str, Option]) -> str:
    """Return a suggestion for an unknown option name."""
    return meant(word, known, otherwise=f"valid options: {', '.join(known)}")


def keys(entry: SettingEntry, options: Mapping[str, Option]) -> Mapping[str, list[Any]] | ConfigFault:
    """Return the values of each key of a mapping, or its first error."""
    unknown = next((item for item in entry.settings if item.name not in options), None)
    if unknown:
        return ConfigFault(f"{unknown.place}: unknown key {unknown.name!r}; {suggestion(unknown.name, options)}")
    found = {item.name: list(read(item, options)) for item in entry.settings}
    fault = next((value for values in found.values() for value in values if isinstance(value, ConfigFault)), None)
    return fault or found


def pairs(setting: Setting, pair: Callable[[Setting, str], _Pair], noun: str) -> Iterator[_Pair | ConfigFault]:
    """Yield ``pair(key, value)`` for each key of a mapping, or an error; ``noun`` names the values in messages."""
    for text in setting.texts:
        yield ConfigFault(f"{setting.place}: {text!r} is not a mapping; write {text}: {noun.upper()} below it")
    for key in (key for entry in setting.entries for key in entry.settings):
        if len(key.texts) != 1:
            yield ConfigFault(f"{key.place}: {key.name} takes one {noun}, got {len(key.texts)}")
            continue
        try:
            yield pair(replace(key, name=printable(key.name)), printable(key.texts[0]))
        except ValueError as fault:
            yield ConfigFault(f"{key.place}: {fault}")


def waiver(entry: SettingEntry) -> Waiver | ConfigFault:
    """Return the waiver that one mapping under ``ignore`` declares, or its first error."""
    found = keys(entry, ENTRY_OPTIONS)
    if isinstance(found, ConfigFault):
        return found
    if not found.get("rule"):
        return ConfigFault(f"{entry.place}: rule is required")
    values: dict[str, Any] = {name: got[0] for name, got in found.items()}
    scope = Scope(
        path=values.get("path"), resource=values.get("resource"), field=values.get("field"), is_exact=_is_exact(entry)
    )
    reason, until = values.get("reason", ""), values.get("until")
    return Waiver(tuple(found["rule"]), scope, entry.place, "configuration", reason, until)


def _is_exact(entry: SettingEntry) -> bool:
    """Return whether an entry is about one file or one object."""
    texts = {item.name: "".join(item.texts) for item in entry.settings}
    narrow = [texts[name] for name in ("path", "resource") if name in texts]
    return any("*" not in text and "?" not in text for text in narrow)


ENTRY_OPTIONS: Final[Mapping[str, Option]] = {
    "rule": Option(RULE, "the rules whose findings are hidden", many=True),
    "path": Option(PATH, "only in these files; * and ** match any"),
    "resource": Option(RESOURCE, "only these objects: kind/name or namespace/kind/name, * matches any"),
    "field": Option(FIELD, "only this field and the fields below it"),
    "until": Option(DAY, "the last day on which it applies"),
    "reason": Option(TEXT, "why"),
}
"""The keys of a mapping under ``ignore``."""
