"""Objects as real servers stored them: kube-apiserver 1.30.14, 1.33.13 and 1.36.3, read on 2026-11-21.

One object of each kind is there, of some kinds one from each server; managed fields and last-applied are left out.
"""

import json
from functools import cache
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet

from kubectl_applylint.core.values import Json
from kubectl_applylint.schema.load import load
from kubectl_applylint.schema.types import Kind


@cache
def stored_objects() -> tuple[tuple[str, Json], ...]:
    """Return every object with the version of the server that stored it."""
    lines = Path(__file__).with_name("stored_objects.jsonl").read_text(encoding="utf-8").splitlines()
    entries = (json.loads(line) for line in lines)
    return tuple((entry["server"], entry["object"]) for entry in entries)


def cases() -> list[ParameterSet]:
    """Return the objects as parameters: version of the server, object."""
    return [pytest.param(server, obj, id=f"{obj['kind']} of {server}") for server, obj in stored_objects()]


def kind_of(obj: Json, version: str = "1.36") -> Kind:
    """Return the kind of an object that is known to have one."""
    kind = load(version).kind(obj["apiVersion"], obj["kind"])
    assert kind is not None
    return kind
