"""Updates of children as Metacontroller makes them: drawn at random, answered by its own packages, and predicted."""

import gzip
import json
import subprocess
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Final

from kubectl_applylint.core.values import Json, JsonObject, dig, equal, mapping
from kubectl_applylint.merge.dynamic import merge_key
from kubectl_applylint.merge.errors import MergeError
from kubectl_applylint.tools.metacontroller.write import ANNOTATION, merge_child
from tests.fidelity.edits import Donors, donors, edit
from tests.fidelity.manifests import BASES, load_all

_ADDED_KEYS: Final = ("mountPath", "path")
"""The keys of lists that the recorded version does not know yet."""


@dataclass(frozen=True, slots=True)
class Update:
    """An observed child, what a hook wants of it, and what Metacontroller makes of it: ``updated`` or ``error``."""

    observed: JsonObject
    wanted: JsonObject
    answer: JsonObject

    @property
    def is_as_in_newer_versions(self) -> bool:
        """Whether newer versions would answer the same.

        They know two more keys of lists, and have a newer apimachinery, for which a null is an empty annotation.
        """
        sides = (self.observed, self.wanted, _last_applied(self.observed))
        has_null = any(None in mapping(dig(side, "metadata", "annotations")).values() for side in sides)
        return not has_null and not any(merge_key(each) in _ADDED_KEYS for side in sides for each in _lists(side))


def _last_applied(observed: JsonObject) -> JsonObject:
    text = dig(observed, "metadata", "annotations", ANNOTATION)
    return json.loads(text) if isinstance(text, str) else {}


def _lists(value: Json) -> Iterator[list[Json]]:
    if isinstance(value, list):
        yield value
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    for each in inner:
        yield from _lists(each)


def drawn(seed: str, count: int) -> Iterator[tuple[JsonObject, JsonObject]]:
    """Yield observed children, each with what a hook wants; others have written to most, and most have a memory."""
    bases = load_all([BASES])
    given, rng = donors(bases), Random(seed)
    return (_drawn(rng, rng.choice(bases), given) for _ in range(count))


def _drawn(rng: Random, base: JsonObject, given: Donors) -> tuple[JsonObject, JsonObject]:
    last, _ = edit(rng, base, given, count=rng.randint(0, 2))
    wanted, _ = edit(rng, last, given, count=rng.randint(0, 4))
    found, _ = edit(rng, rng.choice([last, last, last, base]), given, count=rng.randint(0, 4))
    metadata = mapping(found.get("metadata"))
    noted = {ANNOTATION: json.dumps(last)} if rng.random() < 0.8 else {}
    texts = {key: text for key, text in mapping(metadata.get("annotations")).items() if isinstance(text, str)}
    stored = {"uid": "8d9a9d1c-0000-4000-8000-000000000000", "resourceVersion": "7", "generation": 2}
    status = {"status": {"observedGeneration": 1}} if rng.random() < 0.5 else {}
    return {**found, "metadata": {**metadata, "annotations": {**texts, **noted}, **stored}, **status}, wanted


def real_updates(program: Path, questions: Iterable[tuple[JsonObject, JsonObject]]) -> Iterator[Update]:
    """Yield the updates with the results of Metacontroller's ``update``."""
    asked = list(questions)
    lines = "\n".join(json.dumps({"observed": observed, "wanted": wanted}) for observed, wanted in asked)
    run = subprocess.run([program], input=lines, capture_output=True, text=True, check=True)
    for (observed, wanted), line in zip(asked, run.stdout.splitlines(), strict=True):
        yield Update(observed, wanted, json.loads(line))


def wrong(updates: Iterable[Update]) -> list[Update]:
    """Return those that are predicted otherwise."""
    return [update for update in updates if not _is_predicted(update)]


def _is_predicted(update: Update) -> bool:
    try:
        found = merge_child(update.observed, update.wanted)
    except MergeError:
        return "error" in update.answer
    return "updated" in update.answer and equal(found, update.answer["updated"])


def save(updates: Sequence[Update], file: Path) -> None:
    """Write updates, a line each."""
    lines = (json.dumps([one.observed, one.wanted, one.answer], separators=(",", ":")) for one in updates)
    file.write_bytes(gzip.compress("\n".join(lines).encode(), mtime=0))


def read_updates(file: Path) -> list[Update]:
    """Return the updates of a file."""
    return [Update(*json.loads(line)) for line in gzip.decompress(file.read_bytes()).splitlines()]
