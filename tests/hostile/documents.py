"""Manifests that were broken on purpose, each with its expected result.

They start from manifests that the server takes. What is broken is known, so that the exit code is, too; only of values
that were put anywhere at random it is not known whether a server minds.
"""

import copy
import json
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path
from typing import Any, Final, TypeAlias

import yaml

from tests.fidelity.manifests import load_all
from tests.tree import ROOT

SEEDS: Final = (ROOT / "examples/shop", ROOT / "examples/change/after", ROOT / "tests/fidelity/bases")
_ODD: Final[Sequence[Any]] = (
    None, True, "", " ", "\u202egnp", "a\nb", "::error::x", "\x1b[31m", "x" * 5000, "{{ .Values.x }}", "${X}", "1e9999",
    -1, 0, 2**31, 2**63, 10**400, 1.5, 1e308, [], {}, [None], {"": None}, [[[[]]]], {"a": {"b": {"c": []}}}, "0/0",
    "::/0", "9" * 400, "*", "*/0 * * * *", "../../etc/passwd", "%2e%2e", "a/b/c/d", "\u0000", "NaN", "0x10", "1_000",
    "~", "=",
)  # fmt: skip


class Wanted(Enum):
    """The expected result of a file."""

    PASSES = "it is predicted, and nothing is wrong"
    REJECTED = "the server would reject it"
    UNREADABLE = "it cannot be read, and the run reports this file"
    ANY = "it is dealt with, in whatever way"


@dataclass(frozen=True, slots=True)
class Broken:
    """The bytes of a file, what was done to them, and the expected result."""

    content: bytes
    how: str
    wanted: Wanted
    original: bytes = b""
    """The manifest before anything was done to it."""


Edit: TypeAlias = Callable[[random.Random, dict[str, Any]], None]
Damage: TypeAlias = Callable[[random.Random, str], bytes]


def seeds() -> list[dict[str, Any]]:
    """Return manifests that a server takes as they are."""
    return [dict(manifest) for manifest in load_all([Path(folder) for folder in SEEDS])]


def broken(seed: int, number: int) -> Iterator[Broken]:
    """Yield that many files of one manifest each, the same ones for the same seed."""
    draw, known = random.Random(seed), seeds()
    for _ in range(number):
        manifest = copy.deepcopy(draw.choice(known))
        original = _dump(manifest).encode()
        kind = draw.choice([_harmless, _odd, _odd, _odd, _wrong, _torn])
        yield replace(kind(draw, manifest), original=original)


def _is_unchecked(manifest: Mapping[str, Any], how: str) -> bool:
    """Return whether the server takes any name for an object: those of roles and budgets only have to fit in a path."""
    return "name" in how and (manifest["apiVersion"].startswith("rbac.") or manifest["kind"] == "PodDisruptionBudget")


def _harmless(draw: random.Random, manifest: dict[str, Any]) -> Broken:
    how = draw.choice(sorted(_HARMLESS))
    return Broken(_HARMLESS[how](draw, _dump(manifest)), how, Wanted.PASSES)


def _odd(draw: random.Random, manifest: dict[str, Any]) -> Broken:
    how = draw.choice(sorted(_EDITS))
    for _ in range(draw.choice([1, 1, 2, 5])):
        _EDITS[how](draw, manifest)
    as_json = draw.random() < 0.3
    text = json.dumps(manifest) if as_json else _dump(manifest)
    return Broken(text.encode("utf-8", "surrogatepass"), how, Wanted.ANY)


def _wrong(draw: random.Random, manifest: dict[str, Any]) -> Broken:
    how = draw.choice(sorted(how for how in _WRONG if not _is_unchecked(manifest, how)))
    _WRONG[how](draw, manifest)
    return Broken(_dump(manifest).encode(), how, Wanted.REJECTED)


def _torn(draw: random.Random, manifest: dict[str, Any]) -> Broken:
    how = draw.choice(sorted(_TORN))
    return Broken(_TORN[how](draw, _dump(manifest)), how, Wanted.UNREADABLE)


class _Dumper(yaml.CSafeDumper):
    """Puts into quotes what YAML 1.1 takes for a truth value and PyYAML writes as it is."""


def _represent_text(dumper: _Dumper, text: str) -> yaml.ScalarNode:
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style='"' if text in ("y", "Y", "n", "N") else None)


_Dumper.add_representer(str, _represent_text)


def _dump(manifest: Mapping[str, Any]) -> str:
    return yaml.dump(manifest, Dumper=_Dumper, sort_keys=False, allow_unicode=True)


