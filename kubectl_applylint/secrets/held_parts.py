"""Parts of a Secret's values that are credentials by themselves: entries of a file and other passwords."""

import json
from collections.abc import Iterator
from typing import Final

from kubectl_applylint.core.paths import Field, leaves
from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.values import Json
from kubectl_applylint.secrets.credential_names import is_credential_variable, is_literal
from kubectl_applylint.secrets.secret_places import read_map

_SIGN: Final = regex(r"[:=]")
_PIECE: Final = regex(r"(?:^|[;&?\s])([\w.-]+)=([^;&\s]+)")
_IN_URL: Final = regex(r"://[^\s/:@\"']*:([^\s/@\"']+)@")
_PASSWORD_HASH: Final = regex(r"[^\s:]+:((?:\$|\{SHA\})\S+)")
_RANDOM: Final = regex(r"(?=.*\d)(?=.*[a-z])(?=.*[A-Z])[\w+/=~!@#$%^&*-]{12,}|(?=.*\d)(?=.*[a-f])[0-9a-f-]{20,}")
_QUOTES: Final = " \t\"',"
_SIGNS: Final = frozenset("=:{")


def parts(text: str) -> Iterator[str]:
    """Yield the credentials in the entries of JSON, YAML, INI and ``.env`` text, and passwords in its lines.

    These are values of credential names, and others that look random.
    """
    if _SIGNS.isdisjoint(text):
        return
    yield from _IN_URL.findall(text)
    if found := read_map(text) if text.lstrip().startswith("{") else {}:
        for path, leaf in leaves(found):
            name = path[-1].name if path and isinstance(path[-1], Field) else ""
            yield from _credential(name, leaf)
        return
    for line in text.splitlines():
        yield from _credentials_in_line(line.strip())


def _credentials_in_line(line: str) -> Iterator[str]:
    if hashed := _PASSWORD_HASH.fullmatch(line):
        yield hashed[1]
    if sign := _SIGN.search(line):
        name = line[: sign.start()].strip(_QUOTES).rpartition(" ")[2]
        yield from _credential(name, line[sign.end() :].strip(_QUOTES))
    for name, value in _PIECE.findall(line):
        yield from _credential(name, value.strip(_QUOTES))


def _credential(name: str, value: Json) -> Iterator[str]:
    text = value if isinstance(value, str) else json.dumps(value)
    if is_literal(value) and (is_credential_variable(name) or _RANDOM.fullmatch(text)):
        yield text
