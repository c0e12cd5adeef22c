"""Masks the values of Secrets, and other credentials, in any text: other objects, messages and commands.

Values of Secrets in the run count from six characters on, in every spelling (base64, percent signs, JSON). A value that
is also a name in the run, or a word of one, or a common word, is not masked: to mask ``postgres`` would spoil the
report
and hide nothing. Credentials are recognized without a Secret by place (``credential_places``) and form
(``credential_forms``).
"""

import base64
import binascii
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from kubectl_applylint.core.paths import ByKey, ByValue, Path, PathStep
from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.state import ref_of
from kubectl_applylint.core.text_search import contained_texts, truncated_beginnings
from kubectl_applylint.core.values import Json, JsonObject, mapping
from kubectl_applylint.secrets.credential_forms import without_forms
from kubectl_applylint.secrets.credential_places import credentials_in, mask_places, may_have_places
from kubectl_applylint.secrets.held_parts import parts
from kubectl_applylint.secrets.printed_texts import printed_forms
from kubectl_applylint.secrets.secret_places import MASK, credentials, is_secret, mask_at, texts

MIN_LENGTH: Final = 6
"""The minimum length of a Secret's value that is masked in other objects."""
_MIN_INSIDE_WORD: Final = 8
"""The minimum length of a value that is masked inside a word as well."""
_COMMON: Final = frozenset(
    [
        "default",
        "enabled",
        "disabled",
        "localhost",
        "postgres",
        "postgresql",
        "mongodb",
        "rabbitmq",
        "elasticsearch",
        "username",
        "password",
        "secret",
        "production",
        "staging",
        "development",
        "testing",
        "example",
        "public",
        "private",
        "internal",
        "cluster",
        "service",
        "system",
        "kubernetes",
        "docker",
        "opaque",
        "master",
        "primary",
        "replica",
        "standard",
        "unknown",
        "change",
        "changeme",
        "string",
        "number",
        "boolean",
        "always",
        "ifnotpresent",
        "runtime",
        "config",
        "127.0.0.1",
        "0.0.0.0",
        "info",
        "warning",
        "verbose",
        "update",
        "delete",
        "create",
        "created",
        "unchanged",
        "configured",
        "rejected",
        "conflict",
        "before",
        "after",
        "absent",
    ]
)
_NAMING: Final = frozenset(["name", "namespace", "kind", "apiVersion", "type", "protocol", "image", "controller"])
_NAMING_MAPS: Final = frozenset(["labels", "matchLabels", "selector", "nodeSelector"])
_NAMES: Final = _NAMING | _NAMING_MAPS


@dataclass(frozen=True, slots=True)
class Masker:
    """Masks credentials in texts; ``pattern`` matches the values of Secrets, ``None`` if no text repeats them."""

    pattern: re.Pattern[str] | None = None

    def clean(self, text: str) -> str:
        """Return a text without credentials."""
        if self.pattern is not None:
            text = self.pattern.sub(MASK, text)
        return without_forms(text)

    def value(self, value: Json) -> Json:
        """Return a value without credentials in its texts; keys stay."""
        return self._texts(mask_places(value))

    def at(self, path: Path, value: Json) -> Json:
        """Return the value at a path of an object without credentials."""
        return self._texts(mask_places(value, path))

    def _texts(self, value: Json) -> Json:
        if isinstance(value, str):
            return self.clean(value)
        if isinstance(value, Mapping):
            return {key: self._texts(item) for key, item in value.items()}
        return [self._texts(item) for item in value] if isinstance(value, list) else value

    def path(self, path: Path) -> Path:
        """Return a path without credentials in the keys of list elements."""
        return tuple(map(self._step, path))

    def _step(self, step: PathStep) -> PathStep:
        match step:
            case ByKey(keys):
                return ByKey(tuple((key, self.value(value)) for key, value in keys))
            case ByValue(value):
                return ByValue(self.value(value))
            case _:
                return step


def make_masker(objects: Sequence[JsonObject], shown: Sequence[str], files: Iterable[str] = ()) -> Masker:
    """Return a masker of the values of Secrets and credential variables among the objects.

    ``shown`` are all texts to be printed: values in none of them are ignored. Words of ``files`` count as names.
    """
    written = {text: _json_content(text) for text in spellings_of(objects)}
    sought = {*written, *written.values()}
    there = contained_texts(sought, shown) if sought else set()
    found = {text for text, quoted in written.items() if text in there or quoted in there}
    if found:
        named = names(objects)
        found -= named | {word for name in named for word in name.split("-")}
        found -= {word for file in files for word in re.split(r"[/\\.]", file)}
        found = {text for text in found if text.lower() not in _COMMON}
    cut = {f"{re.escape(text)}(?=…)" for text in truncated_beginnings(sought, shown)}
    longest_first = sorted(found, key=lambda text: (-len(text), text))
    patterns = [*sorted(cut, key=len, reverse=True), *map(_word_pattern, longest_first)]
    return Masker(re.compile("|".join(patterns)) if patterns else None)


