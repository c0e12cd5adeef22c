"""Manifests that a real server accepts, and what kube-apiserver 1.36.3 said of changes to them, read on 2026-11-21.

``valid/*.yaml`` holds the manifests. Each line of ``refused.jsonl`` is a JSON merge patch, sent as a dry run either of
the creation of such a manifest with the patch in it (``create``) or of a change of the object that was stored of it
(``patch``, in ``refused_live.jsonl``), with the causes of the rejection; there are none if the change was accepted. A
cause without message is one whose value the server prints in the form of its own memory.
"""

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TypeAlias

import pytest
import yaml
from _pytest.mark import ParameterSet

from kubectl_applylint.core.outcome import FieldError
from kubectl_applylint.core.values import Json
from kubectl_applylint.schema.load import load
from kubectl_applylint.server.write import Answer, Refused
from tests.fidelity.manifests import BASES
from tests.server.stored import kind_of

Cause: TypeAlias = tuple[str, str, str | None]
"""Field, reason and message of a rejection; a missing message matches any."""

HERE = Path(__file__).parent
FOLDERS = (HERE.parents[2] / "examples" / "shop", BASES, HERE / "valid")
"""The paths of the manifests; of two with one name the last counts."""
DISABLED = frozenset({"ServiceAccount"})
"""The admission plugins that the recorded server did not run."""


@dataclass(frozen=True, slots=True)
class Change:
    """A change of an object and the causes of its rejection."""

    base: str
    creating: bool
    patch: Json
    causes: frozenset[Cause]


@cache
def manifests() -> dict[str, Json]:
    """Return the manifests, in the namespace ``default`` if in any, by file and name: ``services/web``.

    Those of the examples and those that recordings begin with are among them, but for custom resources.
    """
    read = ((path, obj) for folder in FOLDERS for path in sorted(folder.glob("*.yaml")) for obj in _documents(path))
    built_in = ((path, obj) for path, obj in read if load("1.36").kind(obj["apiVersion"], obj["kind"]) is not None)
    return {f"{path.stem}/{obj['metadata']['name']}": _in_default_namespace(obj) for path, obj in built_in}


@cache
def live_objects() -> dict[str, Json]:
    """Return the stored objects that were changed, by manifest."""
    return {line["base"]: line["object"] for line in _lines("refused_live.jsonl")}


@cache
def changes() -> tuple[ParameterSet, ...]:
    """Return every change as a parameter."""
    entries = enumerate(_lines("refused.jsonl"), start=1)
    return tuple(pytest.param(_change(entry), id=f"{number} {entry['base']}") for number, entry in entries)


def causes(answer: Answer) -> frozenset[tuple[str, str, str]]:
    """Return what an answer objects to."""
    refusals: tuple[FieldError, ...] = answer.causes if isinstance(answer, Refused) else ()
    return frozenset((refusal.field, refusal.reason, refusal.message) for refusal in refusals)


def agreeing(found: frozenset[tuple[str, str, str]], expected: frozenset[Cause]) -> frozenset[Cause]:
    """Return the causes found, without the message where none is expected."""
    return frozenset(
        (*found_cause[:2], None) if (*found_cause[:2], None) in expected else found_cause for found_cause in found
    )


def _change(entry: Json) -> Change:
    recorded_causes = frozenset((field, reason, message) for field, reason, message in entry["causes"])
    return Change(entry["base"], entry["verb"] == "create", entry["patch"], recorded_causes)


def _documents(path: Path) -> list[Json]:
    return list(yaml.load_all(path.read_text(encoding="utf-8"), yaml.CSafeLoader))


def _in_default_namespace(obj: Json) -> Json:
    place = {"namespace": "default"} if kind_of(obj).namespaced else {}
    return {**obj, "metadata": {**obj["metadata"], **place}}


def _lines(name: str) -> list[Json]:
    return [json.loads(line) for line in (HERE / name).read_text(encoding="utf-8").splitlines()]
