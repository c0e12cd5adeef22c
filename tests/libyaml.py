"""Reads and writes YAML with libyaml, in a tenth of the time that PyYAML takes in Python."""

from collections.abc import Iterator

import yaml

from kubectl_applylint.core.values import Json


def load(text: str) -> Json:
    """Return the one document of a text."""
    value: Json = yaml.load(text, yaml.CSafeLoader)
    return value


def load_all(text: str) -> Iterator[Json]:
    """Yield the documents of a text."""
    yield from yaml.load_all(text, yaml.CSafeLoader)


def dump(value: Json) -> str:
    """Return a value as YAML, with sorted keys."""
    text: str = yaml.dump(value, Dumper=yaml.CSafeDumper)
    return text
