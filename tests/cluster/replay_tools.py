"""Writes into rule cases of other appliers than kubectl what the real program did, or compares it.

``replay`` calls this for the cases that name a program.
"""

import os
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from kubectl_applylint.core.state import ref_of
from kubectl_applylint.core.values import Json, JsonObject
from tests.cases.cases import MARKER
from tests.cases.tool_cases import ToolCase, ToolRecord, read_tool_case
from tests.cluster.cluster import Cluster
from tests.cluster.normal import differing
from tests.cluster.tool_calls import program_of
from tests.cluster.tool_story import play_tool
from tests.cluster.yamltext import dump

_SHOWN = 4


def written_part(text: str) -> str:
    """Return the part of a case file that a person wrote."""
    return text.partition(MARKER)[0].rstrip("\n") + "\n"


def check_tool(cluster: Cluster, file: Path) -> list[str]:
    """Return in words how a replay of ``file`` differs from what it records; ``Stuck`` if it cannot be played."""
    case, played = _play(cluster, file)
    return list(changes(case.record, played))


def stamp_tool(cluster: Cluster, file: Path) -> bool:
    """Replay ``file`` and write what happened into it; return whether it had to be written."""
    text = file.read_text(encoding="utf-8")
    case, played = _play(cluster, file)
    if not list(changes(case.record, played)):
        return False
    file.write_text(f"{written_part(text)}\n{MARKER}\n{dump(as_json(played))}", encoding="utf-8")
    return True


def _play(cluster: Cluster, file: Path) -> tuple[ToolCase, ToolRecord]:
    """Play the hand-written part of a case; return the recorded case and the new record."""
    text = file.read_text(encoding="utf-8")
    story = read_tool_case(written_part(text), file=str(file), rule="")
    today = datetime.now(UTC).date().isoformat()
    played = play_tool(cluster, program_of(story.applier, os.environ), story, today)
    return read_tool_case(text, file=str(file), rule=""), played


def as_json(record: ToolRecord) -> JsonObject:
    """Return a record as files have it."""
    snapshot: dict[str, Json] = {"memory": record.memory, "before": list(record.before)} if record.before else {}
    return {
        "verified": {"kubernetes": record.kubernetes, "program": record.program, "date": record.date},
        "failed": record.failed,
        **({"said": record.said} if record.said else {}),
        "became": dict(record.became),
        **snapshot,
        "after": list(record.after),
    }


def changes(recorded: ToolRecord | None, played: ToolRecord) -> Iterator[str]:
    """Yield the differences between a replay and its recording, as text."""
    if recorded is None:
        yield "never replayed"
        return
    if recorded.failed is not played.failed:
        yield f"failed was {recorded.failed}, is {played.failed}: {played.said}"
    if recorded.became != played.became:
        yield f"became was {dict(recorded.became)}, is {dict(played.became)}"
    if recorded.program != played.program:
        yield f"program was {recorded.program}, is {played.program}"
    for name, old, new in (("before", recorded.before, played.before), ("after", recorded.after, played.after)):
        yield from _differences(name, old, new)


def _differences(name: str, old: tuple[JsonObject, ...], new: tuple[JsonObject, ...]) -> Iterator[str]:
    sides = [{str(ref_of(item)): item for item in side} for side in (old, new)]
    if sides[0].keys() != sides[1].keys():
        yield f"{name} was {', '.join(sides[0])}, is {', '.join(sides[1])}"
        return
    for ref in sides[0]:
        every = differing(sides[0][ref], sides[1][ref])
        # kapp's sum depends on what the server draws: addresses, and the uid of a Job.
        paths = [path for path in every if "original-diff-md5" not in path]
        if paths:
            yield f"{name} of {ref} differs: {', '.join(paths[:_SHOWN])}"