def _json_content(text: str) -> str:
    """Return a text as inside JSON quotes."""
    return text if text.isalnum() else json.dumps(text, ensure_ascii=False)[1:-1]


def spellings_of(objects: Iterable[JsonObject]) -> set[str]:
    """Return every spelling of the values of Secrets and of credential variables."""
    held: set[str] = set()
    for item in objects:
        held.update(texts(item) if is_secret(ref_of(item)) else _credentials_at_places(item))
    every = {spelling for text in held for spelling in spellings(text)}
    return {text for text in every if len(text) >= MIN_LENGTH and text.strip()}


def spellings(text: str) -> Iterator[str]:
    """Yield the spellings of a text: raw, printed, by line, in a URL, in and out of base64, and its parts."""
    yield from _encodings(text)
    try:
        decoded = base64.b64decode(text, validate=True).decode()
    except (binascii.Error, ValueError):
        decoded = ""
    for inner in (decoded, *credentials(decoded), *credentials(text), *parts(decoded), *parts(text)):
        if inner:
            yield from _encodings(inner)
    for code in (*credentials(decoded), *credentials(text)):
        yield from _passwords(code)


def _passwords(code: str) -> Iterator[str]:
    """Yield the spellings of the password in base64 credentials."""
    try:
        yield from _encodings(base64.b64decode(code, validate=True).decode().partition(":")[2])
    except (binascii.Error, ValueError):
        return


def _encodings(text: str) -> Iterator[str]:
    """Yield the encodings of a text, and its long lines."""
    content = text.encode(errors="surrogatepass")
    coded = base64.b64encode(content).decode()
    in_url = "".join(chr(byte) if chr(byte) in _PLAIN_IN_URL else f"%{byte:02X}" for byte in content)
    yield from (
        text,
        coded,
        coded.rstrip("="),
        coded.translate(_URL_SAFE).rstrip("="),
        in_url,
        in_url.replace("%20", "+"),
    )
    for ascii_only in (True, False):
        quoted = text
        for _ in range(_DEPTH):
            quoted = json.dumps(quoted, ensure_ascii=ascii_only)[1:-1]
            yield quoted
    yield from printed_forms(text)
    yield from (line.strip() for line in text.splitlines() if len(line.strip()) >= _MIN_INSIDE_WORD)


_DEPTH: Final = 3
"""The depth of JSON inside JSON, as in the annotation of a ConfigMap with nested JSON."""
_PLAIN_IN_URL: Final = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_URL_SAFE: Final = {ord("+"): "-", ord("/"): "_"}


def _word_pattern(text: str) -> str:
    """Return a pattern for a text; short texts and single words only match as whole words."""
    escaped = re.escape(text)
    if text.isalpha():
        return rf"(?<![\w-]){escaped}(?![\w-])"
    return escaped if len(text) >= _MIN_INSIDE_WORD else rf"(?<!\w){escaped}(?!\w)"


def _credentials_at_places(item: JsonObject) -> Iterator[str]:
    return credentials_in(item) if may_have_places([*maps(item)]) else iter(())


def maps(value: Json) -> Iterator[Mapping[str, Json]]:
    """Yield every map in a value, in an arbitrary order."""
    todo = [value]
    while todo:
        item = todo.pop()
        if isinstance(item, dict):
            yield item
            todo += [held for held in item.values() if isinstance(held, (dict, list))]
        elif isinstance(item, list):
            todo += [held for held in item if isinstance(held, (dict, list))]


def names(objects: Iterable[JsonObject]) -> set[str]:
    """Return the names in the objects: every key, and the values of fields and maps with names."""
    return names_in(entry for item in objects for entry in maps(mask_at((), item) if is_secret(ref_of(item)) else item))


def names_in(entries: Iterable[Mapping[str, Json]]) -> set[str]:
    """Return the names in all maps of objects, with Secrets already masked."""
    found: set[str] = set()
    for entry in entries:
        found.update(entry)
        for key in _NAMES.intersection(entry):
            value = entry[key]
            if key in _NAMING_MAPS:
                found.update(name for name in mapping(value).values() if isinstance(name, str))
            elif isinstance(value, str):
                found.add(value)
    return found
