"""Recordings of questions to a program with its answers: one pair on each line, in JSON, compressed with gzip."""

import argparse
import gzip
import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TypeAlias

from kubectl_applylint.core.values import JsonObject

Pair: TypeAlias = tuple[JsonObject, JsonObject]


def read_pairs(recording: Path) -> list[Pair]:
    """Return the recorded questions with their answers."""
    with gzip.open(recording, "rt", encoding="utf-8") as lines:
        return [tuple(json.loads(line)) for line in lines]


def write_pairs(recording: Path, pairs: Iterable[Pair]) -> None:
    """Write questions with their answers; equal ones give equal bytes."""
    text = "".join(json.dumps(pair, sort_keys=True) + "\n" for pair in pairs)
    recording.write_bytes(gzip.compress(text.encode(), mtime=0))


def parse_arguments(argv: Sequence[str] | None, description: str | None, cases: int) -> argparse.Namespace:
    """Return the arguments of a recorder: ``seed``, ``cases`` with this default, and ``out``."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--cases", type=int, default=cases)
    parser.add_argument("--out", type=Path)
    return parser.parse_args(argv)
