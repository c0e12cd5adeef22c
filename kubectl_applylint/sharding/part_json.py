"""Reads and writes part files: JSON, described by ``schemas/part-v1.json``, for the version that wrote it."""

import json
from collections.abc import Mapping
from typing import Final

from kubectl_applylint.core.record_json import RecordFormatError, decode, encode
from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.sharding.parts import Part, RunId, ShardResult
from kubectl_applylint.sources.part_files import VERSION, object_of


class PartFormatError(ValueError):
    """A text that is not a part file; the message contains the reason."""


def part_text(part: Part) -> str:
    """Return the text of a part file; maps keep their order, which is that of reports."""
    fields = {
        "version": VERSION,
        "tool": {"name": "kubectl-applylint", "version": part.run.version},
        "run": encode(part.run, RunId),
        "shards": {str(number): encode(one, ShardResult) for number, one in sorted(part.shards.items())},
        "seconds": {root: round(took, 3) for root, took in sorted(part.seconds.items())},
    }
    return json.dumps(fields, separators=(",", ":")) + "\n"


def read_part(content: bytes, version: str) -> Part:
    """Return the part of a file that this ``version`` wrote; raise ``PartFormatError`` for any other file."""
    fields = _parse_object(content)
    run = fields.get("run")
    writer = run.get("version") if isinstance(run, dict) else None
    if isinstance(writer, str) and writer != version:
        raise PartFormatError(f"written by version {writer} of applylint, and this is {version}")
    try:
        return _decode_part(decode(run, RunId), fields.get("shards"), _seconds(fields))
    except RecordFormatError as fault:
        raise PartFormatError(f"not written by applylint: {fault}") from None


def _parse_object(content: bytes) -> JsonObject:
    try:
        return object_of(content, VERSION)
    except ValueError as fault:
        raise PartFormatError(str(fault)) from None


def _decode_part(run: RunId, shards: Json, seconds: Mapping[str, float]) -> Part:
    if not isinstance(shards, dict) or not shards:
        raise RecordFormatError("it has no shards")
    numbers = {str(number): number for number in range(1, run.shards + 1)} if run.shards < _MOST_SHARDS else {}
    unknown = shards.keys() - numbers.keys()
    if unknown:
        raise RecordFormatError(f"there is no shard {min(unknown)} of {run.shards}")
    found = {numbers[number]: decode(one, ShardResult) for number, one in sorted(shards.items())}
    return Part(run, found, seconds)


def read_seconds(content: bytes) -> Mapping[str, float]:
    """Return the seconds of each unit from a part file of any version; raise ``PartFormatError`` if it has none."""
    return _seconds(_parse_object(content))


def _seconds(fields: JsonObject) -> Mapping[str, float]:
    seconds = fields.get("seconds")
    if not isinstance(seconds, dict):
        raise PartFormatError("it has no timings")
    return {root: float(took) for root, took in seconds.items() if isinstance(took, (int, float)) and took > 0}


_MOST_SHARDS: Final = 1_000_000
"""More than the option ``--shard`` takes."""
