"""Manifests as people write them: one object in many styles, with distinct comments."""

import json
from dataclasses import dataclass, field
from random import Random

from kubectl_applylint.core.values import Json, JsonObject

_WORDS = ("web", "db", "100m", "yes", "8080", "it's", "a: b", "x # y", "1.10", "null", "registry.example/a:1", "")
_NAMES = ("name", "image", "cpu", "on", "app.kubernetes.io/name", "80", "argument", "level")


def manifest(random: Random) -> JsonObject:
    """Return an object with nested maps and lists."""
    head = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "web", "labels": _labels(random)}}
    return {**head, "data": _map(random, 3), "list": _list(random, 2)}


def _labels(random: Random) -> Json:
    return {name: random.choice(_WORDS) for name in random.sample(_NAMES, random.randint(1, 3))}


def _value(random: Random, depth: int) -> Json:
    if depth > 0 and random.random() < 0.5:
        return random.choice((_map, _list))(random, depth - 1)
    return random.choice((*_WORDS, *_WORDS, 1, 0.5, True, None, 8080, "one\ntwo\n", {}, []))


def _map(random: Random, depth: int) -> Json:
    return {name: _value(random, depth) for name in random.sample(_NAMES, random.randint(1, 4))}


def _list(random: Random, depth: int) -> Json:
    return [_value(random, depth) for _ in range(random.randint(1, 3))]


def text(random: Random, value: JsonObject) -> str:
    """Return the object as YAML or JSON in a style that is drawn, maybe between other documents."""
    if random.random() < 0.15:
        return json.dumps(value, indent=random.choice((None, 2, 4))) + random.choice(("", "\n"))
    writer = _Writer(random)
    body = writer.block_map(value, 0)
    first = random.choice(("", "", "# first\n", "---\n", "# license\n---\n"))
    last = random.choice(("", "", "---\napiVersion: v1\nkind: Secret\nmetadata: {name: other}\n"))
    whole = first + body + last
    whole = whole.replace("\n", "\r\n") if random.random() < 0.2 else whole
    return whole.rstrip() if random.random() < 0.1 else whole


@dataclass(slots=True)
class _Writer:
    random: Random
    comments: int = 0
    indent: int = field(init=False)
    flat: bool = field(init=False)

    def __post_init__(self) -> None:
        self.indent = self.random.choice((2, 2, 4))
        self.flat = self.random.random() < 0.5

    def comment(self, share: float) -> str:
        if self.random.random() >= share:
            return ""
        self.comments += 1
        return f"# c{self.comments}."

    def above(self, column: int) -> str:
        words = self.comment(0.15)
        return f"{' ' * column}{words}\n" if words else self.random.choice(("", "", "", "", "\n"))

    def beside(self) -> str:
        words = self.comment(0.15)
        return f"  {words}\n" if words else "\n"

    def scalar(self, value: Json) -> str:
        if not isinstance(value, str):
            return json.dumps(value)
        single = "'" + value.replace("'", "''") + "'"
        plain = [value] if value in ("web", "db", "100m", "it's") else []
        return self.random.choice([json.dumps(value), *([] if "\n" in value else [single]), *plain * 3])

    def flow(self, value: Json) -> str:
        if isinstance(value, dict):
            return "{" + ", ".join(f"{self.scalar(name)}: {self.flow(inner)}" for name, inner in value.items()) + "}"
        if isinstance(value, list):
            return "[" + ", ".join(map(self.flow, value)) + "]"
        return self.scalar(value)

    def after_key(self, value: Json, column: int) -> str:
        if value and isinstance(value, (dict, list)) and self.random.random() < 0.8:
            inner = column + self.indent
            if isinstance(value, dict):
                return self.beside() + self.block_map(value, inner)
            return self.beside() + self.block_list(value, column if self.flat else inner)
        if isinstance(value, str) and value.endswith("\n") and self.random.random() < 0.7:
            pad = " " * (column + self.indent)
            return " |\n" + "".join(f"{pad}{line}\n" for line in value.splitlines())
        anchor = self.random.choice(("", "", "", "", "", "", "", f" &a{self.random.randint(0, 9)}"))
        written = "" if value is None and self.random.random() < 0.4 else f" {self.flow(value)}"
        return anchor + written + self.beside()

    def block_map(self, value: JsonObject, column: int) -> str:
        pad = " " * column
        return "".join(
            f"{self.above(column)}{pad}{self.scalar(name)}:{self.after_key(inner, column)}"
            for name, inner in value.items()
        )

    def block_list(self, value: list[Json], column: int) -> str:
        return "".join(self.above(column) + " " * column + "-" + self.entry(inner, column) for inner in value)

    def entry(self, value: Json, column: int) -> str:
        if isinstance(value, dict) and value and self.random.random() < 0.8:
            block = self.block_map(value, column + 2)
            # A comment or a blank line above the first key would stand between it and the dash.
            first = next(line for line in block.splitlines(keepends=True) if line.strip() and line.strip()[0] != "#")
            return " " + block[block.index(first) :].removeprefix(" " * (column + 2))
        return f" {self.flow(value)}{self.beside()}"
