"""Replays rule cases on a real API server and writes into each what happened.

    python -m tests.cluster.replay rules/*/*/cases/*.yaml [--check]

Below a marker line each file gets the versions, kubectl's verdict, the live object before the apply and the stored
object after it; a file in which none of that changes is left alone. Cases of other appliers (``tool_cases``) get what
the real program did. With ``--check`` no file is written. Ends with 1 if
a story cannot be played or, with ``--check``, if it would be recorded differently now.
"""

import argparse
import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import assert_never

from kubectl_applylint.core.state import Absent, Knowledge, Present, Unknown
from kubectl_applylint.core.values import Json, JsonObject
from tests.cases.cases import MARKER, Case, Verified, read_case
from tests.cases.tool_cases import is_tool_case
from tests.cluster.cluster import Cluster, start_cluster
from tests.cluster.normal import differing
from tests.cluster.proxy import Recording, recording
from tests.cluster.replay_tools import check_tool, stamp_tool, written_part
from tests.cluster.story import Played, Stuck, play
from tests.cluster.yamltext import dump

_SHOWN = 4


def with_record(text: str, played: Played, verified: Verified) -> str:
    """Return the case file ``text`` with the record of a replay below the marker, its hand-written part unchanged.

    The live state is left out where it was given, so that the file says it once.
    """
    story = read_case(written_part(text), file="", rule="")
    recorded: dict[str, Json] = {
        "verified": {"kubernetes": verified.kubernetes, "kubectl": verified.kubectl, "date": verified.date},
        "verdict": played.verdict.value,
        **({"said": played.said} if played.said else {}),
        **({} if is_given(story) else {"live": as_json(played.live)}),
        "after": as_json(played.after),
        **({"gone": list(played.gone)} if played.gone else {}),
    }
    return f"{written_part(text)}\n{MARKER}\n{dump(recorded)}"


def is_given(story: Case) -> bool:
    """Return whether a person wrote down the live object."""
    return not (story.steps or story.base) and isinstance(story.live, Present)


def as_json(known: Knowledge) -> JsonObject | None:
    """Return what is known as files have it: ``None`` for an object that is not there."""
    return known.object if isinstance(known, Present) else None


def changes(recorded: Case, played: Played) -> Iterator[str]:
    """Yield the differences between a replay and its recording, as text."""
    if recorded.verified is None:
        yield "never replayed"
        return
    if recorded.verdict is not played.verdict:
        yield f"verdict was {recorded.verdict}, is {played.verdict}"
    if not is_given(recorded):
        yield from _state_changes("live", recorded.live, played.live)
    yield from _state_changes("after", recorded.after, played.after)
    if recorded.gone != played.gone:
        yield f"gone was {', '.join(recorded.gone) or 'nothing'}, is {', '.join(played.gone) or 'nothing'}"
    if bool(recorded.said) is not bool(played.said):
        yield f"kubectl said {recorded.said or 'nothing'!r}, says {played.said or 'nothing'!r}"


def _state_changes(name: str, recorded: Knowledge, played: Knowledge) -> Iterator[str]:
    match recorded, played:
        case Present(old), Present(new):
            paths = differing(old, new)
            if paths:
                yield f"{name} differs: {', '.join(paths[:_SHOWN])}"
        case _:
            if recorded != played:
                yield f"{name} was {_state(recorded)}, is {_state(played)}"


def _state(known: Knowledge) -> str:
    match known:
        case Present():
            return "there"
        case Absent():
            return "absent"
        case Unknown(reason):
            return f"unknown ({reason})"
        case _:
            assert_never(known)


def check(cluster: Cluster, proxy: Recording, file: Path) -> list[str]:
    """Return in words how a replay of ``file`` differs from what it records; ``Stuck`` if it cannot be played."""
    text = file.read_text(encoding="utf-8")
    if is_tool_case(text):
        return check_tool(cluster, file)
    played = play(cluster, proxy, read_case(written_part(text), file=str(file), rule=""))
    return list(changes(read_case(text, file=str(file), rule=""), played))


def stamp(cluster: Cluster, proxy: Recording, file: Path, today: str) -> bool:
    """Replay ``file`` and write what happened into it; return whether it had to be written."""
    text = file.read_text(encoding="utf-8")
    if is_tool_case(text):
        return stamp_tool(cluster, file)
    recorded = read_case(text, file=str(file), rule="")
    played = play(cluster, proxy, read_case(written_part(text), file=str(file), rule=""))
    verified = Verified(cluster.version, cluster.kubectl_version(), today)
    if not list(changes(recorded, played)) and recorded.verified == replace(verified, date=_date(recorded)):
        return False
    file.write_text(with_record(text, played, verified), encoding="utf-8")
    return True


def _date(recorded: Case) -> str:
    return recorded.verified.date if recorded.verified else ""


def main(argv: Sequence[str] | None = None) -> int:
    """Replay the files that the command line names; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=Path, help="rule cases")
    parser.add_argument("--check", action="store_true", help="compare and write nothing")
    options = parser.parse_args(argv)
    today = datetime.now(UTC).date().isoformat()
    with start_cluster(os.environ) as cluster, recording(cluster.api) as proxy:
        are_kept = [_report(cluster, proxy, file, "" if options.check else today) for file in options.files]
    return 0 if all(are_kept) else 1


def _report(cluster: Cluster, proxy: Recording, file: Path, today: str) -> bool:
    """Replay one file, say how it went, and return whether it went well; without a date it is only checked."""
    try:
        complaints = [] if today else check(cluster, proxy, file)
        done = "recorded" if today and stamp(cluster, proxy, file, today) else "as recorded"
    except (Stuck, ValueError) as error:
        complaints, done = [str(error)], ""
    print(f"{file}: {'; '.join(complaints) or done}")
    return not complaints


if __name__ == "__main__":
    raise SystemExit(main())
