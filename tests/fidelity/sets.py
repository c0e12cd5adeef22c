"""Changes of whole folders as they were recorded, and what a plan has to predict of them.

A recording is a gzip of JSON lines: a head with the versions, then one line a case: the files of both folders, the
arguments of kubectl (``{DIR}`` stands for the folder), what kubectl said, and every object concerned afterwards.
"""

import gzip
import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import yaml

from kubectl_applylint.core.state import ObjectRef, ref_of
from kubectl_applylint.core.values import Json, JsonObject
from tests.fidelity.judge import Judgement, differences
from tests.fidelity.judge import authored_part as without_server_metadata

_LINE = re.compile(r"^(\S+)/(\S+) (created|configured|unchanged|serverside-applied|pruned)$", re.MULTILINE)
REFUSED = "refused"
_SHOWN = 3


@dataclass(frozen=True, slots=True)
class Step:
    """One apply of a folder. ``after`` has ``None`` for objects that are not there."""

    files: Mapping[str, str]
    exit: int
    stdout: str
    stderr: str
    after: Mapping[str, JsonObject | None]


@dataclass(frozen=True, slots=True)
class SetStory:
    """A folder that was applied, changed, and applied again in the same way, in a namespace of its own."""

    id: str
    form: str
    """The kind of apply: ``plain``, ``prune-selector``, ``applyset``, …"""
    args: tuple[str, ...]
    namespace: str
    base: Step
    head: Step
    version: str = "1.36"
    """The minor of kubectl and of the server."""


@dataclass(frozen=True, slots=True)
class Fate:
    """The outcome of one object: kubectl's word, ``refused`` or ``kept``, and the stored object."""

    word: str
    after: JsonObject | None


Fates: TypeAlias = Mapping[ObjectRef, Fate]
Prediction: TypeAlias = Mapping[ObjectRef, JsonObject]
"""The entries of ``objects`` of a plan."""


def read_stories(file: Path) -> Iterator[SetStory]:
    """Yield the stories of a recording."""
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        version = json.loads(next(lines))["server"].removeprefix("v").rpartition(".")[0]
        yield from (story(json.loads(line), version) for line in lines)


def story(case: JsonObject, version: str) -> SetStory:
    """Return a recorded case as a value."""
    base, head = (
        Step(step["files"], step["exit"], step["stdout"], step["stderr"], step["after"])
        for step in (case["base"], case["head"])
    )
    return SetStory(case["id"], case["form"], tuple(case["args"]), case["namespace"], base, head, version)


def fates(case: SetStory) -> Fates:
    """Return what became of each object of either folder; what is in neither the files nor the cluster is left out.

    An object that an edit has taken out of ``-l`` is pruned although it is in the files.
    """
    base, head = _refs_in_files(case.base.files, case.namespace), _refs_in_files(case.head.files, case.namespace)
    words = defaultdict(list)
    for kind, name, word in _LINE.findall(case.head.stdout):
        words[kind, name].append(word)
    after = {_ref_of_key(key, case.namespace): value for key, value in case.head.after.items()}
    found: dict[ObjectRef, Fate] = {}
    for ref in sorted(base | head):
        verbs = words.get(_spoken(ref), [])
        applied = [word for word in verbs if word != "pruned"]
        if ref in head and (applied or "pruned" not in verbs):
            found[ref] = Fate(applied[-1] if applied else REFUSED, after.get(ref))
        elif "pruned" in verbs:
            found[ref] = Fate("pruned", None)
        elif after.get(ref) is not None:
            found[ref] = Fate("kept", after[ref])
    return found


def _refs_in_files(files: Mapping[str, str], namespace: str) -> set[ObjectRef]:
    objects = (item for text in files.values() for item in yaml.load_all(text, yaml.CSafeLoader))
    return {in_namespace(ref_of(item), namespace) for item in objects if isinstance(item, dict)}


def in_namespace(ref: ObjectRef, namespace: str) -> ObjectRef:
    """Return the name with the namespace of the case where it has none, cluster-scoped or not."""
    return ObjectRef(ref.api_version, ref.kind, ref.namespace or namespace, ref.name)


def _ref_of_key(key: str, namespace: str) -> ObjectRef:
    """Return the name that a key of ``after`` stands for: ``apps/v1/Deployment/shop/web``."""
    version, kind, own, name = key.rsplit("/", 3)
    return ObjectRef(version, kind, own or namespace, name)


def _spoken(ref: ObjectRef) -> tuple[str, str]:
    """Return how kubectl calls an object in its output."""
    return f"{ref.kind.lower()}.{ref.group}".rstrip("."), ref.name


def verdict(fate: Fate, entry: JsonObject | None) -> Judgement:
    """Return whether a plan says of an object what became of it."""
    word = entry and entry["verdict"]
    is_refused = fate.word == REFUSED and word in ("rejected", "conflict")
    return Judgement(is_refused or word == fate.word, [fate.word, word])


def result(fate: Fate, entry: JsonObject | None) -> Judgement | None:
    """Return whether a plan predicts what is stored; ``None`` where it did not have to, or missed the verdict."""
    if fate.after is None or fate.word in (REFUSED, "kept") or not verdict(fate, entry).right:
        return None
    found = differences(without_server_metadata(fate.after), without_server_metadata(_result_of(entry)))
    return Judgement(not found, found[:_SHOWN])


def _result_of(entry: JsonObject | None) -> JsonObject:
    return (entry or {}).get("result") or {}


def judge_pruned(found: Fates, prediction: Prediction) -> Judgement | None:
    """Return whether a plan prunes what kubectl pruned; ``None`` where neither prunes anything."""
    gone = sorted(str(ref) for ref, fate in found.items() if fate.word == "pruned")
    ours = sorted(str(ref) for ref, entry in prediction.items() if entry["verdict"] == "pruned")
    return Judgement(gone == ours, [gone, ours]) if gone or ours else None


def judge(case: SetStory, prediction: Prediction | None) -> Mapping[str, Sequence[Judgement]]:
    """Return all figures of a case: ``verdict`` and ``result`` an object, ``pruned`` and ``whole`` once.

    ``prediction`` is ``None`` where there is no plan.
    """
    found, listed = fates(case), prediction or {}
    verdicts = [_at(ref, verdict(fate, listed.get(ref))) for ref, fate in found.items()]
    results = [result(fate, listed.get(ref)) for ref, fate in found.items()]
    prune = judge_pruned(found, listed)
    return {
        "verdict": verdicts,
        "result": [each for each in results if each is not None],
        "pruned": [prune] if prune else [],
        "whole": [Judgement(bool(listed) and all(each.right for each in verdicts))],
    }


def _at(ref: ObjectRef, judgement: Judgement) -> Judgement:
    return Judgement(judgement.right, [str(ref), judgement.why])


def entries(text: str, namespace: str) -> Prediction | None:
    """Return the objects of a plan in JSON by their names, ``None`` where it is none."""
    try:
        objects: list[Json] = json.loads(text)["objects"]
    except (ValueError, KeyError):
        return None
    names = (ObjectRef(item["apiVersion"], item["kind"], item["namespace"], item["name"]) for item in objects)
    return {in_namespace(ref, namespace): item for ref, item in zip(names, objects, strict=True)}
