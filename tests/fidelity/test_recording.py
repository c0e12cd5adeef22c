"""Recordings are read as they were written, and one line may hold three applies."""

import gzip
import json
from pathlib import Path

from kubectl_applylint.core.values import Json
from tests.fidelity.recording import Head, Request, open_recording, stories

CASE: dict[str, Json] = {
    "id": "t-1",
    "mode": "server",
    "base": "ConfigMap/settings",
    "edits": ["set data.a"],
    "writers": [["label", 200]],
    "args": ["apply", "-f", "-", "--server-side", "--field-manager=ci"],
    "manifest": {"data": {"a": "2"}},
    "live": {"data": {"a": "1"}},
    "exit": 0,
    "stdout": "configmap/settings serverside-applied\n",
    "stderr": "",
    "requests": [{"method": "PATCH", "contentType": "application/apply-patch+yaml", "body": "{}", "status": 200}],
    "after": {"data": {"a": "2"}},
}
SEQUEL = {"exit": 0, "stdout": "", "stderr": "", "requests": []}


def test_a_story_knows_how_it_was_applied() -> None:
    (story,) = stories(CASE)

    assert (story.kind, story.accepted, story.server_side) == ("ConfigMap", True, True)
    assert (story.force_conflicts, story.field_manager) == (False, "ci")
    assert story.requests == (Request("PATCH", "application/apply-patch+yaml", "{}", 200, None),)


def test_a_case_with_sequels_is_three_stories() -> None:
    again = {**SEQUEL, "after": {"data": {"a": "3"}}}
    revert = {**SEQUEL, "manifest": {"data": {}}, "after": {"data": {}}}
    found = list(stories({**CASE, "again": again, "revert": revert}))

    assert [(s.id, s.mode) for s in found] == [
        ("t-1", "server"),
        ("t-1/again", "again-server"),
        ("t-1/revert", "revert-server"),
    ]
    assert [s.live for s in found] == [{"data": {"a": "1"}}, {"data": {"a": "2"}}, {"data": {"a": "3"}}]
    assert [s.manifest for s in found] == [{"data": {"a": "2"}}, {"data": {"a": "2"}}, {"data": {}}]


def test_a_file_is_a_head_and_its_stories(tmp_path: Path) -> None:
    file = tmp_path / "recorded.jsonl.gz"
    with gzip.open(file, "wt") as out:
        out.writelines(json.dumps(line) + "\n" for line in ({"server": "v1.36.3", "kubectl": "v1.36.3"}, CASE, CASE))

    with open_recording(file) as (head, read):
        assert head == Head("v1.36.3", "v1.36.3", ())
        assert head.minor == "1.36"
        assert len(list(read)) == 2