_HARMLESS: Final[Mapping[str, Damage]] = {
    "as it is": lambda draw, text: text.encode(),
    "Windows line ends": lambda draw, text: text.replace("\n", "\r\n").encode(),
    "a byte order mark": lambda draw, text: b"\xef\xbb\xbf" + text.encode(),
    "comments": lambda draw, text: f"# {draw.random()}\n---\n# x\n{text}# end\n---\n".encode(),
    "JSON": lambda draw, text: json.dumps(yaml.safe_load(text)).encode(),
    "a list": lambda draw, text: json.dumps(
        {"apiVersion": "v1", "kind": "List", "items": [yaml.safe_load(text)]}
    ).encode(),
}


def _places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the paths of everything inside a value."""
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in entries:
        yield (*path, key)
        yield from _places(item, (*path, key))


def _around(draw: random.Random, manifest: dict[str, Any]) -> tuple[Any, Any]:
    """Draw a place; return what holds it and the key there."""
    path = draw.choice(sorted(_places(manifest), key=repr) or [("kind",)])
    holder: Any = manifest
    for step in path[:-1]:
        holder = holder[step]
    return holder, path[-1]


def _replace(draw: random.Random, manifest: dict[str, Any]) -> None:
    holder, key = _around(draw, manifest)
    if isinstance(holder, list) or key in holder:
        holder[key] = copy.deepcopy(draw.choice(_ODD))


def _remove(draw: random.Random, manifest: dict[str, Any]) -> None:
    holder, key = _around(draw, manifest)
    if isinstance(holder, list):
        holder.pop(key)
    else:
        holder.pop(key, None)


def _rename(draw: random.Random, manifest: dict[str, Any]) -> None:
    holder, key = _around(draw, manifest)
    if isinstance(holder, dict) and key in holder:
        holder[draw.choice([f"{key}s", str(key).lower(), str(key).upper(), "", "\u202e", f"{key}\n::error::x"])] = (
            holder.pop(key)
        )


def _repeat(draw: random.Random, manifest: dict[str, Any]) -> None:
    holder, key = _around(draw, manifest)
    if isinstance(holder, list):
        holder.extend(copy.deepcopy(holder[key]) for _ in range(draw.choice([1, 2, 30])))


def _wrap(draw: random.Random, manifest: dict[str, Any]) -> None:
    holder, key = _around(draw, manifest)
    if isinstance(holder, list) or key in holder:
        for _ in range(draw.choice([1, 1, 60])):
            holder[key] = [holder[key]] if draw.random() < 0.5 else {"a": holder[key]}


_EDITS: Final[Mapping[str, Edit]] = {
    "an odd value": _replace,
    "a part removed": _remove,
    "a key renamed": _rename,
    "an element repeated": _repeat,
    "a value wrapped": _wrap,
}


def _with_metadata(field: str, value: Any) -> Edit:
    def edit(draw: random.Random, manifest: dict[str, Any]) -> None:
        manifest["metadata"][field] = value

    return edit


_WRONG: Final[Mapping[str, Edit]] = {
    "a name with a space": _with_metadata("name", "not a name"),
    "a name that is too long": _with_metadata("name", "a" * 300),
    "a label that is too long": _with_metadata("labels", {"app": "x" * 100}),
    "a label key that is none": _with_metadata("labels", {"/": "x"}),
    "an annotation key that is none": _with_metadata("annotations", {"a b": "x"}),
    "finalizers that are none": _with_metadata("finalizers", ["not a name"]),
}


def _cut_in_quotes(draw: random.Random, text: str) -> bytes:
    return f'{text}x: "never closed\n'.encode()


_TORN: Final[Mapping[str, Damage]] = {
    "an open quote": _cut_in_quotes,
    "an open bracket": lambda draw, text: f"{text}x: [1, 2\n".encode(),
    "a tab for indentation": lambda draw, text: f"{text}x:\n\ty: 1\n".encode(),
    "an unknown alias": lambda draw, text: f"{text}x: *nowhere\n".encode(),
    "a text in place of a map": lambda draw, text: f"just a text {draw.random()}\n".encode(),
    "a byte that is no UTF-8": lambda draw, text: f"{text}x: ".encode() + b"\xff\xfe\n",
    "no kind": lambda draw, text: text.replace("\nkind:", "\nkin:").encode(),
    "metadata of another type": lambda draw, text: text.replace("\nmetadata:", "\nmetadata: 5\nother:").encode(),
    "JSON cut in two": lambda draw, text: json.dumps(yaml.safe_load(text))[:-2].encode(),
}
